"""The class names of elements: which of many have one of some words in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


def indices_with(names: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return which names have one of some words, given in lower case.

    They are searched as one text, which is faster than one by one.

    >>> indices_with(["lead", "Caption", "photo-credit"], ["caption", "credit"])
    [1, 2]
    """
    lowered = [name.lower() for name in names]
    joined = "\n".join(lowered)
    found = {offset for word in words for offset in _offsets(word, joined)}
    if not found:
        return []
    starts = list(accumulate((len(name) + 1 for name in lowered[:-1]), initial=0))
    return sorted({bisect_right(starts, offset) - 1 for offset in found})


def _offsets(word: str, text: str) -> list[int]:
    offsets: list[int] = []
    offset = text.find(word)
    while offset >= 0:
        offsets.append(offset)
        offset = text.find(word, offset + 1)
    return offsets
