"""The nodes of a stamped page with what they cover: equation 1 for positions and areas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, Indices, Ints
from scrapy_cetr.extraction.page.layout import Layout
from scrapy_cetr.extraction.page.nodes import Nodes

# Rectangles that are added up exactly, on a whole page; a page has more only to take time.
_MAX_RECTANGLES = 50_000


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a page, and the rectangles of each and of everything inside of it.

    ``corners`` are left, top, right and bottom of each node, 4 × nodes, in pixels. ``is_shown``
    tells which have a rectangle at all.
    """

    layout: Layout
    corners: Floats
    is_shown: Bools

    @property
    def nodes(self) -> Nodes:
        return self.layout.tagged.nodes

    @property
    def page_area(self) -> float:
        """The area of the whole page, S_page."""
        return float(self.layout.width * self.layout.height)

    @cached_property
    def depth(self) -> Ints:
        """The depth of each node; that of the root is 1."""
        ends = np.bincount(self.nodes.last, minlength=len(self.nodes) + 1)[:-1]
        depth: Ints = (np.arange(1, len(self.nodes) + 1) - np.cumsum(ends)).astype(np.int32)
        return depth

    @cached_property
    def area(self) -> Floats:
        """The area that each node covers with everything inside of it, s(v)."""
        return _areas(self)

    def sums(self, values: Floats | Ints) -> Floats:
        """Add up the values of each node and of all nodes inside of it."""
        before = np.zeros(len(values) + 1, np.float64)
        np.cumsum(values, out=before[1:])
        totals: Floats = before[self.nodes.last] - before[:-1]
        return totals


def make_tree(layout: Layout) -> Tree:
    """Take the union of each node's rectangle with those inside of it (4.1)."""
    count = len(layout.tagged.nodes)
    own = own_corners(layout)
    # Without a rectangle, a node is neither left nor right of anything.
    own[:2, ~layout.is_visible] = np.inf
    own[2:, ~layout.is_visible] = -np.inf
    corners = own.copy()
    inside = np.flatnonzero(layout.other_node >= 0)
    others = other_corners(layout)[:, inside]
    around = layout.other_node[inside]
    spans: Indices = np.empty(2 * count, np.intp)
    spans[::2], spans[1::2] = np.arange(count), layout.tagged.nodes.last
    for side, (take, nothing) in enumerate(
        ((np.minimum, np.inf), (np.minimum, np.inf), (np.maximum, -np.inf), (np.maximum, -np.inf))
    ):
        take.at(corners[side], around, others[side])
        corners[side] = take.reduceat(np.append(corners[side], nothing), spans)[::2]
    is_shown = corners[0] < np.inf
    corners[:, ~is_shown] = 0
    return Tree(layout, corners, is_shown)


def own_corners(layout: Layout) -> Floats:
    """Return the corners of the nodes' own rectangles, inside of the page."""
    return layout.boxes.corners(width=layout.width, height=layout.height)


def other_corners(layout: Layout) -> Floats:
    """Return the corners of the elements that are no nodes, inside of the page."""
    return layout.other_boxes.corners(width=layout.width, height=layout.height)


def _areas(tree: Tree) -> Floats:
    layout, nodes, whole = tree.layout, tree.nodes, tree.corners
    area: Floats = (whole[2] - whole[0]) * (whole[3] - whole[1])
    own = own_corners(layout)
    own[:, ~layout.is_visible] = 0
    # Nearly always, a rectangle has all others of its node inside.
    is_filled = (own == whole).all(axis=0)
    open_nodes = np.flatnonzero(tree.is_shown & ~is_filled)
    # Those of one node beside each other: a page can have far more of them than nodes.
    by_node = np.argsort(layout.other_node, kind="stable")
    others, around = other_corners(layout)[:, by_node], layout.other_node[by_node]
    first_of = np.searchsorted(around, np.arange(len(nodes) + 1)).tolist()
    parts: dict[int, Floats] = {}
    budget = _MAX_RECTANGLES
    is_filled_shown = is_filled & tree.is_shown
    children = _children(nodes, open_nodes)
    for node in open_nodes[::-1].tolist():
        found = [own[:, node : node + 1]] if layout.is_visible[node] else []
        found.append(others[:, first_of[node] : first_of[node + 1]])
        for child in children.get(node, ()):
            if is_filled_shown[child]:
                found.append(own[:, child : child + 1])
            elif child in parts:
                found.append(parts[child])
        rectangles = np.concatenate(found, axis=1)
        budget -= rectangles.shape[1]
        if budget < 0:
            break
        area[node] = loops.union_area(rectangles)
        parts[node] = rectangles
    return area


def _children(nodes: Nodes, parents: Indices) -> dict[int, list[int]]:
    """Return the children of some nodes."""
    found: dict[int, list[int]] = {}
    at = np.flatnonzero(np.isin(nodes.parent, parents))
    for child, parent in zip(at.tolist(), nodes.parent[at].tolist(), strict=True):
        found.setdefault(parent, []).append(child)
    return found
