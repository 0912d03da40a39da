"""Where the tags of a page break its text, and how strongly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction.columns import (
    Bools,
    Codes,
    Ints,
    UInt8s,
    flag_indices,
    strongest_in,
)
from scrapy_cetr.extraction.elements import (
    BLOCK,
    CODES,
    LINE,
    LINE_BREAK,
    LINK,
    PARAGRAPH_BREAK,
    SPACE,
)
from scrapy_cetr.extraction.loops import compiled
from scrapy_cetr.extraction.page.characters import BLANK, flags_of

# So many breaks are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18
_PRE = CODES["pre"]


@dataclass(frozen=True, slots=True, eq=False)
class Breaks:
    """The places where the page breaks its text, and how strongly: a strength of ``markup``."""

    offset: Ints
    strength: UInt8s


def with_second_breaks(
    kinds: UInt8s, tags: Codes, offset: Ints, strength: UInt8s
) -> tuple[Codes, UInt8s]:
    """Make a paragraph break of each line break that has no text between it and the last."""
    if not (tags == LINE_BREAK).any():
        return tags, strength
    dividing = strength != 0
    is_break = tags[dividing] == LINE_BREAK
    second = np.zeros(len(is_break), np.bool_)
    second[1:] = is_break[1:] & is_break[:-1]
    if second.any():
        second[1:] &= strongest_in(kinds, offset[dividing]) == BLANK
        dividing[dividing] = second
        tags, strength = tags.copy(), strength.copy()
        tags[dividing], strength[dividing] = PARAGRAPH_BREAK, BLOCK
    return tags, strength


def make_breaks(text: str, tags: Codes, offset: Ints, strength: UInt8s) -> Breaks:
    """Collect where tags break the text; of several in one place, the strongest counts."""
    links = np.flatnonzero((tags == LINK) | (tags == -LINK))
    touching = (tags[links[:-1]] == -LINK) & (offset[links[:-1]] == offset[links[1:]])
    strength[links[1:][touching]] = SPACE
    places, strength = _strongest_by_place(offset, strength)
    if not (tags == _PRE).any():
        return Breaks(places, strength)
    return _with_line_ends(places, strength, _preformatted_line_ends(text, tags, offset))


def _strongest_by_place(offset: Ints, strength: UInt8s) -> tuple[Ints, UInt8s]:
    """Give each place of a break once, with the strongest of the strengths there."""
    if compiled.COMPILED:
        return compiled.loops.strongest_by_place(offset, strength)
    if len(strength) <= _AT_ONCE:
        dividing = np.flatnonzero(strength)
        return _strongest_of_equal(offset[dividing], strength[dividing])
    count = np.count_nonzero(strength)
    places, strengths = np.empty(count, np.int32), np.empty(count, np.uint8)
    done = 0
    for begin in range(0, len(strength), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        dividing = np.flatnonzero(strength[now])
        # The last place of the part before may be the first of this.
        last = slice(max(done - 1, 0), done)
        found, strongest = _strongest_of_equal(
            np.append(places[last], offset[now][dividing]),
            np.append(strengths[last], strength[now][dividing]),
        )
        done = last.start + len(found)
        places[last.start : done], strengths[last.start : done] = found, strongest
    return places[:done], strengths[:done]


def _strongest_of_equal(offset: Ints, strength: UInt8s) -> tuple[Ints, UInt8s]:
    """Give each place once, with the strongest of its strengths."""
    if not len(offset):
        return offset, strength
    is_first = np.ones(len(offset), np.bool_)
    np.not_equal(offset[1:], offset[:-1], out=is_first[1:])
    first = np.flatnonzero(is_first)
    return offset[first], np.maximum.reduceat(strength, first)


def _with_line_ends(offset: Ints, strength: UInt8s, ends: Bools) -> Breaks:
    """Put the breaks of tags between those of line ends; in one place, the stronger counts."""
    strengths = ends.view(np.uint8)
    strengths *= LINE
    # A part of them at a time, as numpy makes larger numbers of places.
    for first in range(0, len(offset), _AT_ONCE):
        now = slice(first, first + _AT_ONCE)
        strengths[offset[now]] = np.maximum(strengths[offset[now]], strength[now])
    filled = strengths != 0
    return Breaks(flag_indices(filled), strengths[filled])


def _preformatted_line_ends(text: str, tags: Codes, offset: Ints) -> Bools:
    """Mark the line ends inside of <pre>; one more place stands for the end of the text."""
    at = flag_indices(np.abs(tags) == _PRE)
    depth = np.cumsum(np.sign(tags[at]), dtype=np.int32)
    depth -= np.minimum(np.minimum.accumulate(depth), 0)
    # The tags part the text into runs, the first of them before all tags.
    runs = np.diff(offset[at], prepend=np.int32(0), append=np.int32(len(text) + 1))
    inside: Bools = np.repeat(np.append(False, depth > 0), runs)
    inside[:-1] &= flags_of("\n", text)
    inside[-1] = False
    return inside
