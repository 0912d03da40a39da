"""Spans of a page's text that are independent of its rows, and sums over spans and groups."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Indices, Ints, chunks
from scrapy_cetr.extraction.elements import LINK
from scrapy_cetr.extraction.page.page import Page

_BIN = 128


def covered(length: int, starts: Ints, ends: Ints) -> Bools:
    """Mark the characters between each start and its end.

    The spans are sorted by their starts, and may overlap.

    >>> covered(5, np.array([1, 2], np.int32), np.array([2, 4], np.int32)).tolist()
    [False, True, True, True, False]
    """
    if not len(starts):
        return np.zeros(length, np.bool_)
    reach = np.maximum.accumulate(ends)
    apart = np.flatnonzero(starts[1:] > reach[:-1])
    # The starts and ends of covered text, in turns.
    bounds = np.zeros(2 * len(apart) + 4, np.int32)
    bounds[1:-1:2] = starts[np.append(0, apart + 1)]
    bounds[2:-1:2] = reach[np.append(apart, -1)]
    bounds[-1] = length
    return np.repeat(np.arange(len(bounds) - 1) % 2 > 0, np.diff(bounds))


def count_between(flags: Bools, starts: Ints | None, ends: Ints) -> Ints:
    """Count the flags between each start and its end; without starts, span i starts at i.

    >>> flags, starts, ends = np.array([[1, 0, 1], [0, 1, 2], [3, 2, 2]], np.int32)
    >>> count_between(flags > 0, starts, ends).tolist()
    [2, 0, 0]
    """
    # The count before each index within its bin, which is so small that a byte is enough.
    within = np.zeros((len(flags) // _BIN + 1) * _BIN, np.uint8)
    within[1 : len(flags) + 1] = flags
    bins = within.reshape(-1, _BIN)
    np.cumsum(bins, axis=1, dtype=np.uint8, out=bins)
    before = np.zeros(len(bins), np.int32)
    np.cumsum(bins[:-1, -1], dtype=np.int32, out=before[1:])
    counts = np.empty(len(ends), np.int32)
    # In chunks, as numpy converts indices to a larger type.
    for now in chunks(len(ends)):
        end = ends[now]
        begin = np.arange(now.start, now.stop) if starts is None else starts[now]
        counts[now] = before[end // _BIN] + within[end]
        counts[now] -= before[begin // _BIN]
        counts[now] -= within[begin]
    return counts


def sum_by_group(group: Ints | Indices, values: Ints | Floats, size: int) -> Floats:
    """Add up the values of each group; ``size`` is the number of groups.

    >>> sum_by_group(np.array([0, 2, 0], np.int32), np.array([1, 2, 3], np.int32), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(group, values, size).astype(np.float64, copy=False)


def linked(page: Page) -> Bools:
    """Mark the text of links that are closed before the next begins.

    Otherwise an <a> that is never closed would make the rest of the page a link.
    """
    at = np.flatnonzero(np.abs(page.tags) == LINK)
    closed = np.flatnonzero((page.tags[at[:-1]] > 0) & (page.tags[at[1:]] < 0))
    return covered(len(page.text), page.tag_offset[at[closed]], page.tag_offset[at[closed + 1]])
