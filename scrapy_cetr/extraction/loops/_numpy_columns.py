"""Sums and maxima between the bounds of consecutive parts of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import (
    Bools,
    Codes,
    Ints,
    UInt8s,
    chunk_size,
    chunks,
    closed,
    mask_or_indices,
)
from scrapy_cetr.extraction.elements import LINK


def sums_before(codes: UInt8s | Codes, bounds: Ints, table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up what the elements before each of the ascending bounds stand for in a table.

    The table has 256 numbers, one for each byte; those of negative codes come last.

    >>> codes, bounds = np.array([1, 1, 0, -1], np.int8), np.array([0, 1, 1, 3, 4], np.int32)
    >>> sums_before(codes, bounds, np.arange(256)).tolist()
    [0, 1, 1, 2, 257]
    """
    return _sums_before(codes.view(np.uint8), bounds, np.int64, table)


def _sums_before(
    weights: NDArray[Any],
    bounds: Ints,
    kind: type[np.signedinteger[Any]],
    table: NDArray[np.int64] | None = None,
) -> NDArray[Any]:
    before = np.zeros(len(bounds), kind)
    total, done = 0, 0
    for chunk in chunks(len(weights)):
        part = weights[chunk]
        if table is not None:
            part = table[part]
        # As int32, because searchsorted would convert all bounds to the type of a larger number.
        inside = int(np.searchsorted(bounds, np.int32(chunk.stop)))
        edges = np.zeros(inside - done + 1, np.int32)
        np.subtract(bounds[done:inside], chunk.start, out=edges[1:])
        sums = np.add.reduceat(part, edges, dtype=kind)
        # Between two equal edges, reduceat returns the element after them.
        sums[:-1][edges[1:] == edges[:-1]] = 0
        sums[0] += total
        np.cumsum(sums, out=sums)
        before[done:inside] = sums[:-1]
        total, done = int(sums[-1]), inside
    before[done:] = total
    return before


def sums_between(weights: UInt8s | Bools, bounds: Ints) -> Ints:
    """Add up the weights between each bound and the next.

    >>> bounds = np.array([0, 1, 1, 3, 4], np.int32)
    >>> sums_between(np.array([1, 1, 0, 2], np.uint8), bounds).tolist()
    [1, 0, 1, 2]
    """
    if len(weights) > chunk_size():
        return np.diff(_sums_before(weights, bounds, np.int32))
    sums = np.zeros(len(bounds) - 1, np.int32)
    # Equal bounds at the end have nothing between them.
    count = int(np.searchsorted(bounds[:-1], bounds[-1]))
    if count:
        part = weights[: bounds[-1]]
        sums[:count] = np.add.reduceat(part, bounds[:count], dtype=np.int32)
    # Between two equal bounds, reduceat returns the element after them.
    sums[bounds[1:] == bounds[:-1]] = 0
    return sums


def strongest_between(strengths: UInt8s, bounds: Ints) -> UInt8s:
    """Return the maximum between each bound and the next, or 0 where there is nothing.

    >>> bounds = np.array([0, 1, 3, 4, 4], np.int32)
    >>> strongest_between(np.array([5, 0, 0, 7], np.uint8), bounds).tolist()
    [5, 0, 7, 0]
    """
    strongest = np.zeros(max(len(bounds) - 1, 0), np.uint8)
    # Equal bounds at the end have nothing between them.
    count = int(np.searchsorted(bounds[:-1], bounds[-1])) if len(bounds) else 0
    for chunk in chunks(count):
        # With the bound after the chunk, unless that is the end, where reduceat reads nothing.
        edges = bounds[chunk.start : min(chunk.stop + 1, count)]
        found = np.maximum.reduceat(strengths[: bounds[-1]], edges)
        strongest[chunk] = found[: chunk.stop - chunk.start]
    # Between two equal bounds, reduceat returns the element after them.
    strongest[bounds[1:] == bounds[:-1]] = 0
    return strongest


def strongest_by_offset(offset: Ints, strength: UInt8s) -> tuple[Ints, UInt8s]:
    """Return each offset that has a strength above 0 once, with the maximum of its strengths.

    >>> offset, strength = np.array([0, 2, 2, 5], np.int32), np.array([1, 1, 3, 0], np.uint8)
    >>> [column.tolist() for column in strongest_by_offset(offset, strength)]
    [[0, 2], [1, 3]]
    """
    if len(strength) <= chunk_size():
        dividing = np.flatnonzero(strength)
        return _strongest_of_equal(offset[dividing], strength[dividing])
    count = np.count_nonzero(strength)
    offsets, strengths = np.empty(count, np.int32), np.empty(count, np.uint8)
    done = 0
    for chunk in chunks(len(strength)):
        dividing = np.flatnonzero(strength[chunk])
        # The last offset of the chunk before may be the first of this one.
        last = slice(max(done - 1, 0), done)
        found, strongest = _strongest_of_equal(
            np.append(offsets[last], offset[chunk][dividing]),
            np.append(strengths[last], strength[chunk][dividing]),
        )
        done = last.start + len(found)
        offsets[last.start : done], strengths[last.start : done] = found, strongest
    return offsets[:done], strengths[:done]


def _strongest_of_equal(offset: Ints, strength: UInt8s) -> tuple[Ints, UInt8s]:
    if not len(offset):
        return offset, strength
    is_first = np.ones(len(offset), np.bool_)
    np.not_equal(offset[1:], offset[:-1], out=is_first[1:])
    first = np.flatnonzero(is_first)
    return offset[first], np.maximum.reduceat(strength, first)


def linked_between(weights: UInt8s | Bools, tags: Codes, offset: Ints, bounds: Ints) -> Ints:
    """Add up the weights inside of links between each bound and the next.

    A link ends with its end tag, or where another begins; ``offset`` is the index of the weight
    after each tag.
    """
    links = mask_or_indices((tags == LINK) | (tags == -LINK))
    ends = closed(offset[links], len(weights))
    opens = np.append(False, tags[links] == LINK)
    linked = np.repeat(opens, np.diff(ends, prepend=np.int32(0)))
    return sums_between(weights * linked, bounds)


def second_breaks(
    kinds: UInt8s, tags: Codes, offset: Ints, strength: UInt8s, line_break: int, blank: int
) -> Bools:
    """Mark the line breaks right after another, without text or other breaks in between."""
    if not (tags == line_break).any():
        return np.zeros(len(tags), np.bool_)
    dividing: Bools = strength != 0
    is_break = tags[dividing] == line_break
    second = np.zeros(len(is_break), np.bool_)
    second[1:] = is_break[1:] & is_break[:-1]
    if second.any():
        second[1:] &= strongest_between(kinds, offset[dividing]) == blank
    dividing[dividing] = second
    return dividing


def part_links(tags: Codes, offset: Ints, strength: UInt8s, space: int) -> None:
    """Give tags of links the strength of a space if a link ends right before them, in place."""
    links = np.flatnonzero((tags == LINK) | (tags == -LINK))
    touching = (tags[links[:-1]] == -LINK) & (offset[links[:-1]] == offset[links[1:]])
    strength[links[1:][touching]] = space
