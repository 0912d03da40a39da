"""Tables in which a text is searched for many strings at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

# A string is found by a hash of its first characters.
FIRST_CHARS = 3
_SLOT_BITS = 14
_FACTORS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
NONE = -1


class Strings:
    """A hash table of strings of three characters or more; shorter ones are in ``short``.

    ``first`` has the first string of each slot, and ``following`` the next of each string in the
    same slot. ``is_filled`` has a bit for each slot with a string, as these stay in the cache. The
    characters of string i are ``codes[bounds[i]:bounds[i + 1]]``.
    """

    shift = 32 - _SLOT_BITS
    factors = _FACTORS

    def __init__(self, strings: Iterable[str]) -> None:
        self.strings = tuple(strings)
        self.short = [i for i, string in enumerate(self.strings) if len(string) < FIRST_CHARS]
        self.bounds = np.cumsum([0, *map(len, self.strings)], dtype=np.int32)
        self.codes = np.array([ord(char) for char in "".join(self.strings)], np.uint32)
        self.first = np.full(1 << _SLOT_BITS, NONE, np.int32)
        self.following = np.full(len(self.strings), NONE, np.int32)
        for index, string in enumerate(self.strings):
            if len(string) >= FIRST_CHARS:
                slot = _slot(string)
                self.following[index], self.first[slot] = self.first[slot], index
        self.is_filled = np.packbits(self.first != NONE, bitorder="little")


def _slot(string: str) -> int:
    """Return the slot of a string, as the compiled loop computes it."""
    mixed = sum(ord(char) * factor for char, factor in zip(string, _FACTORS, strict=False))
    return (mixed & 0xFFFFFFFF) >> Strings.shift


def count_words_of(text: str, words: frozenset[str], of_chars: bool) -> tuple[int, int]:
    """Count those of some words that a text has in lower case, and all words of it.

    Its words are what is between white space, or if ``of_chars``, all its characters.
    """
    found = text.lower() if of_chars else text.lower().split()
    return len(words.intersection(found)), len(found)
