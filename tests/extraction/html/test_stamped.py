"""The stamps of a browser: how they are read, and that nothing else notices them."""

from __future__ import annotations

from itertools import product

import pytest

from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.page.layout import Layout
from scrapy_cetr.extraction.stamps import without_stamps
from testkit.layouts import box
from testkit.server import SENTENCES

ROOT = '<html data-cetr="1 1000 2000 1000 720">'
NINES = "9" * 99


def layout_of(html: str) -> Layout | None:
    return read(html, rows="blocks", with_stamps=True).layout


def test_stamps_become_columns_of_nodes() -> None:
    layout = layout_of(
        f'{ROOT}<body data-cetr="8 9 900 1800"><p data-cetr="10 20 300 40 t500 n7 f12.5 cff0080">'
        'One <b data-cetr="11 21 30 14 t90 n3 cffffff">two</b></p><i>three</i></body></html>'
    )
    assert layout is not None
    assert (layout.width, layout.height) == (1000, 2000)
    boxes = layout.boxes
    assert boxes.left.tolist() == [0, 8, 10, 11, 0]
    assert boxes.top.tolist() == [0, 9, 20, 21, 0]
    assert boxes.width.tolist() == [0, 900, 300, 30, 0]
    assert boxes.height.tolist() == [0, 1800, 40, 14, 0]
    assert layout.text_area.tolist() == [0, 0, 500, 90, 0]
    assert layout.chars.tolist() == [0, 0, 7, 3, 0]
    assert layout.font_size.tolist() == [0, 0, 12.5, 12.5, 0]
    assert layout.colour.tolist() == [0, 0, 0xFF0080, 0xFFFFFF, 0]
    assert layout.is_stamped.tolist() == [False, True, True, True, False]
    assert layout.is_visible.tolist() == [False, True, True, True, False]


def test_images_and_hidden_elements_belong_to_the_node_around_them() -> None:
    layout = layout_of(
        f'{ROOT}<body><p>a<img data-cetr="1 2 3 4"><svg data-cetr="5 6 7 8"><path></svg></p>'
        '<input data-cetr="9 9 9 9"></body></html>'
    )
    assert layout is not None
    assert layout.other_node.tolist() == [2, 2, 1]
    assert layout.other_boxes.width.tolist() == [3, 7, 9]
    assert layout.other_is_image.tolist() == [True, True, False]


def test_elements_that_are_not_shown_are_hidden_with_all_inside() -> None:
    page = read(
        f'{ROOT}<body data-cetr="0 0 9 9"><div data-cetr="-"><p>One</p></div>'
        '<div data-cetr="0 0 1 1 h"><p data-cetr="0 0 9 9">Two</p></div><p>Three</p></body></html>',
        rows="blocks",
        with_stamps=True,
    )
    assert page.layout is not None
    assert page.layout.is_hidden.tolist() == [False, False, True, True, True, True, False]
    assert len(page.suspects.hidden()) == 2


@pytest.mark.parametrize("stamp", ["-", "0 0 0 0 h"])
@pytest.mark.parametrize("name", ["svg", "select", "textarea"])
def test_what_follows_an_element_without_text_that_is_not_shown_is_shown(
    name: str, stamp: str
) -> None:
    page = read(
        f'{ROOT}<body data-cetr="0 0 9 9"><{name} data-cetr="{stamp}">Icon</{name}>'
        '<div data-cetr="0 0 9 9"><p data-cetr="0 0 9 9">One</p></div></body></html>',
        rows="blocks",
        with_stamps=True,
    )
    assert page.layout is not None
    assert not page.layout.is_hidden.any()
    assert len(page.suspects.hidden()) == 0


TABS = '<div class="tab-pane" data-cetr="-"><p>One</p></div>'


def test_parts_that_a_reader_opens_are_not_hidden_text() -> None:
    html = f'{ROOT}<body data-cetr="0 0 9 9">{TABS}</body></html>'
    assert len(read(html, rows="blocks", with_stamps=True).suspects.hidden()) == 0


