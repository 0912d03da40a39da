"""The words that methods compare with those of the title."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.words import words_by_row, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("... !", []),
        ("It's 5 o'clock", ["it", "s", "5", "o", "clock"]),
        ("ÉCOLE", ["école"]),
        ("日本語text", ["日", "本", "語", "text"]),
        ("ひらカタ", ["ひ", "ら", "カ", "タ"]),
        ("한국어 단어", ["한국어", "단어"]),
    ],
)
def test_words_are_runs_of_letters_in_lower_case_and_single_ideographs(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words


def by_row(page: Page) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(len(page.rows))]
    for row, words in words_by_row(page):
        found[row] += words
    return found


def test_each_row_has_its_words_and_they_end_where_text_is_broken() -> None:
    page = read("zero<p>One<br>two</p><hr><li>three</li><li>f<b>ou</b>r", rows="blocks")
    assert by_row(page) == [["zero"], ["one", "two"], [], ["three"], ["four"]]
    page = read("<p>One<p>two\n<hr>\nthree", rows="lines")
    assert by_row(page) == [["one", "two"], [], ["three"]]


PIECES = st.sampled_from(["one", " two", "中", "<p>", "</p>", "<br>", "<b>", "<li>", "\n", "<hr>"])


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=30).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_they_are_as_many_as_the_words_of_the_page(html: str, rows: str) -> None:
    page = read(html, rows="lines" if rows == "lines" else "blocks")
    assert [len(words) for words in by_row(page)] == page.words.tolist()


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_they_are_found_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch, rows: RowKind, size: int
) -> None:
    html = (
        "zero<p>One<br>two\n three <img>four<p><hr>\n<pre>five\nsix\n\n</pre><li>中文 f<b>ou</b>r"
    )
    page = read(html * 3, rows=rows)
    expected = by_row(page)
    # Four characters for each break.
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 4 * size)
    assert by_row(page) == expected
    assert max(len(words) for _, words in words_by_row(page)) <= 4 * size
