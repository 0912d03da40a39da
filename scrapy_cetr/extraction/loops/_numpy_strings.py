"""See ``_numpy``."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction.columns import Ints, UInt8s
from scrapy_cetr.extraction.loops.strings import Strings, count_words_of

# What does not belong to the last sentence of a part of a text.
STOPS = ".。 "
_NOT_LETTERS = re.compile(r"[\W_]+")


def count_strings(text: str, strings: Strings) -> list[int]:
    """Return how often each of some strings is in a text; none of them overlaps with itself."""
    return [text.count(string) for string in strings.strings]


def bits_in_parts(text: str, begins: Ints, ends: Ints, strings: Strings, bits: UInt8s) -> UInt8s:
    """Combine the bits of the strings that are in each part of a text in lower case.

    Characters are changed to lower case one by one, to the first of what becomes of each.
    """
    texts = [
        _lowered(text[begin:end]) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
    ]
    found = np.zeros(len(texts), np.uint8)
    # Most strings are in none of the parts.
    joined = "\n".join(texts)
    for string, bit in zip(strings.strings, bits.tolist(), strict=True):
        if string in joined:
            found[[part for part, lowered in enumerate(texts) if string in lowered]] |= bit
    return found


def _lowered(text: str) -> str:
    """Change characters to lower case without regard to others around them."""
    if text.isascii():
        return text.lower()
    return "".join([char.lower()[0] for char in text])


def first_copies(text: str, begins: Ints, ends: Ints) -> Ints:
    """Return for each of some parts of a text the index of the first that is equal to it."""
    bounds = zip(begins.tolist(), ends.tolist(), strict=True)
    first: dict[str, int] = {}
    found = [first.setdefault(text[begin:end], part) for part, (begin, end) in enumerate(bounds)]
    return np.array(found, np.int32)


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case.

    >>> letters("Flood closes 2 bridges!")
    'floodcloses2bridges'
    """
    return _NOT_LETTERS.sub("", text.lower())


def may_repeat_sentences(text: str, begins: list[int], ends: list[int], least: int) -> bool:
    """Tell whether two sentences of parts of a text may be equal; shorter ones are left out.

    Sentences end in a stop and a space, or in an ideographic stop. Stops at the end of a part do
    not count.
    """
    found: set[str] = set()
    for begin, end in zip(begins, ends, strict=True):
        part = text[begin:end].rstrip(STOPS)
        for sentence in map(str.strip, part.split("。" if "。" in part else ". ")):
            if len(sentence) >= least and sentence in found:
                return True
            found.add(sentence)
    return False


def shared_words(text: str, begins: Ints, ends: Ints, words: list[str], of_chars: bool) -> Ints:
    """Count for parts of a text how many of some different words each has, and all its words.

    Parts are compared in lower case. Their words are what is between white space, or if
    ``of_chars``, all their characters.
    """
    known = frozenset(words)
    bounds = zip(begins.tolist(), ends.tolist(), strict=True)
    counts = [count_words_of(text[begin:end], known, of_chars) for begin, end in bounds]
    return np.array(counts, np.int32).reshape(-1, 2).T
