"""Many strings are counted in a text as one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops

WORDS = ("not found", "not", "cart", "add-to", "见つ", "見つかり", "не найден", "404", "art", "ei")


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from([*WORDS, "no", "ca", " ", "x", "Å", "😀"]), max_size=40))
def test_count_strings_counts_each(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert loops.count_strings(text, loops.Strings(WORDS)) == [text.count(word) for word in WORDS]


@pytest.mark.parametrize("text", ["", "a", "ar", "art", "carts and art"])
def test_count_strings_of_short_texts(text: str) -> None:
    strings = loops.Strings(("art", "cart", "ar", "carts and art and more"))
    counted = [text.count(string) for string in strings.strings]
    assert loops.count_strings(text, strings) == counted


def test_count_strings_of_nothing() -> None:
    assert loops.count_strings("some text", loops.Strings(())) == []
