"""The columns of a page, on pages small enough to count on fingers."""

from dataclasses import fields

import numpy as np
import pytest

from scrapy_cetr.extraction.elements import ELEMENT_NAMES
from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.rows import MAX_EMPTY_ROWS

# Rows


def test_rows_of_blocks_have_start_end_chars_and_tags() -> None:
    page = read("<h1>One</h1><p>Two <b>three</b></p>four", rows="blocks")
    assert page.text == "OneTwo threefour"
    assert page.rows.start.tolist() == [0, 3, 12]
    assert page.rows.end.tolist() == [3, 12, 16]
    assert page.rows.chars.tolist() == [3, 9, 4]
    assert page.rows.tags.tolist() == [2, 4, 0]


def test_rows_of_lines_have_start_end_chars_and_tags() -> None:
    page = read("<h1>One</h1><p>Two\n<b>three</b>\n\n</p>\nfour", rows="lines")
    assert page.text == "OneTwo\nthree\n\n\nfour"
    assert page.rows.start.tolist() == [0, 7, 14, 15]
    assert page.rows.end.tolist() == [7, 14, 15, 19]
    assert page.rows.chars.tolist() == [6, 5, 0, 4]
    assert page.rows.tags.tolist() == [3, 2, 1, 0]


def test_page_has_its_tags_and_their_offsets() -> None:
    page = read("<p>One <b>two</b></p><x>three", rows="blocks")
    names = [("/" if code < 0 else "") + ELEMENT_NAMES[abs(code)] for code in page.tags.tolist()]
    assert names == ["p", "b", "/b", "/p", ""]
    assert page.tag_offset.tolist() == [0, 4, 7, 7, 7]


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize(
    ("html", "chars"),
    [
        ("<p>one two", 7),
        ("<p>  one  \t two  ", 7),
        ("<p>&nbsp;one&nbsp;&nbsp;two&nbsp;", 7),
        ("<p>one<b> </b>two<i> </i>", 7),
        ("<p>&lt;&gt;", 2),
        ("<p>日本 語", 4),
        ("<p>👍 é", 3),
        ("<p> \x00 ", 0),
        ("<p>", 0),
    ],
)
def test_chars_of_a_row_count_white_space_as_it_is_read(
    html: str, chars: int, rows: RowKind
) -> None:
    assert read(html, rows=rows).rows.chars.tolist() == [chars]


@pytest.mark.parametrize("rows", ["blocks", "lines"])
def test_empty_page_has_no_rows(rows: RowKind) -> None:
    page = read("", rows=rows)
    assert (len(page.rows), len(page.nodes), len(page.tags), page.text) == (0, 0, 0, "")
    assert page.words.tolist() == page.link_chars.tolist() == []


def test_rows_cover_the_text_in_order() -> None:
    page = read("one<p>two\n<p>\n<li>three</li> \n <br><br>four<hr>", rows="blocks")
    assert page.rows.start.tolist()[0] == 0
    assert page.rows.end.tolist() == [*page.rows.start.tolist()[1:], len(page.text)]


def test_consecutive_empty_blocks_are_a_few_rows() -> None:
    page = read("<p>one</p>" + "<div>" * 100 + "two", rows="blocks")
    assert page.rows.chars.tolist() == [3, *[0] * MAX_EMPTY_ROWS, 3]


def test_empty_blocks_at_the_beginning_are_a_few_rows() -> None:
    page = read("<div>" * 100 + "one", rows="blocks")
    assert page.rows.chars.tolist() == [*[0] * MAX_EMPTY_ROWS, 3]


def test_lines_of_tags_alone_are_all_rows() -> None:
    assert len(read("<b>\n" * 100, rows="lines").rows) == 100


# Words


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>one two, three.</p>", 3),
        ("<p>it's 3.5 - x_1</p>", 5),
        ("<p>w<b>or</b>d</p>", 1),
        ("<p>one<br>two<img>three", 3),
        ("<p><a>one</a><a>two</a>", 2),
        ("<p>soft\xadly</p>", 1),
        ("<p>日本語 text</p>", 4),
        ("<p>한국어 문장", 2),
        ("<p>مرحبا بالعالم", 2),
        ("<p>नमस्ते दुनिया", 2),
        ("<p>... — !", 0),
    ],
)
def test_words_of_a_row_are_counted(html: str, words: int) -> None:
    assert read(html, rows="blocks").words.tolist() == [words]


def test_words_are_counted_by_row() -> None:
    assert read("<p>one<p>two three<p><p>four", rows="blocks").words.tolist() == [1, 2, 0, 1]
    assert read("<p>one\ntwo three\n<p>\nfour", rows="lines").words.tolist() == [1, 2, 0, 1]


# Links


@pytest.mark.parametrize(
    ("html", "chars"),
    [
        ("<p>one <a>two</a> three", [3]),
        ("<p><a>one two</a>", [6]),
        ("<p><a>one</a><a>two</a>x", [6]),
        ("<p><a>one<a>two</a>x", [6]),
        ("<p><a>one", [3]),
        ("<p>one</a>two", [0]),
        ("<p><a></a>one", [0]),
        ("<p>a<p><a>bc<p>de</a>f<p>g", [0, 2, 2, 0]),
        ("<p><a>o<b>n</b>e</a> two<a>three</a>", [8]),
    ],
)
def test_link_chars_count_the_characters_inside_of_links(html: str, chars: list[int]) -> None:
    assert read(html, rows="blocks").link_chars.tolist() == chars


def test_invisible_characters_are_not_counted_as_words() -> None:
    assert read("<p>soft\xadly \xad ok", rows="blocks").words.tolist() == [2]


# Copies


def test_page_with_details_has_all_columns_of_the_page() -> None:
    script = f'<script type=application/ld+json>{{"articleBody": "{"word " * 60}"}}</script>'
    html = f"<title>Title</title>{script}<div class=a id=b><p>One <a href=/x>two</a></div>"
    page = read(html, rows="blocks", with_class_names=True, with_sources=True)
    detailed = read_details(html)
    assert page.declared_body
    assert page.sources is not None
    assert detailed.sources is not None
    assert page.sources.offset.tolist() == detailed.sources.offset.tolist()
    for name in (column.name for column in fields(Page)):
        whole, copy = getattr(page, name), getattr(detailed, name)
        if isinstance(whole, np.ndarray):
            whole, copy = whole.tolist(), copy.tolist()
        if name not in ("breaks", "rows", "sources"):
            assert copy == whole, name
    for part in ("breaks", "rows"):
        for column in fields(getattr(page, part)):
            whole, copy = (getattr(getattr(it, part), column.name) for it in (page, detailed))
            assert copy.tolist() == whole.tolist()
