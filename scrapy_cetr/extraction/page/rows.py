"""The rows of a page: source lines, or blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Ints, UInt8s, chunks, closed
from scrapy_cetr.extraction.elements import ITEM
from scrapy_cetr.extraction.page.characters import BROKEN, CONTROL

# A run of block tags without text makes at most this number of rows: the smoothing of a page's
# ratios hardly reaches farther, and a hostile page has millions of such tags.
MAX_EMPTY_ROWS = 8
# Neighbouring rows are merged where a page has more than MAX_ROWS. No page for people has, but
# millions of rows would make every column larger than a hostile page itself. Rows of at least
# _LONG_ROW characters stay apart, and so do those around them.
MAX_ROWS, _LONG_ROW = 1 << 18, 64
# A row with more characters that could not be decoded than this number, and than one in this
# number, is not text. A wrong encoding leaves fewer.
MAX_BROKEN = 10


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a page, source lines or blocks, with one element per row in each column.

    The text of a row is ``page.text[start:end]``; its ``chars`` count white space as it is read,
    one space between words and none around them. A ``broken`` row is not text but bytes of
    something else, and is never kept. ``tags`` is the number of the row's tags, from ``first_tag``
    on. ``opener`` is the index of the tag that a block begins with, or of the tag before the first
    one of a row, -1 for none.
    """

    start: Ints
    end: Ints
    chars: Ints
    tags: Ints
    broken: Bools
    first_tag: Ints
    opener: Ints

    def __len__(self) -> int:
        return len(self.start)


def make_rows(
    kinds: UInt8s, tags: Codes, offset: Ints, strength: UInt8s, lines: tuple[Ints, Ints] | None
) -> Rows:
    """Divide a page into rows: lines, given by start and first tag of each, or else blocks."""
    starts, first_tags = lines or loops.block_rows(tags, offset, strength, ITEM)
    apart = rows_apart(starts, len(kinds), blocks=lines is None)
    bounds = closed(starts[apart], len(kinds))
    tag_bounds = closed(first_tags[apart], len(tags))
    starts, first_tags = bounds[:-1], tag_bounds[:-1]
    chars = loops.count_chars(kinds, bounds, CONTROL)
    broken = _are_broken(kinds, bounds, chars)
    # Not empty, so that it is a row that can be dropped, but too short to be content.
    chars[broken] = 1
    filled = loops.filled_rows(chars, tag_bounds, MAX_EMPTY_ROWS if lines is None else -1)
    start, first_tag = starts[filled], first_tags[filled]
    if lines is None:
        opener = loops.row_openers(tags, offset, strength, start, first_tag, ITEM)
    else:
        opener = first_tag - np.int32(1)
    row_tags = tag_bounds[1:] - first_tags
    return Rows(
        start=start,
        end=closed(start, len(kinds))[1:],
        chars=chars[filled],
        tags=row_tags[filled],
        broken=broken[filled],
        first_tag=first_tag,
        opener=opener,
    )


def _are_broken(kinds: UInt8s, bounds: Ints, chars: Ints) -> Bools:
    """Mark the rows with too many characters that no text has."""
    # Unsigned, so that kinds below CONTROL wrap around to large numbers.
    wrong = kinds - np.uint8(CONTROL) <= BROKEN - CONTROL
    if not wrong.any():
        return np.zeros(len(chars), np.bool_)
    count = loops.sums_between(wrong, bounds)
    return (count > chars // MAX_BROKEN) & (count > MAX_BROKEN) & (chars > 0)


def rows_apart(starts: Ints, length: int, *, blocks: bool) -> Bools | slice:
    """Select the rows that are not merged with the one before: all, unless too many are short."""
    count = len(starts)
    if blocks and count > MAX_ROWS:
        # Rows with the same start have no text; all but a few such blocks are left out later.
        count = int(np.count_nonzero(starts[MAX_EMPTY_ROWS:] != starts[:-MAX_EMPTY_ROWS]))
    if count <= MAX_ROWS:
        return slice(None)
    long = np.empty(len(starts), np.bool_)
    for chunk in chunks(len(starts) - 1):
        size = starts[chunk.start + 1 : chunk.stop + 1] - starts[chunk]
        np.greater_equal(size, _LONG_ROW, out=long[chunk])
    long[-1] = length - starts[-1] >= _LONG_ROW
    apart: Bools = long.copy()
    for distance in range(1, MAX_EMPTY_ROWS + 1):
        apart[distance:] |= long[:-distance]
        apart[:-distance] |= long[distance:]
    apart[:: -(-len(starts) // MAX_ROWS)] = True
    return apart
