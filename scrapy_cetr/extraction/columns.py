"""Numpy columns, and what lies where in them: sums, places and extremes, in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.loops import compiled

Ints = NDArray[np.int32]
Indices = NDArray[np.intp]
Codes = NDArray[np.int8]
UInt8s = NDArray[np.uint8]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# A column of more elements is chosen from by flags: places would take more memory than it does.
_MANY = 1 << 18
# So many elements are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18


def closed(starts: Ints, end: int) -> Ints:
    """Put the end behind the starts of parts that follow each other.

    >>> closed(np.array([0, 3], np.int32), 7).tolist()
    [0, 3, 7]
    """
    bounds = np.empty(len(starts) + 1, np.int32)
    bounds[:-1], bounds[-1] = starts, end
    return bounds


def sum_before(
    weights: NDArray[Any],
    places: Ints,
    kind: type[np.signedinteger[Any]] = np.int32,
    table: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Add up the weights before each of the places, which ascend; a table tells what they are.

    >>> sum_before(np.array([1, 1, 0, 2], np.uint8), np.array([0, 1, 1, 3, 4], np.int32)).tolist()
    [0, 1, 1, 2, 4]
    """
    if compiled.COMPILED and table is not None:
        return compiled.loops.sum_before(weights.view(np.uint8), places, table)
    before = np.zeros(len(places), kind)
    total, done = 0, 0
    for first in range(0, len(weights), _AT_ONCE):
        part = weights[first : first + _AT_ONCE]
        if table is not None:
            part = table[part]
        # Of the same kind, as else all places would become larger numbers.
        inside = int(np.searchsorted(places, np.int32(first + len(part))))
        edges = np.zeros(inside - done + 1, np.int32)
        np.subtract(places[done:inside], first, out=edges[1:])
        sums = np.add.reduceat(part, edges, dtype=kind)
        # Where nothing lies between two edges, reduceat gives what lies behind them.
        sums[:-1][edges[1:] == edges[:-1]] = 0
        sums[0] += total
        np.cumsum(sums, out=sums)
        before[done:inside] = sums[:-1]
        total, done = int(sums[-1]), inside
    before[done:] = total
    return before


def sums_between(weights: NDArray[Any], bounds: Ints) -> Ints:
    """Add up the weights between each bound and the next.

    >>> bounds = np.array([0, 1, 1, 3, 4], np.int32)
    >>> sums_between(np.array([1, 1, 0, 2], np.uint8), bounds).tolist()
    [1, 0, 1, 2]
    """
    if compiled.COMPILED:
        return compiled.loops.sums_between(weights.view(np.uint8), bounds)
    if len(weights) > _AT_ONCE:
        return np.diff(sum_before(weights, bounds))
    sums = np.zeros(len(bounds) - 1, np.int32)
    # Nothing lies between the last bounds, if these are in one place.
    count = int(np.searchsorted(bounds[:-1], bounds[-1]))
    if count:
        part = weights[: bounds[-1]]
        sums[:count] = np.add.reduceat(part, bounds[:count], dtype=np.int32)
    # Where nothing lies between two bounds, reduceat gives what lies behind them.
    sums[bounds[1:] == bounds[:-1]] = 0
    return sums


def flag_indices(flags: Bools) -> Ints:
    """Give the places of flags, in half of the memory that numpy takes for it.

    >>> flag_indices(np.array([True, False, True])).tolist()
    [0, 2]
    """
    if len(flags) <= _AT_ONCE:
        return np.flatnonzero(flags).astype(np.int32)
    places = np.empty(np.count_nonzero(flags), np.int32)
    done = 0
    for first in range(0, len(flags), _AT_ONCE):
        found = np.flatnonzero(flags[first : first + _AT_ONCE])
        found += first
        places[done : done + len(found)] = found
        done += len(found)
    return places


def mask_or_indices(flags: Bools) -> Bools | Indices:
    """Give the places of flags to choose by, which is faster, or many flags themselves: smaller."""
    return flags if len(flags) > _MANY else np.flatnonzero(flags)


def strongest_in(kinds: UInt8s, edges: Ints) -> UInt8s:
    """Give the highest of some numbers, kinds or strengths, between each edge and the next, or 0.

    >>> edges = np.array([0, 1, 3, 4, 4], np.int32)
    >>> strongest_in(np.array([5, 0, 0, 7], np.uint8), edges).tolist()
    [5, 0, 7, 0]
    """
    if compiled.COMPILED:
        return compiled.loops.strongest_in(kinds, edges)
    strongest = np.zeros(max(len(edges) - 1, 0), np.uint8)
    # Nothing lies between the last edges, if these are in one place.
    count = int(np.searchsorted(edges[:-1], edges[-1])) if len(edges) else 0
    # A part of them at a time, as reduceat makes larger numbers of the edges.
    for first in range(0, count - _AT_ONCE, _AT_ONCE):
        found = np.maximum.reduceat(kinds, edges[first : first + _AT_ONCE + 1])
        strongest[first : first + _AT_ONCE] = found[:-1]
    if count:
        first = (count - 1) // _AT_ONCE * _AT_ONCE
        strongest[first:count] = np.maximum.reduceat(kinds[: edges[-1]], edges[first:count])
    # Where nothing lies between two edges, reduceat gives what lies behind them.
    strongest[edges[1:] == edges[:-1]] = 0
    return strongest
