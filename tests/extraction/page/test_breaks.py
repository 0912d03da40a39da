"""Breaks: where the text of a page ends a line, an item or a paragraph."""

import pytest

from scrapy_cetr.extraction.elements import BLOCK, ITEM, LINE, SPACE
from scrapy_cetr.extraction.html.reader import read


@pytest.mark.parametrize("size", [1, 3, 20])
def test_breaks_are_found_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    html = "a<pre>\nb\n<p></p><br>c\n</pre>\n<pre><li>d\n<pre><td>e</pre>\n</pre>\nf<hr><p>" * 5

    def found() -> tuple[list[int], list[int]]:
        breaks = read(html, rows="blocks").breaks
        return breaks.offset.tolist(), breaks.strength.tolist()

    whole = found()
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", size)
    assert found() == whole


@pytest.mark.parametrize(
    ("html", "breaks"),
    [
        ("one<b>two</b>", []),
        ("one<br>two", [(3, LINE)]),
        ("one<br><br>two", [(3, BLOCK)]),
        ("one<br> <br>two", [(3, LINE), (4, BLOCK)]),
        ("one<img>two", [(3, SPACE)]),
        ("one<p>two", [(3, BLOCK)]),
        ("<li>one<li>two", [(0, ITEM), (3, ITEM)]),
        ("one<br><img><li><p>two", [(3, BLOCK)]),
        ("<a>one</a><a>two</a>", [(3, SPACE)]),
        ("<a>one</a>two<a>three</a>", []),
        ("one<x-y>two", [(3, SPACE)]),
        ("<pre>a\nb</pre>c\nd", [(0, BLOCK), (1, LINE), (3, BLOCK)]),
    ],
)
def test_where_the_text_is_broken(html: str, breaks: list[tuple[int, int]]) -> None:
    found = read(html, rows="blocks").breaks
    assert list(zip(found.offset.tolist(), found.strength.tolist(), strict=True)) == breaks
