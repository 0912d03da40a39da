"""Parts of a page's text that do not end where its rows do, and sums over them and over groups."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Ints, chunks
from scrapy_cetr.extraction.elements import LINK
from scrapy_cetr.extraction.page.page import Page

_BLOCK = 128


def covered(length: int, starts: Ints, ends: Ints) -> Bools:
    """Mark the characters between each start and its end; the spans may overlap.

    They are in order of their starts.

    >>> covered(5, np.array([1, 2], np.int32), np.array([2, 4], np.int32)).tolist()
    [False, True, True, True, False]
    """
    if not len(starts):
        return np.zeros(length, np.bool_)
    reach = np.maximum.accumulate(ends)
    apart = np.flatnonzero(starts[1:] > reach[:-1])
    # Where it begins and ends to be covered, in turns.
    bounds = np.zeros(2 * len(apart) + 4, np.int32)
    bounds[1:-1:2] = starts[np.append(0, apart + 1)]
    bounds[2:-1:2] = reach[np.append(apart, -1)]
    bounds[-1] = length
    return np.repeat(np.arange(len(bounds) - 1) % 2 > 0, np.diff(bounds))


def count_between(flags: Bools, starts: Ints | None, ends: Ints) -> Ints:
    """Count the flags between each start and its end; without starts, from each one's number on.

    >>> flags, starts, ends = np.array([[1, 0, 1], [0, 1, 2], [3, 2, 2]], np.int32)
    >>> count_between(flags > 0, starts, ends).tolist()
    [2, 0, 0]
    """
    # Those before each place within its block, which is so small that a byte holds them.
    within = np.zeros((len(flags) // _BLOCK + 1) * _BLOCK, np.uint8)
    within[1 : len(flags) + 1] = flags
    blocks = within.reshape(-1, _BLOCK)
    np.cumsum(blocks, axis=1, dtype=np.uint8, out=blocks)
    before = np.zeros(len(blocks), np.int32)
    np.cumsum(blocks[:-1, -1], dtype=np.int32, out=before[1:])
    counts = np.empty(len(ends), np.int32)
    for now in chunks(len(ends)):
        end = ends[now]
        begin = np.arange(now.start, now.stop) if starts is None else starts[now]
        counts[now] = before[end // _BLOCK] + within[end]
        counts[now] -= before[begin // _BLOCK]
        counts[now] -= within[begin]
    return counts


def sum_by_group(group: Ints, values: Ints | Floats, size: int) -> Floats:
    """Add up the values of each group, of which there are ``size``.

    >>> sum_by_group(np.array([0, 2, 0], np.int32), np.array([1, 2, 3], np.int32), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(group, values, size).astype(np.float64, copy=False)


def linked(page: Page) -> Bools:
    """Mark the text of links, as far as they are closed before the next begins.

    An <a> that is never closed would make a link of the rest of the page.
    """
    at = np.flatnonzero(np.abs(page.tags) == LINK)
    closed = np.flatnonzero((page.tags[at[:-1]] > 0) & (page.tags[at[1:]] < 0))
    return covered(len(page.text), page.tag_offset[at[closed]], page.tag_offset[at[closed + 1]])
