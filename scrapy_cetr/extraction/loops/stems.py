"""Tables in which class names are searched for many stems at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A stem is found by its first four bytes, as one number, and then by the next eight. The numbers
# have the byte order of the processor, because names are read as such numbers.
BEGIN, REST = np.dtype(np.uint32), np.dtype(np.uint64)
# Few enough slots to stay in the cache, and enough for a factor to be found in a few milliseconds:
# with 4,096 slots, the search for it took most of the time of an import.
_SLOT_BITS = 13


class Stems:
    """A hash table of stems: ``begin`` by slot; ``rest``, ``mask`` and ``bits`` by stem.

    Stems with the same beginning share a slot. They are next to each other, those of a slot from
    ``first`` of the slot on and before that of the next, so that little memory is read for each.
    ``class_hints`` has the bits of each stem, which has 4 to 12 ASCII characters; ``mark`` is the
    character between words.
    """

    shift = 32 - _SLOT_BITS

    def __init__(self, class_hints: Mapping[str, int], mark: str) -> None:
        self.mark = mark
        stems = [stem.encode() for stem in class_hints]
        begins = _numbers((stem[: BEGIN.itemsize] for stem in stems), BEGIN)
        different = np.unique(begins)
        self.factor = next(
            odd for odd in count(2654435761, 2) if np.bincount(_slots(different, odd)).max() == 1
        )
        slots = self.slots(begins)
        self.begin = np.zeros(1 << _SLOT_BITS, BEGIN)
        self.begin[slots] = begins
        # A bit for each slot with a stem: most names have none, and bits stay in the cache.
        self.is_filled = np.packbits(self.begin != 0, bitorder="little")
        order = np.argsort(slots, kind="stable")
        self.first = np.searchsorted(slots[order], np.arange(len(self.begin) + 1)).astype(np.int32)
        rests = [stem[BEGIN.itemsize :] for stem in stems]
        self.rest = _numbers(rests, REST)[order]
        self.mask = _numbers((b"\xff" * len(rest) for rest in rests), REST)[order]
        self.bits = np.array([*class_hints.values()], np.int64)[order]

    def slots(self, begins: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return the slot of each beginning."""
        return _slots(begins, self.factor)


def _slots(begins: NDArray[np.uint32], factor: int) -> NDArray[np.uint32]:
    slots: NDArray[np.uint32] = begins * BEGIN.type(factor)
    slots >>= BEGIN.type(Stems.shift)
    return slots


def _numbers(parts: Iterable[bytes], kind: np.dtype[Any]) -> NDArray[Any]:
    """Read each sequence of bytes, filled up with zeros, as a number."""
    return np.frombuffer(b"".join(part.ljust(kind.itemsize, b"\0") for part in parts), kind)
