"""A page as parallel numpy columns: its visible text once, the tags in it, its rows and nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scrapy_cetr.extraction.columns import (
    Bools,
    Codes,
    Indices,
    Ints,
    UInt8s,
    closed,
    mask_or_indices,
    sums_between,
)
from scrapy_cetr.extraction.elements import (
    BREAK_STRENGTHS,
    ITEM,
    LINK,
)
from scrapy_cetr.extraction.loops import compiled
from scrapy_cetr.extraction.page.breaks import Breaks, make_breaks, with_second_breaks
from scrapy_cetr.extraction.page.characters import (
    BROKEN,
    CONTROL,
    character_kinds,
    word_starts,
)
from scrapy_cetr.extraction.page.nodes import Nodes, make_nodes

# A run of block tags without text is as many rows at the most: the smoothing of a page's ratios
# hardly sees farther, and a hostile page has millions of them.
MAX_EMPTY_ROWS = 8
# Neighbouring rows are taken together where a page has more: none for people has, but millions of
# rows would make every column larger than a hostile page itself. Rows with as many characters stay
# apart, and so do those around them.
MAX_ROWS, _LONG_ROW = 1 << 18, 64
# So many wrong characters, or one in so many, are what bad encodings leave behind; a row with
# more of them is no text.
MAX_BROKEN = 10

# So many tags are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a page, source lines or blocks, one element of each column a row.

    The text of a row is ``page.text[start:end]``; its ``chars`` count white space as it is read,
    one space between words and none around them. A ``broken`` row is no text but bytes of something
    else, and is never kept. The row's ``tags`` are those from ``first_tag`` on; its ``opener`` is
    the tag that a block begins with or behind, and a line behind, -1 for none.
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


@dataclass(frozen=True, eq=False)
class Page:
    """The visible text of a page in source order, and what lies where in it.

    ``tags`` are the numbers of ``markup``, negative for end tags, and ``tag_offset`` the length of
    the text before each. ``title`` is the text of the page's <title>. Where the reader was asked
    for them, ``class_names`` are the class and id of elements, the first for none, and ``class_name`` says
    which of them each start tag from ``elements.FIRST_CONTAINER`` on has; ``declared_body`` is the
    text that the page declares for programs, as JSON-LD articleBody.
    """

    text: str
    kinds: UInt8s
    tags: Codes
    tag_offset: Ints
    breaks: Breaks
    rows: Rows
    title: str = ""
    class_names: Sequence[str] = ()
    class_name: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    declared_body: str = ""

    @cached_property
    def words(self) -> Ints:
        """The words of each row: runs of letters and digits, and single ideographs."""
        return self.count_by_row(word_starts(self.kinds, self.rows.start, self.breaks.offset))

    @cached_property
    def link_chars(self) -> Ints:
        """The characters of each row inside of links, without white space."""
        if compiled.COMPILED:
            shown, bounds = self.kinds > CONTROL, closed(self.rows.start, len(self.text))
            columns = shown.view(np.uint8), self.tags, self.tag_offset, bounds
            return compiled.loops.linked_between(*columns)
        links = mask_or_indices((self.tags == LINK) | (self.tags == -LINK))
        # A link ends with its end tag, or where another begins.
        ends = closed(self.tag_offset[links], len(self.text))
        opens = np.append(False, self.tags[links] == LINK)
        linked = np.repeat(opens, np.diff(ends, prepend=np.int32(0)))
        return self.count_by_row(linked & (self.kinds > CONTROL))

    @cached_property
    def nodes(self) -> Nodes:
        """The elements that the tags make."""
        return make_nodes(self.tags, self.tag_offset, len(self.text))

    def count_by_row(self, flags: Bools) -> Ints:
        """Count the flagged characters of each row."""
        return sums_between(flags, closed(self.rows.start, len(self.text)))


def make_page(
    text: str,
    tags: Codes,
    offset: Ints,
    *,
    lines: tuple[Ints, Ints] | None = None,
    title: str,
    class_names: Sequence[str],
    class_name: Ints,
    declared_body: str,
) -> Page:
    """Measure what the reader has noted: ``lines`` are the start and first tag of each line.

    Without them, the rows are blocks. Rows with neither text nor tags are left out, as CETR leaves
    out empty lines.
    """
    kinds = character_kinds(text)
    strength = BREAK_STRENGTHS[np.abs(tags)]
    tags, strength = with_second_breaks(kinds, tags, offset, strength)
    # One after the other, as each takes more memory than it gives.
    rows = _make_rows(kinds, tags, offset, strength, lines)
    breaks = make_breaks(text, tags, offset, strength)
    return Page(
        text, kinds, tags, offset, breaks, rows, title, class_names, class_name, declared_body
    )


def _make_rows(
    kinds: UInt8s, tags: Codes, offset: Ints, strength: UInt8s, lines: tuple[Ints, Ints] | None
) -> Rows:
    starts, first_tags = lines or _block_rows(tags, offset, strength)
    apart = rows_apart(starts, len(kinds), blocks=lines is None)
    bounds = closed(starts[apart], len(kinds))
    tag_bounds = closed(first_tags[apart], len(tags))
    starts, first_tags = bounds[:-1], tag_bounds[:-1]
    chars = _count_chars(kinds, bounds)
    broken = _are_broken(kinds, bounds, chars)
    # Something is there, so that it can be dropped, but nothing to speak for it.
    chars[broken] = 1
    filled = _filled_rows(chars, tag_bounds, blocks=lines is None)
    start, first_tag = starts[filled], first_tags[filled]
    if lines is None and len(tags):
        opener = _openers(tags, offset, strength, start, first_tag)
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


def _filled_rows(chars: Ints, tag_bounds: Ints, *, blocks: bool) -> Indices | Bools:
    """Choose the rows with text or tags, and of blocks with tags alone not more than a few."""
    if compiled.COMPILED:
        return compiled.loops.filled_rows(chars, tag_bounds, MAX_EMPTY_ROWS if blocks else -1)
    has_some = (chars != 0) | (tag_bounds[1:] != tag_bounds[:-1])
    filled = mask_or_indices(has_some)
    if blocks and (far := _far_from_text(chars[filled])).any():
        has_some[filled] = ~far
        filled = mask_or_indices(has_some)
    return filled


def _openers(tags: Codes, offset: Ints, strength: UInt8s, start: Ints, first_tag: Ints) -> Ints:
    """Give the tag that each block begins with, or else the one before its first."""
    if compiled.COMPILED:
        return compiled.loops.openers(tags, offset, strength, start, first_tag, ITEM)
    place = np.minimum(first_tag, len(tags) - 1)
    # A row that begins with the tag of a block has it as its first.
    own = (tags[place] > 0) & (strength[place] >= ITEM) & (offset[place] == start)
    openers: Ints = first_tag - (~own | (first_tag == len(tags)))
    return openers


def _count_chars(kinds: UInt8s, bounds: Ints) -> Ints:
    """Count the characters of rows, white space as it is read."""
    if compiled.COMPILED:
        return compiled.loops.count_chars(kinds, bounds, CONTROL)
    shown = kinds > CONTROL
    # Each visible character counts, and once more where white space is before it,
    weights = shown.astype(np.uint8)
    weights[1:] += shown[1:] > shown[:-1]
    weights[:1] *= 2
    chars = sums_between(weights, bounds)
    # but not where a row begins, unless it begins with a character that goes on with a word.
    if len(kinds):
        chars -= (chars > 0) & (weights.take(bounds[:-1], mode="clip") != 1)
    return chars


def _are_broken(kinds: UInt8s, bounds: Ints, chars: Ints) -> Bools:
    """Tell which rows have too many characters that no text has."""
    # Unsigned, so that what is below CONTROL comes out above everything.
    wrong = kinds - np.uint8(CONTROL) <= BROKEN - CONTROL
    if not wrong.any():
        return np.zeros(len(chars), np.bool_)
    count = sums_between(wrong, bounds)
    return (count > chars // MAX_BROKEN) & (count > MAX_BROKEN) & (chars > 0)


def _block_rows(tags: Codes, offset: Ints, strength: UInt8s) -> tuple[Ints, Ints]:
    """Begin a row with each start tag of a block and after each end tag of one."""
    if compiled.COMPILED:
        return compiled.loops.block_rows(tags, offset, strength, ITEM)
    begins = strength >= ITEM
    starts, first_tags = np.zeros((2, np.count_nonzero(begins) + 1), np.int32)
    done = 1
    # A part of them at a time, as numpy makes large numbers of places.
    for first in range(0, len(tags), _AT_ONCE):
        at = first + np.flatnonzero(begins[first : first + _AT_ONCE])
        now = slice(done, done + len(at))
        starts[now] = offset[at]
        first_tags[now] = at + (tags[at] < 0)
        done = now.stop
    return starts, first_tags


def rows_apart(starts: Ints, length: int, *, blocks: bool) -> Bools | slice:
    """Choose the rows that stay: all of them, unless there are too many short ones."""
    count = len(starts)
    if blocks and count > MAX_ROWS:
        # What begins in one place has no text; all but a few blocks of that kind are left out.
        count = int(np.count_nonzero(starts[MAX_EMPTY_ROWS:] != starts[:-MAX_EMPTY_ROWS]))
    if count <= MAX_ROWS:
        return slice(None)
    long = np.empty(len(starts), np.bool_)
    for first in range(0, len(starts) - 1, _AT_ONCE):
        part = starts[first : first + _AT_ONCE + 1]
        np.greater_equal(part[1:] - part[:-1], _LONG_ROW, out=long[first : first + len(part) - 1])
    long[-1] = length - starts[-1] >= _LONG_ROW
    apart: Bools = long.copy()
    for distance in range(1, MAX_EMPTY_ROWS + 1):
        apart[distance:] |= long[:-distance]
        apart[:-distance] |= long[distance:]
    apart[:: -(-len(starts) // MAX_ROWS)] = True
    return apart


def _far_from_text(chars: Ints) -> Bools:
    """Mark rows of tags alone behind so many of their kind that more of them say no more."""
    row = np.arange(len(chars), dtype=np.int32)
    filled = np.where(chars > 0, row, np.int32(-1))
    row -= np.maximum.accumulate(filled, out=filled)
    return row > MAX_EMPTY_ROWS
