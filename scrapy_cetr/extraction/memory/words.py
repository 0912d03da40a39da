"""Columns of keys and what is counted of each, in 64-bit words: rows and class paths of a site.

One word per key takes less memory than a dict of numbers. Numpy takes about as long for a few words
as for thousands, so the keys of the latest pages are in a small dict, and join the words together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

# The upper half of a word is its key, the lower half its value.
KEY_BITS = 32
VALUE = (1 << KEY_BITS) - 1
_KEYS = np.uint64(VALUE << KEY_BITS)
_SHIFT = np.uint64(KEY_BITS)
# The most keys in the dict, and about how many bytes each of them takes.
_LATEST, _BYTES_PER_KEY = 64, 90


class Counted:
    """The values of keys; unknown keys have the value 0.

    A value that is added to another one gets the bits of ``mask`` of it, as a sum.
    """

    __slots__ = ("_latest", "_mask", "_words")

    def __init__(self, mask: int, words: Words | None = None) -> None:
        self._words = np.zeros(0, np.uint64) if words is None else words
        self._latest: dict[int, int] = {}
        self._mask = mask

    def __len__(self) -> int:
        """Return the number of keys, or a little more."""
        return len(self._words) + len(self._latest)

    @property
    def words(self) -> Words:
        """All keys and values, sorted by key."""
        if self._latest:
            new = [(key << KEY_BITS) + value for key, value in self._latest.items()]
            self._words = _union(self._words, np.array(sorted(new), np.uint64), mask=self._mask)
            self._latest = {}
        return self._words

    @words.setter
    def words(self, words: Words) -> None:
        self._words, self._latest = words, {}

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._words.nbytes + _BYTES_PER_KEY * len(self._latest)

    def look_up(self, keys: Sequence[int]) -> list[int]:
        """Return the values of some keys."""
        latest, mask = self._latest, self._mask
        if not len(self._words):
            return [latest.get(key, 0) for key in keys]
        wanted = np.array(keys, np.uint64) << _SHIFT
        # No word is less than its key without the value.
        found = self._words.take(self._words.searchsorted(wanted), mode="clip").tolist()
        values = []
        for key, word in zip(keys, found, strict=True):
            value = word & VALUE if word >> KEY_BITS == key else 0
            if key in latest:
                value = latest[key] + (value & mask)
            values.append(value)
        return values

    def add(self, values: Mapping[int, int]) -> bool:
        """Add values, and tell whether there are new words because of them."""
        latest, mask = self._latest, self._mask
        for key, value in values.items():
            latest[key] = value + (latest.get(key, 0) & mask)
        is_full = len(latest) > _LATEST
        if is_full:
            _ = self.words
        return is_full

    def merge(self, words: Words) -> None:
        """Add the values of words."""
        self.words = _union(self.words, words, mask=self._mask)

    def copy(self) -> Counted:
        """Return a copy."""
        again = Counted(self._mask, self._words)
        again._latest = self._latest.copy()
        return again


def keys_of(words: Words) -> Words:
    """Return the keys of words."""
    return words >> _SHIFT


def with_values(words: Words, values: Words) -> Words:
    """Return words with the same keys and other values."""
    return (words & _KEYS) | values


def _union(words: Words, new: Words, *, mask: int) -> Words:
    """Return the words of two sorted columns, as a copy."""
    if not len(words):
        return new.copy()
    keys = new & _KEYS
    index = words.searchsorted(keys)
    found = words.take(index, mode="clip")
    is_known = (found & _KEYS) == keys
    union = np.concatenate((words, new[~is_known]))
    union[index[is_known]] = new[is_known] + (found[is_known] & np.uint64(mask))
    # The stable sort of numpy joins two sorted runs in linear time.
    union.sort(kind="stable")
    return union
