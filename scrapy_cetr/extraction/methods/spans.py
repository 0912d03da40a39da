"""Parts of a page's text that do not end where its rows do, and sums over them and over groups."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.markup import LINK
from scrapy_cetr.extraction.page import Bools, Floats, Ints, Page, sum_before


def covered(length: int, starts: Ints, ends: Ints) -> Bools:
    """Mark the characters between each start and its end; the spans may overlap.

    >>> covered(5, np.array([1, 2], np.int32), np.array([2, 4], np.int32)).tolist()
    [False, True, True, True, False]
    """
    changes = np.zeros(length + 1, np.int32)
    np.add.at(changes, starts, 1)
    np.subtract.at(changes, ends, 1)
    inside: Bools = np.cumsum(changes, out=changes)[:-1] > 0
    return inside


def count_before(flags: Bools) -> Ints:
    """Count the flags before each place, and all of them at the end.

    >>> count_before(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    counts = np.zeros(len(flags) + 1, np.int32)
    np.cumsum(flags, dtype=np.int32, out=counts[1:])
    return counts


def count_by_row(page: Page, flags: Bools) -> Ints:
    """Count the flagged characters of each row."""
    bounds = np.append(page.rows.start, page.rows.end[-1:])
    return np.diff(sum_before(flags, bounds)) if len(page.rows) else bounds


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
