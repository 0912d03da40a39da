"""The words that methods compare with those of the title."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.methods.vocabulary import words_by_row, words_of
from scrapy_cetr.extraction.reader import read


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


def test_each_row_has_its_words_and_they_end_where_text_is_broken() -> None:
    page = read("zero<p>One<br>two</p><hr><li>three</li><li>f<b>ou</b>r", rows="blocks")
    assert list(words_by_row(page)) == [["zero"], ["one", "two"], [], ["three"], ["four"]]
    page = read("<p>One<p>two\n<hr>\nthree", rows="lines")
    assert list(words_by_row(page)) == [["one", "two"], [], ["three"]]


PIECES = st.sampled_from(["one", " two", "中", "<p>", "</p>", "<br>", "<b>", "<li>", "\n", "<hr>"])


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=30).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_they_are_as_many_as_the_words_of_the_page(html: str, rows: str) -> None:
    page = read(html, rows="lines" if rows == "lines" else "blocks")
    assert [len(words) for words in words_by_row(page)] == page.words.tolist()
