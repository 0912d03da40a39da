"""See ``_numpy``."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.loops.strings import Strings

_NOT_LETTERS = re.compile(r"[\W_]+")


def count_strings(text: str, strings: Strings) -> list[int]:
    """Return how often each of some strings is in a text; none of them overlaps with itself."""
    return [text.count(string) for string in strings.strings]


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


def may_repeat_sentences(texts: list[str], least: int) -> bool:
    """Tell whether two sentences of some texts may be equal; those of fewer characters are not.

    Sentences end in a stop and a space, or in an ideographic stop.
    """
    found: set[str] = set()
    for text in texts:
        for sentence in map(str.strip, text.split("。" if "。" in text else ". ")):
            if len(sentence) >= least and sentence in found:
                return True
            found.add(sentence)
    return False
