"""Pages with a layout that is written by hand: the stamps of a browser in the HTML."""

from __future__ import annotations

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.clg.tree import Tree, make_tree
from scrapy_cetr.extraction.page.page import Page
from testkit.server import SENTENCES

_NEWSPAPER = '<html data-cetr="1 1000 1000 1000 720">'


def stamped_page(body: str, *, width: int = 100, height: int = 100) -> Page:
    """Read a page of a size, whose elements have stamps: <p data-cetr="left top width height">."""
    html = (
        f'<html data-cetr="1 {width} {height} {width} {height}">'
        f'<body data-cetr="0 0 {width} {height}">{body}</body></html>'
    )
    page = read(html, rows="blocks", with_class_names=True, with_stamps=True)
    assert page.layout is not None
    return page


def stamped_tree(body: str, *, width: int = 100, height: int = 100) -> Tree:
    """Return the nodes of such a page: html is node 0, body node 1, and so on."""
    layout = stamped_page(body, width=width, height=height).layout
    assert layout is not None
    return make_tree(layout)


def box(name: str, left: int, top: int, width: int, height: int, inside: str = "x") -> str:
    """Write an element with a stamp; by default, it has a text of one character."""
    shown = f" t9 n{len(inside)} f10 c000000" if inside and "<" not in inside else ""
    return f'<{name} data-cetr="{left} {top} {width} {height}{shown}">{inside}</{name}>'


def _paragraph(top: int, text: str) -> str:
    size = len("".join(text.split()))
    return f'<p data-cetr="250 {top} 600 40 t{size * 90} n{size} f16 c222222">{text}</p>'


def newspaper() -> str:
    """Write a page of a menu, an article below its headline, and a footer."""
    links = "".join(
        f'<li data-cetr="0 {100 + 20 * n} 200 20"><a href="/{n}" data-cetr="0 {100 + 20 * n} 90 20'
        f' t900 n9 f12 c0000ee">Section {n}</a></li>'
        for n in range(12)
    )
    text = "".join(_paragraph(150 + 50 * n, one) for n, one in enumerate(SENTENCES * 3))
    return (
        f'{_NEWSPAPER}<body data-cetr="0 0 1000 1000"><div data-cetr="0 0 1000 60">'
        f"{box('b', 0, 0, 300, 60, 'The Harbour Courier')}</div>"
        f'<ul data-cetr="0 100 200 240">{links}</ul>'
        f"{box('h1', 250, 90, 600, 40, 'Flood in the old town')}"
        f'<div data-cetr="250 150 600 450">{text}</div>'
        f"{box('div', 0, 900, 1000, 40, 'All rights reserved')}</body></html>"
    )
