"""What is known of one site: its rows by a hash of text and class path, and its class paths.

All numbers are in sorted numpy columns, so that a page takes less than one kilobyte, and a site a
bounded number of them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.memory.words import VALUE, Counted, Words, keys_of, with_values

# The most rows and class paths of a site. Beyond, those that were seen once and long ago go first.
MAX_ROWS, MAX_PATHS = 16_384, 2048
# From this number of pages on, all counts are halved: sites change, and counts stay small.
MAX_PAGES = 512
# The rows of an article that tell whether another page has the same, and the articles remembered.
SKETCH_ROWS, MAX_SKETCHES = 16, 256
# Pages are of the same article if this share of the compared rows is the same: a smaller one if
# the titles are the same too.
_SAME, _SAME_WITH_TITLE = 0.9, 0.5
# The value of a row: the number of its pages, and in the lower bits the page where it was seen
# last. Pages are numbered by a clock.
_CLOCK_BITS = 20
_MAX_CLOCK = (1 << _CLOCK_BITS) - 1
_PAGE = 1 << _CLOCK_BITS
_PAGES = 0xFFF << _CLOCK_BITS
# The value of a class path: the number of its rows, and of the kept ones in the lower bits. With
# more rows than this, both are halved, so that no sum of two takes more bits.
_COUNT_BITS = 16
_MAX_COUNT = 0x7FFF
# The most rows of a class path that one page counts, and the most pages between two checks of the
# limits: together, they do not exceed what the bits can hold, either.
_MAX_COUNTED, _CHECKED_PAGES = 1000, 16
_ROW, _KEPT_ROW, _KEPT = 1 << _COUNT_BITS, (1 << _COUNT_BITS) + 1, (1 << _COUNT_BITS) - 1
_HALVED = np.uint64(_MAX_COUNT << _COUNT_BITS | _MAX_COUNT)
_TOO_MANY = np.uint64((_MAX_COUNT + 1) << _COUNT_BITS)
_ONE = np.uint64(1)
_MAGIC = b"CETRSM2\0"
_HEADER = struct.Struct("<5I")


class SiteMemoryError(ValueError):
    """A memory that is damaged, or is none."""


class Observation(NamedTuple):
    """What a page shows: the keys of its rows and of their class paths, and those kept.

    ``sketch`` has the key of the title, and after it those of up to SKETCH_ROWS long rows of the
    article, in order.
    """

    rows: list[int]
    paths: list[int]
    kept: list[bool]
    sketch: list[int]

    def path_counts(self) -> dict[int, int]:
        """Return the value of each class path: the number of its rows, and of the kept ones."""
        counts: dict[int, int] = {}
        for path, keeps in zip(self.paths, self.kept, strict=True):
            counts[path] = counts.get(path, 0) + (_KEPT_ROW if keeps else _ROW)
        if len(self.paths) > _MAX_COUNTED:
            return {
                path: min(count >> _COUNT_BITS, _MAX_COUNTED) << _COUNT_BITS
                | min(count & _KEPT, _MAX_COUNTED)
                for path, count in counts.items()
            }
        return counts


class Known(NamedTuple):
    """What is known about a page: the number of other pages, and how many have each of its rows.

    ``paths`` has the number of rows, and of kept rows, of its class paths on these pages.
    """

    pages: int
    on_pages: list[int]
    paths: dict[int, tuple[int, int]]


def _no_sketches() -> NDArray[np.uint32]:
    return np.zeros((0, SKETCH_ROWS + 1), np.uint32)


@dataclass(slots=True, eq=False)
class SiteMemory:
    """The rows and the class paths of a site.

    ``sketches`` has a line per article, with zeros after its rows.
    """

    pages: int = 0
    clock: int = 0
    rows: Counted = field(default_factory=lambda: Counted(_PAGES))
    paths: Counted = field(default_factory=lambda: Counted(VALUE))
    sketches: NDArray[np.uint32] = field(default_factory=_no_sketches)

    def knows(self, sketch: list[int]) -> bool:
        """Tell whether a page of the same article was seen: it is no template of the site."""
        if len(sketch) < 2 or not len(self.sketches):
            return False
        # Most articles have no row of another.
        on_pages = self.rows.look_up(sketch[1:])
        if 2 * (len(on_pages) - on_pages.count(0)) < len(on_pages):
            return False
        known = self.sketches[:, 1:]
        sizes = np.count_nonzero(known, axis=1)
        rows = np.array(sketch[1:], np.uint32)
        # The rows of a sketch are sorted, and 0 stands for none.
        index = np.minimum(np.searchsorted(rows, known), len(rows) - 1)
        shared = np.count_nonzero((rows[index] == known) & (known > 0), axis=1)
        share = shared / np.maximum(np.minimum(sizes, len(rows)), 1)
        same_title = self.sketches[:, 0] == sketch[0]
        return bool(((share >= _SAME) | (same_title & (share >= _SAME_WITH_TITLE))).any())

    def look_up(self, seen: Observation) -> Known:
        """Return what other pages say about the rows of a page."""
        on_pages = [value >> _CLOCK_BITS for value in self.rows.look_up(seen.rows)]
        own = seen.path_counts()
        counts = self.paths.look_up([*own])
        pages = self.pages
        paths = {
            path: (value >> _COUNT_BITS, value & _KEPT)
            for path, value in zip(own, counts, strict=True)
        }
        if self.knows(seen.sketch):
            # The page itself, or another one with its article, is no evidence.
            pages = max(pages - 1, 0)
            on_pages = [max(count - 1, 0) for count in on_pages]
            paths = {path: _without(counted, own[path]) for path, counted in paths.items()}
        return Known(pages, on_pages, paths)

    def learn(self, seen: Observation) -> None:
        """Add a page, unless its article is known."""
        if self.knows(seen.sketch):
            return
        self.pages += 1
        self.clock += 1
        is_full = self.rows.add(dict.fromkeys(seen.rows, _PAGE + self.clock))
        is_full |= self.paths.add(seen.path_counts())
        if len(seen.sketch) > 1:
            keys = seen.sketch[: SKETCH_ROWS + 1]
            sketch = np.zeros((1, SKETCH_ROWS + 1), np.uint32)
            sketch[0, : len(keys)] = keys
            self.sketches = np.concatenate((self.sketches, sketch))[-MAX_SKETCHES:]
        if is_full or not self.clock % _CHECKED_PAGES:
            self.compact()

    def merge(self, other: SiteMemory) -> None:
        """Add all pages of another memory, as if they came after those of this one."""
        while self.clock + other.clock > _MAX_CLOCK:
            other = other.copy()
            for memory in (self, other):
                memory._halve_clock()
        self.rows.merge(other.rows.words + np.uint64(self.clock))
        self.paths.merge(other.paths.words)
        self.sketches = np.concatenate((self.sketches, other.sketches))[-MAX_SKETCHES:]
        self.pages += other.pages
        self.clock += other.clock
        self.compact()

    def _halve_clock(self) -> None:
        clock = self.rows.words & np.uint64(_MAX_CLOCK)
        self.rows.words = self.rows.words - clock + (clock >> _ONE)
        self.clock //= 2

    def compact(self) -> None:
        """Keep to the limits, and take little space.

        The counts of a site with many pages are halved, and rows beyond the limits dropped.
        """
        while self.clock > _MAX_CLOCK - _CHECKED_PAGES:
            self._halve_clock()
        rows, paths = self.rows.words, self.paths.words
        is_too_many = (paths & _TOO_MANY) > 0
        if is_too_many.any():
            paths = np.where(is_too_many, _halve(paths), paths)
        while self.pages > MAX_PAGES:
            self.pages //= 2
            on_pages = ((rows & np.uint64(_PAGES)) >> _ONE) & np.uint64(_PAGES)
            rows = with_values(rows, on_pages | (rows & np.uint64(_MAX_CLOCK)))[on_pages > 0]
            paths = _halve(paths)
            paths = paths[(paths & np.uint64(VALUE)) >= _ROW]
        if len(rows) > MAX_ROWS:
            is_repeated = (rows & np.uint64(_PAGES)) > np.uint64(_PAGE)
            order = np.lexsort((rows & np.uint64(_MAX_CLOCK), is_repeated))
            rows = rows[np.sort(order[-MAX_ROWS * 3 // 4 :])]
        if len(paths) > MAX_PATHS:
            order = np.argsort(paths & np.uint64(VALUE))
            paths = paths[np.sort(order[-MAX_PATHS * 3 // 4 :])]
        self.rows.words, self.paths.words = rows, paths

    def copy(self) -> SiteMemory:
        """Return a copy."""
        return SiteMemory(
            self.pages, self.clock, self.rows.copy(), self.paths.copy(), self.sketches
        )

    @property
    def size(self) -> int:
        """The number of bytes of all columns."""
        return self.rows.size + self.paths.size + self.sketches.nbytes

    def to_bytes(self) -> bytes:
        """Write the memory as bytes."""
        self.compact()
        rows, paths = self.rows.words, self.paths.words
        header = _HEADER.pack(self.pages, self.clock, len(rows), len(paths), len(self.sketches))
        words = np.concatenate((rows, paths)).astype("<u8").tobytes()
        return _MAGIC + header + words + self.sketches.astype("<u4").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> SiteMemory:
        """Read a memory, and check all of it; raise SiteMemoryError if it is damaged."""
        begin = len(_MAGIC) + _HEADER.size
        if len(data) < begin or data[: len(_MAGIC)] != _MAGIC:
            raise SiteMemoryError("is not the memory of a site, or one of another version")
        pages, clock, rows, paths, sketches = _HEADER.unpack_from(data, len(_MAGIC))
        is_bounded = rows <= MAX_ROWS and paths <= MAX_PATHS and sketches <= MAX_SKETCHES
        width = SKETCH_ROWS + 1
        after = begin + 8 * (rows + paths)
        is_bounded &= pages <= MAX_PAGES and clock <= _MAX_CLOCK - _CHECKED_PAGES
        if not is_bounded or len(data) != after + 4 * width * sketches:
            raise SiteMemoryError("is truncated or has been changed")
        words = np.frombuffer(data, "<u8", rows + paths, begin).astype(np.uint64)
        lines = np.frombuffer(data, "<u4", offset=after).astype(np.uint32).reshape(-1, width)
        _check(words[:rows], words[rows:], clock)
        return cls(
            pages,
            clock,
            Counted(_PAGES, words[:rows].copy()),
            Counted(VALUE, words[rows:].copy()),
            lines,
        )


def _check(rows: Words, paths: Words, clock: int) -> None:
    """Refuse columns that no crawl can have left."""
    is_sorted = all(bool((keys[:-1] < keys[1:]).all()) for keys in map(keys_of, (rows, paths)))
    on_pages = (rows & np.uint64(_PAGES)) >> np.uint64(_CLOCK_BITS)
    of_path = (paths & np.uint64(VALUE)) >> np.uint64(_COUNT_BITS)
    is_counted = bool(
        (on_pages <= MAX_PAGES).all()
        and (rows & np.uint64(_MAX_CLOCK) <= np.uint64(clock)).all()
        and (of_path <= _MAX_COUNT).all()
        and (paths & np.uint64(_KEPT) <= of_path).all()
    )
    if not is_sorted or not is_counted:
        raise SiteMemoryError("has been changed: its numbers do not fit together")


def _halve(paths: Words) -> Words:
    """Halve the numbers of rows, and of kept rows, of class paths."""
    return with_values(paths, (paths >> _ONE) & _HALVED)


def _without(counted: tuple[int, int], own: int) -> tuple[int, int]:
    """Subtract the rows of a page from those of a class path."""
    rows = max(counted[0] - (own >> _COUNT_BITS), 0)
    return rows, min(max(counted[1] - (own & _KEPT), 0), rows)
