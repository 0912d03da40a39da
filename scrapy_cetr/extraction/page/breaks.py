"""Where the tags of a page break its text, and how strongly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
from scrapy_cetr.extraction.page.columns import (
    Bools,
    Codes,
    Ints,
    Small,
    places_of_flags,
    strongest_in,
)

# So many breaks are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18
_PRE = CODES["pre"]


@dataclass(frozen=True, slots=True, eq=False)
class Breaks:
    """The places where the page breaks its text, and how strongly: a role of ``markup``."""

    offset: Ints
    role: Small


def with_second_breaks(kinds: Small, tags: Codes, offset: Ints, role: Small) -> tuple[Codes, Small]:
    """Make a paragraph break of each line break that has no text between it and the last."""
    if not (tags == LINE_BREAK).any():
        return tags, role
    dividing = role != 0
    is_break = tags[dividing] == LINE_BREAK
    second = np.zeros(len(is_break), np.bool_)
    second[1:] = is_break[1:] & is_break[:-1]
    if second.any():
        second[1:] &= strongest_in(kinds, offset[dividing]) == BLANK
        dividing[dividing] = second
        tags, role = tags.copy(), role.copy()
        tags[dividing], role[dividing] = PARAGRAPH_BREAK, BLOCK
    return tags, role


def make_breaks(text: str, tags: Codes, offset: Ints, role: Small) -> Breaks:
    """Collect where tags break the text; of several in one place, the strongest counts."""
    links = np.flatnonzero((tags == LINK) | (tags == -LINK))
    touching = (tags[links[:-1]] == -LINK) & (offset[links[:-1]] == offset[links[1:]])
    role[links[1:][touching]] = SPACE
    places, role = _strongest_by_place(offset, role)
    if not (tags == _PRE).any():
        return Breaks(places, role)
    return _with_line_ends(places, role, _preformatted_line_ends(text, tags, offset))


def _strongest_by_place(offset: Ints, role: Small) -> tuple[Ints, Small]:
    """Give each place of a break once, with the strongest of the roles there."""
    if compiled.COMPILED:
        return compiled.loops.strongest_by_place(offset, role)
    if len(role) <= _AT_ONCE:
        dividing = np.flatnonzero(role)
        return _strongest_of_equal(offset[dividing], role[dividing])
    count = np.count_nonzero(role)
    places, roles = np.empty(count, np.int32), np.empty(count, np.uint8)
    done = 0
    for begin in range(0, len(role), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        dividing = np.flatnonzero(role[now])
        # The last place of the part before may be the first of this.
        last = slice(max(done - 1, 0), done)
        found, strongest = _strongest_of_equal(
            np.append(places[last], offset[now][dividing]),
            np.append(roles[last], role[now][dividing]),
        )
        done = last.start + len(found)
        places[last.start : done], roles[last.start : done] = found, strongest
    return places[:done], roles[:done]


def _strongest_of_equal(offset: Ints, role: Small) -> tuple[Ints, Small]:
    """Give each place once, with the strongest of its roles."""
    if not len(offset):
        return offset, role
    is_first = np.ones(len(offset), np.bool_)
    np.not_equal(offset[1:], offset[:-1], out=is_first[1:])
    first = np.flatnonzero(is_first)
    return offset[first], np.maximum.reduceat(role, first)


def _with_line_ends(offset: Ints, role: Small, ends: Bools) -> Breaks:
    """Put the breaks of tags between those of line ends; in one place, the stronger counts."""
    roles = ends.view(np.uint8)
    roles *= LINE
    # A part of them at a time, as numpy makes larger numbers of places.
    for first in range(0, len(offset), _AT_ONCE):
        now = slice(first, first + _AT_ONCE)
        roles[offset[now]] = np.maximum(roles[offset[now]], role[now])
    filled = roles != 0
    return Breaks(places_of_flags(filled), roles[filled])


def _preformatted_line_ends(text: str, tags: Codes, offset: Ints) -> Bools:
    """Mark the line ends inside of <pre>; one more place stands for the end of the text."""
    at = places_of_flags(np.abs(tags) == _PRE)
    depth = np.cumsum(np.sign(tags[at]), dtype=np.int32)
    depth -= np.minimum(np.minimum.accumulate(depth), 0)
    # The tags part the text into runs, the first of them before all tags.
    runs = np.diff(offset[at], prepend=np.int32(0), append=np.int32(len(text) + 1))
    inside: Bools = np.repeat(np.append(False, depth > 0), runs)
    inside[:-1] &= flags_of("\n", text)
    inside[-1] = False
    return inside
