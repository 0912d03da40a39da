"""The area that rectangles cover together.

The paper (6.2) takes the sum of two areas minus that of the intersections, again and again, which
doubles the work with each rectangle. A line that sweeps down the page finds the same area in
O(n log n): a segment tree holds how much of the line the rectangles cover. For a few rectangles, it
is quicker to draw them on the grid of their edges.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from scrapy_cetr.extraction.columns import Floats

# At most this number of rectangles is drawn on a grid, which takes O(n³) multiplications.
_FEW = 32


def union_area(corners: Floats) -> float:
    """Return the area that rectangles cover; ``corners`` are their left, top, right and bottom.

    >>> union_area(np.array([[0, 0, 4, 4], [2, 2, 6, 6]], np.float64).T)
    28.0
    """
    left, top, right, bottom = corners[:, (corners[0] < corners[2]) & (corners[1] < corners[3])]
    if len(left) <= 1 or _are_apart(top, bottom) or _are_apart(left, right):
        return float(((right - left) * (bottom - top)).sum())
    area_of = _draw if len(left) <= _FEW else _sweep
    return area_of(left, top, right, bottom)


def _are_apart(begin: Floats, end: Floats) -> bool:
    """Tell whether no two intervals overlap, as with blocks below each other."""
    order = np.argsort(begin)
    return bool((begin[order][1:] >= end[order][:-1]).all())


def _draw(left: Floats, top: Floats, right: Floats, bottom: Floats) -> float:
    columns, rows = np.sort((left, right), axis=None), np.sort((top, bottom), axis=None)
    across = (left[:, None] <= columns[:-1]) & (right[:, None] > columns[:-1])
    down = (top[:, None] <= rows[:-1]) & (bottom[:, None] > rows[:-1])
    is_covered = across.T.astype(np.float32) @ down.astype(np.float32) > 0
    return float(np.diff(columns) @ is_covered @ np.diff(rows))


def _sweep(left: Floats, top: Floats, right: Floats, bottom: Floats) -> float:
    columns = np.unique(np.concatenate((left, right)))
    first = np.searchsorted(columns, left).tolist()
    last = np.searchsorted(columns, right).tolist()
    line = _Line(columns.tolist())
    tops, bottoms = top.tolist(), bottom.tolist()
    # At the same height, what ends comes first; the order has no effect on the area.
    events = sorted(
        [(y, 1, index) for index, y in enumerate(tops)]
        + [(y, -1, index) for index, y in enumerate(bottoms)]
    )
    area = 0.0
    for (y, step, index), (following, _, _) in pairwise(events):
        line.add(first[index], last[index], step)
        area += line.covered * (following - y)
    return area


class _Line:
    """A line divided at some columns: how often each part is covered, as a segment tree.

    Node 1 is the whole line, and nodes 2 i and 2 i + 1 are the halves of node i.
    """

    def __init__(self, columns: list[float]) -> None:
        self._columns = columns
        self._parts = len(columns) - 1
        self._count = [0] * (4 * self._parts)
        self._length = [0.0] * (4 * self._parts)

    @property
    def covered(self) -> float:
        """The length that is covered."""
        return self._length[1]

    def add(self, first: int, last: int, step: int) -> None:
        """Cover the parts from ``first`` to ``last`` once more, or once less."""
        self._add(1, 0, self._parts, first, last, step)

    def _add(self, node: int, begin: int, end: int, first: int, last: int, step: int) -> None:
        count, length = self._count, self._length
        if first <= begin and end <= last:
            count[node] += step
        else:
            middle = (begin + end) // 2
            if first < middle:
                self._add(2 * node, begin, middle, first, last, step)
            if middle < last:
                self._add(2 * node + 1, middle, end, first, last, step)
        if count[node]:
            length[node] = self._columns[end] - self._columns[begin]
        elif end - begin == 1:
            length[node] = 0.0
        else:
            length[node] = length[2 * node] + length[2 * node + 1]
