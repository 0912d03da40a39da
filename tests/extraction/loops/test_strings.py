"""Strings in a text: many are counted as one by one, equal parts are found, letters taken."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.loops import _numpy

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


def bits_in(pieces: list[str], strings: tuple[str, ...], *, separator: str) -> list[list[int]]:
    """Return the bits of each piece of a joined text, by both implementations."""
    begins, ends, offset = [], [], 0
    for piece in pieces:
        begins.append(offset)
        ends.append(offset + len(piece))
        offset += len(piece) + len(separator)
    bounds = np.array(begins, np.int32), np.array(ends, np.int32)
    bits = (1 << np.arange(len(strings)) % 8).astype(np.uint8)
    arguments = (separator.join(pieces), *bounds, loops.Strings(strings), bits)
    return [one.bits_in_parts(*arguments).tolist() for one in (loops, _numpy)]


def test_bits_of_strings_in_parts() -> None:
    found = bits_in(["Reply", "none", "REPLY LIKE", "re", "İLIKE"], ("reply", "like"), separator="")
    assert found[0] == found[1] == [1, 0, 3, 0, 2]


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    st.lists(
        st.lists(st.sampled_from([*WORDS, "NOT", "ART", "İ", "Σ", "ẞ", " ", "x", "😀"])).map(
            "".join
        )
    ),
    st.sampled_from(["", "|", "見", "😀"]),
)
def test_bits_in_parts_are_the_same_either_way(pieces: list[str], separator: str) -> None:
    strings = (*WORDS, "i", "σ", "ei", "x", "")
    compiled, plain = bits_in(pieces, strings, separator=separator)
    assert compiled == plain
    assert len(plain) == len(pieces)


def test_bits_are_looked_for_inside_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    strings, bits = loops.Strings(("one",)), np.ones(1, np.uint8)
    for bounds in ([-1], [0]), ([0], [4]), ([2], [1]), ([0, 1], [1]):
        begins, ends = (np.array(bound, np.int32) for bound in bounds)
        with pytest.raises(ValueError, match="part"):
            compiled.bits_in_parts("One", begins, ends, strings, bits)
    with pytest.raises(ValueError, match="bits"):
        compiled.bits_in_parts("One", begins[:1], ends[:1], strings, bits[:0])


def first_copies(texts: list[str], separator: str = "") -> list[int]:
    ends = np.cumsum([len(text) + len(separator) for text in texts], dtype=np.int32)
    begins = ends - np.array([len(text) + len(separator) for text in texts], np.int32)
    joined = "".join(text + separator for text in texts)
    found: list[int] = loops.first_copies(joined, begins, ends - np.int32(len(separator))).tolist()
    return found


def test_first_copies_are_the_first_of_equal_parts() -> None:
    assert first_copies(["One", "Two", "One", "", "one", "", "Two"]) == [0, 1, 0, 3, 4, 3, 1]
    assert first_copies([]) == []


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text(alphabet="abÅ見😀", max_size=3), max_size=60), st.sampled_from(["", "|"]))
def test_first_copies_of_any_width_of_characters(texts: list[str], separator: str) -> None:
    assert first_copies(texts, separator) == [texts.index(text) for text in texts]


def test_first_copies_are_looked_for_inside_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    for bounds in ([-1], [0]), ([0], [4]), ([2], [1]), ([0, 1], [1]):
        begins, ends = (np.array(bound, np.int32) for bound in bounds)
        with pytest.raises(ValueError, match="part"):
            compiled.first_copies("One", begins, ends)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=600))
def test_letters_are_those_of_regular_expressions(text: str) -> None:
    assert loops.letters(text) == re.sub(r"[\W_]+", "", text.lower())


@pytest.mark.parametrize("text", ["", "_", "İstanbul 2", "x" * 2000 + "!", "見😀つ" * 300])
def test_letters_of_special_texts(text: str) -> None:
    assert loops.letters(text) == re.sub(r"[\W_]+", "", text.lower())


def repeats_sentences(texts: list[str], least: int) -> bool:
    ends = np.cumsum([len(text) + 1 for text in texts]).tolist()
    begins = [end - len(text) - 1 for text, end in zip(texts, ends, strict=True)]
    joined = "".join(f"{text}|" for text in texts)
    return loops.may_repeat_sentences(joined, begins, [end - 1 for end in ends], least)


def test_sentences_repeat_in_one_text_or_in_two() -> None:
    assert repeats_sentences(["It rained. It rained."], 5)
    assert repeats_sentences(["It rained", "One day. It rained "], 5)
    assert repeats_sentences(["It rained", "It rained."], 5)
    assert not repeats_sentences(["It rained", "It snowed"], 5)
    assert not repeats_sentences([], 5)


def test_short_sentences_may_repeat() -> None:
    assert not repeats_sentences(["Yes. No. Yes"], 4)
    assert repeats_sentences(["Yes. No. Yes"], 3)


def test_sentences_repeat_beside_wider_characters() -> None:
    assert repeats_sentences(["It rained. 見", "It rained", "One 😀"], 5)
    assert repeats_sentences(["It rained. 😀", "One day. It rained. 見"], 5)


def test_sentences_end_in_an_ideographic_stop_where_there_is_one() -> None:
    assert repeats_sentences(["昨日は雨。今日は晴れ", "昨日は雨"], 4)
    assert not repeats_sentences(["It rained. Yes。 No", "It rained"], 5)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.text(alphabet="ab. 。Å😀\n\u3000", max_size=20), max_size=6),
    st.integers(min_value=1, max_value=4),
)
def test_sentences_repeat_as_in_python(texts: list[str], least: int) -> None:
    sentences = [
        sentence.strip()
        for text in (text.rstrip(".。 ") for text in texts)
        for sentence in text.split("。" if "。" in text else ". ")
        if len(sentence.strip()) >= least
    ]
    assert repeats_sentences(texts, least) == (len(set(sentences)) < len(sentences))


def test_sentences_are_looked_for_inside_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    for begins, ends in ([-1], [0]), ([0], [4]), ([2], [1]), ([0], []):
        with pytest.raises(ValueError, match="part"):
            compiled.may_repeat_sentences("One", begins, ends, 5)


def shared(texts: list[str], words: list[str], *, of_chars: bool) -> list[list[list[int]]]:
    """Return the counts of shared words of the parts of a text, by both implementations."""
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int32)
    begins = ends - np.array([len(text) + 1 for text in texts], np.int32)
    joined = "".join(f"{text}|" for text in texts)
    arguments = (joined, begins, ends - np.int32(1), words, of_chars)
    return [one.shared_words(*arguments).tolist() for one in (loops, _numpy)]


def test_shared_words_are_counted_once_each() -> None:
    texts = ["One two ONE", "", " none\u3000two", "İone onE", "ΟΔΌΣ one"]
    compiled, plain = shared(texts, ["one", "two", "οδός"], of_chars=False)
    assert compiled == plain == [[2, 0, 1, 1, 2], [3, 0, 2, 2, 2]]
    compiled, plain = shared(["見る Ab", "b見見"], ["見", "b"], of_chars=True)
    assert compiled == plain == [[2, 2], [5, 3]]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.text(alphabet="abAB İΣσ\u3000\n見😀ẞß", max_size=12), max_size=6),
    st.sets(st.text(alphabet="abiσς見😀ß", min_size=1, max_size=3), max_size=9),
    st.booleans(),
)
def test_shared_words_are_the_same_either_way(
    texts: list[str], words: set[str], of_chars: bool
) -> None:
    compiled, plain = shared(texts, sorted(words), of_chars=of_chars)
    assert compiled == plain


def test_shared_words_are_looked_for_inside_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    for bounds in ([-1], [0]), ([0], [4]), ([2], [1]), ([0, 1], [1]):
        begins, ends = (np.array(bound, np.int32) for bound in bounds)
        with pytest.raises(ValueError, match="part"):
            compiled.shared_words("One", begins, ends, ["one"], False)
