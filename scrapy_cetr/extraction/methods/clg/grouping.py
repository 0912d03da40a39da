"""Candidate nodes, and groups of them that are aligned on the page (sections 5, 6.1 and 6.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.clg.tree import Tree

Box = Sequence[float]


def find_candidates(tree: Tree, score: Floats, threshold: float) -> list[int]:
    """Return the nodes with a higher score than the threshold, without those inside of others.

    They are in the order of the document. Where there are none, it is the node with the best score.
    """
    is_good: Bools = tree.is_shown & (score > threshold)
    if not is_good.any():
        return [int(np.where(tree.is_shown, score, -1).argmax())]
    found: list[int] = []
    end = -1
    for node in np.flatnonzero(is_good).tolist():
        if node >= end:
            found.append(node)
            end = int(tree.nodes.last[node])
    return found


def find_groups(tree: Tree, candidates: Sequence[int], overlap: float) -> list[list[int]]:
    """Divide candidates into groups where none of the four conditions connects two neighbours."""
    boxes = tree.corners[:, list(candidates)].T.tolist()
    parents = tree.nodes.parent[list(candidates)].tolist()
    groups = [[candidates[0]]]
    for here in range(len(candidates) - 1):
        after = here + 1
        is_linked = (
            are_aligned(boxes[here], boxes[after], overlap)
            or parents[here] == parents[after]
            or (after + 1 < len(boxes) and are_aligned(boxes[here], boxes[after + 1], overlap))
            or (here > 0 and are_aligned(boxes[here - 1], boxes[after], overlap))
        )
        if is_linked:
            groups[-1].append(candidates[after])
        else:
            groups.append([candidates[after]])
    return groups


def are_aligned(one: Box, other: Box, overlap: float) -> bool:
    """Tell whether two rectangles share some area, or are below or beside each other."""
    width, height = _shared(one, other, 0), _shared(one, other, 1)
    return (width > 0 and height > 0) or projection_overlap_ratio(one, other) > overlap


def projection_overlap_ratio(one: Box, other: Box) -> float:
    """Return the POR of two rectangles, each left, top, right and bottom (figure 7).

    >>> projection_overlap_ratio((0, 0, 10, 5), (2, 8, 12, 9))
    0.8
    """
    return max(_ratio(one, other, 0), _ratio(one, other, 1))


def _ratio(one: Box, other: Box, axis: int) -> float:
    longest = max(one[axis + 2] - one[axis], other[axis + 2] - other[axis])
    return max(_shared(one, other, axis), 0) / longest if longest > 0 else 0.0


def _shared(one: Box, other: Box, axis: int) -> float:
    return min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis])


def best_group(tree: Tree, score: Floats, groups: Sequence[Sequence[int]]) -> int:
    """Return the index of the group with the largest mean score times covered area."""
    if len(groups) == 1:
        return 0
    worth = [
        float(score[list(group)].mean()) * loops.union_area(tree.corners[:, list(group)])
        for group in groups
    ]
    return worth.index(max(worth))
