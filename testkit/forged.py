"""Pages with stamps that no browser has written: any number of boxes, and numbers of any size.

The stamps of a page with too many elements are not read. So most of these pages have as many as are
allowed, and grow by what is not counted.
"""

from __future__ import annotations

from collections.abc import Callable

from testkit.layouts import box
from testkit.server import SENTENCES

# Below the number of elements from which on stamps are not read, with some for the article.
_ELEMENTS = 19_000
_WIDTH, _HEIGHT = 10_000, 100_000
_NINES = 99_999_999

Part = Callable[[int], str]


def _article() -> str:
    return "".join(box("p", 50, 40 * n, 600, 40, one) for n, one in enumerate(SENTENCES))


def _page(body: str, *, width: int = _WIDTH, height: int = _HEIGHT) -> str:
    return (
        f'<html data-cetr="1 {width} {height} 1000 720"><body data-cetr="0 0 {width} {height}">'
        f'{body}<div data-cetr="0 0 900 900">{_article()}</div></body></html>'
    )


def _repeated(part: Part, size: int, most: int) -> str:
    """Write parts one after the other, up to a size in characters and a number of them."""
    parts: list[str] = []
    written = 0
    while written < size and len(parts) < most:
        parts.append(part(len(parts)))
        written += len(parts[-1])
    return "".join(parts)


def _any_number(part: Part) -> Callable[[int], str]:
    return lambda size: _page(_repeated(part, size, size))


def _at_most(most: int, part: Part, *, width: int = _WIDTH, height: int = _HEIGHT) -> Part:
    """Write a page of some parts; what is missing of its size is a comment."""

    def write(size: int) -> str:
        body = _repeated(part, size, most)
        return _page(f"{body}<!--{'x' * (size - len(body))}-->", width=width, height=height)

    return write


def _with_pictures(most: int, part: Part) -> Part:
    """Write a page of some parts; what is missing of its size are pictures, which do not count."""

    def write(size: int) -> str:
        body = _repeated(part, size // 2, most)
        return _page(body + _repeated(_picture, size - len(body), size))

    return write


def _picture(n: int) -> str:
    return f'<svg data-cetr="{n % 9000} {3 * n % 9000} 90 90"/>'


def _nested(part: Part) -> Part:
    """Nest elements inside of each other, nearly as deep as a browser does."""
    return lambda _: "".join(map(part, range(400))) + "x" + "</div>" * 400


def _one_tag(stamp: str) -> Callable[[int], str]:
    """Write a page of one tag, with a stamp that repeats something."""
    return lambda size: _page(f'<p data-cetr="{stamp * (size // len(stamp))}">x</p>')


def _in_columns(n: int) -> str:
    left, top = n % 2 * 500, 20 * n
    return box("div", left, top, 400, 19, box("p", left, top, 9, 9))


def _repeats_its_stamp(size: int) -> str:
    return _page("<p" + ' data-cetr="1 2 3 4"' * (size // 20) + ">x</p>")


FORGED: dict[str, Callable[[int], str]] = {
    "too many elements": _any_number(lambda n: box("p", n % 900, 7 * n % 9999, 300, 200)),
    "overlapping": _at_most(_ELEMENTS, lambda n: box("p", n % 900, 7 * n % 9999, 300, 200)),
    "all the same": _at_most(_ELEMENTS, lambda _: box("p", 0, 0, 900, 900)),
    "staircase": _at_most(_ELEMENTS, lambda n: box("p", n % 5000, n, 100, 100)),
    "nested inwards": _at_most(
        45, _nested(lambda n: f'<div data-cetr="{n} {n} {999 - 2 * n} {999 - 2 * n}">')
    ),
    "nested outwards": _at_most(45, _nested(lambda n: f'<div data-cetr="{n} {n} 10 10">')),
    "two columns": _at_most(9000, _in_columns),
    "headings": _at_most(_ELEMENTS, lambda n: box(f"h{1 + n % 6}", 0, n, 900, 1)),
    "pictures": _any_number(_picture),
    "pictures beside boxes": _with_pictures(
        9000, lambda n: box("div", n % 9000, n, 9, 9, f'<svg data-cetr="{n} 0 7 7"/>')
    ),
    "pictures in nested boxes": _with_pictures(
        22, _nested(lambda n: f'<div data-cetr="{n} {n} 9 9"><svg data-cetr="{n} {n} 99 99"/>')
    ),
    "pictures after nested boxes": _with_pictures(
        22, lambda n: f"{_nested(lambda _: '<div>')(n)}{_picture(n)}"
    ),
    "hidden": _at_most(_ELEMENTS, lambda _: '<p data-cetr="-">Not shown at all.</p>'),
    "hidden inside of lines": _at_most(_ELEMENTS, lambda _: '<i data-cetr="0 0 1 1 h">x</i>'),
    "hidden pictures": _any_number(lambda _: '<svg data-cetr="-"/>'),
    "huge numbers": _at_most(
        _ELEMENTS,
        lambda n: (
            f'<p data-cetr="{-_NINES} {n * 5000} {_NINES} {_NINES} t999999999 n999999999 f9999.9'
            ' cffffff">x</p>'
        ),
        width=_NINES,
        height=_NINES,
    ),
    "wrong numbers": _at_most(
        _ELEMENTS, lambda n: f'<p data-cetr="nan -{n} 1e9 inf">x<b data-cetr="-{n} 0 9">y</b></p>'
    ),
    "all fonts and colours": _at_most(
        _ELEMENTS, lambda n: f'<i data-cetr="0 {n} 9 9 t9 n1 f{n % 9999} c{n:06x}">x</i>'
    ),
    "long numbers": _one_tag("1"),
    "many numbers": _one_tag("1 "),
    "character references": _one_tag("&#49;"),
    "stamps of one tag": _repeats_its_stamp,
    "stamps of the page": _at_most(_ELEMENTS, lambda n: f'<html data-cetr="1 {n + 1} 9 9 9">'),
    "stamps in a script": lambda size: _page(
        "<script>" + '<p data-cetr="1 2 3 4">' * (size // 23) + "</script>"
    ),
    "unclosed stamps": _any_number(lambda n: f"<p data-cetr='1 2 3 {n}>x</p>"),
}