@pytest.mark.parametrize(
    "html",
    [
        pytest.param('<html><body data-cetr="0 0 9 9"><p>a</p></body></html>', id="no root"),
        pytest.param('<html data-cetr="2 9 9 9 9"><p data-cetr="0 0 9 9">a</html>', id="version"),
        pytest.param('<html data-cetr="1 0 9 9 9"><p data-cetr="0 0 9 9">a</html>', id="no width"),
        pytest.param(f"{ROOT}<body><p>a</p></body></html>", id="nothing but the root"),
        pytest.param(f'{ROOT}<p data-cetr="0 0 1e9 nan">a</p></html>', id="no numbers"),
        pytest.param(f'{ROOT}<p data-cetr="{NINES} 0 9 9">a</p></html>', id="huge"),
        pytest.param(f'{ROOT}<p data-cetr="0 0 9 9 f{NINES}">a</p></html>', id="huge font"),
        pytest.param(ROOT + '<p data-cetr="0 0 9 9">a' * 20_001 + "</html>", id="too many"),
        pytest.param("data-cetr", id="text"),
        pytest.param("<p data-cetr>a", id="no value"),
    ],
)
def test_page_without_the_stamps_of_the_script_has_no_layout(html: str) -> None:
    assert layout_of(html) is None
    assert isinstance(extract(html, method="clg").text, str)


def stamped(text: str) -> str:
    """Stamp all elements of a page."""
    numbers = iter(range(10_000))
    return "".join(
        f'{part[:-1]} data-cetr="0 {next(numbers)} 9 9 t9 n9 f10 c000000">'
        if part[1:2].isalpha() and part.startswith("<") and not part.startswith("<html")
        else part.replace("<html>", ROOT)
        for part in text.replace("<", "\0<").replace(">", ">\0").split("\0")
    )


ARTICLE = "".join(f"<p>{one}<br>{one}</p>" for one in SENTENCES)
LINES = "\n".join(f"<p>{one}</p>" for one in SENTENCES)
HIDDEN_PARTS = "<p class='sr-only'>Skip</p><div hidden><p>Not here</p></div>"
PAGES = [
    f"<html><body><ul><li><a>Home</a></li></ul><h1>Flood</h1>{ARTICLE}{HIDDEN_PARTS}</body></html>",
    f"<html><body>{'<p>'.join(SENTENCES)}</body></html>",
    f"<html><body>\n<div>\n{LINES}</div></body></html>",
]


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("learned", "clg")])
def test_methods_that_do_not_read_stamps_give_the_same_text(method: str, rows: str) -> None:
    for html in PAGES:
        found = extract(stamped(html), method=method, rows=rows)  # type: ignore[arg-type]
        plain = extract(html, method=method, rows=rows)  # type: ignore[arg-type]
        assert (found.text, found.markdown, found.html) == (plain.text, plain.markdown, plain.html)


@pytest.mark.parametrize("method", METHODS)
def test_output_has_no_stamps(method: str) -> None:
    for html in PAGES:
        article = extract(stamped(html), method=method)
        assert "data-cetr" not in f"{article.html}{article.markdown}{article.text}"


def test_stamps_are_removed_from_html() -> None:
    for html in PAGES:
        assert without_stamps(stamped(html)) == html
    assert without_stamps('<p>data-cetr="0 0 9 9"</p>') == '<p>data-cetr="0 0 9 9"</p>'


HIDDEN = "The offer of the week is a subscription that nobody has asked for in this town."


def test_text_that_the_browser_does_not_show_is_not_in_the_article() -> None:
    paragraphs = "".join(box("p", 0, 20 * n, 600, 20, one) for n, one in enumerate(SENTENCES))
    for stamp, method in product(("-", "0 0 1 1 h"), ("learned", "clg")):
        offer = f'<p data-cetr="{stamp}">{HIDDEN}</p>'
        html = f'{ROOT}<body data-cetr="0 0 900 900"><div>{paragraphs}{offer}</div></body></html>'
        article = extract(html, method=method)
        assert article.method == method
        assert SENTENCES[0] in article.text
        assert HIDDEN not in f"{article.text}{article.markdown}"


def test_article_that_is_hidden_until_a_script_runs_is_kept() -> None:
    paragraphs = "".join(f"<p>{one}</p>" for one in SENTENCES * 3)
    shown = box("p", 0, 0, 90, 20, "Please wait for the page to load.")
    html = (
        f'{ROOT}<body data-cetr="0 0 900 900">{shown}<div data-cetr="-">{paragraphs}</div>'
        "</body></html>"
    )
    assert SENTENCES[1] in extract(html).text
