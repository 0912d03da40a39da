"""Rows that are blocks, and the tree of containers around them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import (
    Bools,
    Codes,
    Indices,
    Ints,
    UInt8s,
    chunks,
    flag_indices,
    mask_or_indices,
)
from scrapy_cetr.extraction.elements import END_OPTIONAL, FIRST_CONTAINER, FIRST_NAMED


def block_rows(tags: Codes, offset: Ints, strength: UInt8s, least: int) -> tuple[Ints, Ints]:
    """Begin a row with each start tag of a block and after each end tag of one.

    The tags of blocks have at least the strength ``least``. Returns the start of each row in the
    text and the index of its first tag; the first row begins with the page.
    """
    begins = strength >= least
    starts, first_tags = np.zeros((2, np.count_nonzero(begins) + 1), np.int32)
    done = 1
    for chunk in chunks(len(tags)):
        index = chunk.start + np.flatnonzero(begins[chunk])
        rows = slice(done, done + len(index))
        starts[rows] = offset[index]
        first_tags[rows] = index + (tags[index] < 0)
        done = rows.stop
    return starts, first_tags


def filled_rows(chars: Ints, tag_bounds: Ints, most_empty: int) -> Indices | Bools:
    """Select the rows with text or tags, by their indices or by flags.

    Of consecutive rows with tags alone, ``most_empty`` are selected, or all if it is negative.
    """
    has_some = (chars != 0) | (tag_bounds[1:] != tag_bounds[:-1])
    filled = mask_or_indices(has_some)
    if most_empty >= 0 and (far := _far_from_text(chars[filled], most_empty)).any():
        has_some[filled] = ~far
        filled = mask_or_indices(has_some)
    return filled


def _far_from_text(chars: Ints, most_empty: int) -> Bools:
    """Mark rows without text that come after ``most_empty`` others."""
    row = np.arange(len(chars), dtype=np.int32)
    filled = np.where(chars > 0, row, np.int32(-1))
    row -= np.maximum.accumulate(filled, out=filled)
    return row > most_empty


def row_openers(
    tags: Codes, offset: Ints, strength: UInt8s, start: Ints, first_tag: Ints, least: int
) -> Ints:
    """Return the index of the tag that each block begins with, or of the one before its first."""
    if not len(tags):
        return first_tag - np.int32(1)
    index = np.minimum(first_tag, len(tags) - 1)
    # A row that begins with the tag of a block has it as its first.
    own = (tags[index] > 0) & (strength[index] >= least) & (offset[index] == start)
    openers: Ints = first_tag - (~own | (first_tag == len(tags)))
    return openers


def nest_containers(
    tags: Codes, near_text: Bools, openers: Ints, deepest: int
) -> tuple[NDArray[np.intp], Indices]:
    """Nest the containers of tags that are near to text, at most ``deepest`` levels deep.

    An end tag closes the innermost open container, whatever its name. Returns five lines with an
    element for each container in preorder (the first is the page): code, parent, index among the
    start tags from FIRST_NAMED on (-1 for the page), first row and the row after the last; and the
    innermost container of each row. Rows are given by their ``openers``.
    """
    at = flag_indices(near_text & ((tags >= FIRST_CONTAINER) | (tags <= -FIRST_CONTAINER)))
    at = at[_take_part(tags[at])]
    level = _levels(tags[at])
    shallow = level <= deepest
    at, level = at[shallow], level[shallow].astype(np.int16)
    is_start = tags[at] > 0
    number = np.cumsum(is_start, dtype=np.int32)
    # Sorted by level, and by index within a level, each start comes right before its own end.
    order = np.argsort(level, kind="stable")
    opens = is_start[order]
    parent = _parents(order[opens], is_start, number)
    closed = np.flatnonzero(opens[:-1] & (level[order[1:]] == level[order[:-1]]))
    start_of, end_of = order[closed], order[closed + 1]
    # After a start tag comes the inside of its container, after an end tag that of the parent.
    inner = np.zeros(len(at) + 1, np.int32)
    inner[1:] = number * is_start
    inner[end_of + 1] = parent[number[start_of]]
    end = np.full(len(at), len(tags), np.int32)
    end[start_of] = at[end_of]
    begin, end = at[is_start], end[is_start]
    columns = np.zeros((5, len(parent)), np.intp)
    columns[2, 0], columns[4, 0] = -1, len(openers)
    columns[0, 1:] = tags[begin]
    columns[1] = parent
    columns[2, 1:] = np.cumsum(tags >= FIRST_NAMED, dtype=np.int32)[begin] - 1
    columns[3, 1:] = np.searchsorted(openers, begin)
    columns[4, 1:] = np.searchsorted(openers, end)
    return columns, inner[np.searchsorted(at, openers, side="right")].astype(np.intp)


def _levels(tags: Codes) -> Ints:
    """Compute how deep in the tree each tag is, from 1."""
    level = np.cumsum(np.sign(tags), dtype=np.int32)
    # An end tag that closes nothing is left out, so it never takes the depth below zero.
    level -= np.minimum(np.minimum.accumulate(level), 0)
    level += tags < 0
    return level


def _parents(starts: Indices, is_start: Bools, number: Ints) -> Ints:
    """Return the parent of each container; ``starts`` are sorted by level."""
    # A first child comes after the start tag of its parent, others after the end tag of a sibling.
    is_first = is_start[starts - 1] & (starts > 0)
    first = np.where(is_first, np.arange(len(starts)), 0)
    parents = np.where(is_first, number[starts - 1], np.int32(0))
    parent = np.zeros(len(starts) + 1, np.int32)
    parent[number[starts]] = parents[np.maximum.accumulate(first)]
    return parent


def _take_part(tags: Codes) -> Bools:
    """Mark the tags of containers; elements with missing end tags are none on this page."""
    count = np.zeros(256, np.intp)
    for chunk in chunks(len(tags)):
        count += np.bincount(tags[chunk].view(np.uint8), minlength=256)
    partial = [code for code in END_OPTIONAL if count[code] != count[256 - code]]
    taken = np.ones(len(tags), np.bool_)
    for code in partial:
        taken &= (tags != code) & (tags != -code)
    return taken


def closing_tags(tags: Codes, starts: Ints) -> Ints:
    """Return the index of the end tag of each of some start tags, or -1.

    An end tag closes the innermost open element of its name. It counts only if all containers in
    between are closed, so that an element with a missing end tag does not reach too far.
    """
    ends = np.full(len(tags), -1, np.int32)
    nests = np.zeros(256, np.int8)
    for code in range(FIRST_CONTAINER, 128):
        if code not in END_OPTIONAL:
            nests[code], nests[256 - code] = 1, -1
    depth = np.cumsum(nests[tags.view(np.uint8)], dtype=np.int32)
    for code in np.unique(tags[starts]).tolist():
        at = flag_indices((tags == code) | (tags == -code))
        level = _levels(tags[at])
        # Sorted by level, each start tag comes right before its own end tag.
        order = np.argsort(level, kind="stable")
        at, level = at[order], level[order]
        paired = (tags[at[:-1]] > 0) & (tags[at[1:]] < 0) & (level[:-1] == level[1:])
        start, end = at[:-1][paired], at[1:][paired]
        balanced = depth[start] - nests[code] == depth[end]
        ends[start[balanced]] = end[balanced]
    return ends[starts]
