"""The refinement of the best group: algorithm 1, and the rule for titles (section 6.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.methods.clg.tree import Tree
from scrapy_cetr.extraction.options import Options

_HEADINGS = np.array([ELEMENT_CODES[f"h{level}"] for level in range(1, 7)], np.int8)
# A title is at the top of the selection if this share of the page's width, or less, is between
# them; the height of pages differs too much.
_NEAR = 0.5


def refine(tree: Tree, score: Floats, group: Sequence[int], options: Options) -> list[int]:
    """Replace a group by a node around it, or by a smaller one, depending on its area."""
    area, page_area = tree.area, tree.page_area
    node = common_ancestor(tree, group)
    if area[node] < options.clg_theta1 * page_area:
        while area[node] < options.clg_theta2 * page_area and tree.nodes.parent[node] >= 0:
            node = int(tree.nodes.parent[node])
    if tree.depth[node] > options.clg_depth or area[node] <= options.clg_theta3 * page_area:
        return [node]
    if area[node] >= options.clg_theta4 * page_area:
        return [_drill(tree, score, node, options.clg_theta4 * page_area)]
    return list(group)


def common_ancestor(tree: Tree, group: Sequence[int]) -> int:
    """Return the lowest node around all nodes of a group, or the only one of it."""
    node, last = group[0], group[-1]
    while tree.nodes.last[node] <= last and tree.nodes.parent[node] >= 0:
        node = int(tree.nodes.parent[node])
    return node


def _drill(tree: Tree, score: Floats, node: int, limit: float) -> int:
    """Go down to the largest children until they are small, then take the best of its siblings."""
    parent = tree.nodes.parent
    children = np.flatnonzero((parent == node) & tree.is_shown)
    while tree.area[node] >= limit and len(children):
        siblings = children
        node = int(children[tree.area[children].argmax()])
        children = np.flatnonzero((parent == node) & tree.is_shown)
    if parent[node] < 0:
        return node
    siblings = np.flatnonzero((parent == parent[node]) & tree.is_shown)
    return int(siblings[(score[siblings] * tree.area[siblings]).argmax()])


def _are_in(tree: Tree, selected: Sequence[int]) -> Bools:
    """Mark the selected nodes, and all nodes inside of them."""
    edges = np.zeros(len(tree.nodes) + 1, np.int32)
    np.add.at(edges, list(selected), 1)
    np.add.at(edges, tree.nodes.last[list(selected)], -1)
    inside: Bools = np.cumsum(edges)[:-1] > 0
    return inside


def find_title(tree: Tree, selected: Sequence[int]) -> int | None:
    """Return the heading at the top of a selection that has none of that level.

    H1 is preferred to H2, and so on. Among headings of one level, it is the nearest.
    """
    headings = np.flatnonzero(np.isin(tree.nodes.tag, _HEADINGS) & tree.is_shown)
    if not len(headings):
        return None
    level = np.searchsorted(_HEADINGS, tree.nodes.tag[headings])
    is_inside = _are_in(tree, selected)[headings]
    whole = tree.corners[:, list(selected)]
    left, top, right = whole[0].min(), whole[1].min(), whole[2].max()
    corners = tree.corners[:, headings]
    gap = top - corners[3]
    is_above = (corners[1] <= top) & (gap <= _NEAR * tree.layout.width)
    is_above &= (corners[0] < right) & (corners[2] > left) & ~is_inside
    if not is_above.any():
        return None
    best = int(level[is_above].min())
    if is_inside.any() and level[is_inside].min() <= best:
        return None
    chosen = np.flatnonzero(is_above & (level == best))
    return int(headings[chosen[np.abs(gap[chosen]).argmin()]])
