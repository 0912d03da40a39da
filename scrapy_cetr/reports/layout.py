"""The layout of a stamped page for its report: the boxes of rows, and what CLG selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrapy_cetr.extraction.methods.clg.tree import Tree, make_tree
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.page.page import Page

# Browsers get slow with more rectangles.
MAX_BOXES = 5000


def row_nodes(page: Page, tree: Tree, count: int) -> list[int]:
    """Return the innermost shown node around the text of each row, -1 for none."""
    nodes = tree.nodes
    starts, ends, parents = nodes.start.tolist(), nodes.end.tolist(), nodes.parent.tolist()
    shown = tree.is_shown.tolist()
    found = []
    rows = zip(page.rows.start[:count].tolist(), page.rows.end[:count].tolist(), strict=True)
    for begin, end in rows:
        text = page.text[begin:end]
        if not text.strip():
            found.append(-1)
            continue
        first = begin + len(text) - len(text.lstrip())
        last = begin + len(text.rstrip())
        node = int(np.searchsorted(nodes.start, first, side="right")) - 1
        while node >= 0 and not (starts[node] <= first and last <= ends[node] and shown[node]):
            node = parents[node]
        found.append(node)
    return found


def layout_data(page: Page, verdict: Verdict, count: int) -> Mapping[str, Any] | None:
    """Return the size of the page, the box of each row, and the boxes of CLG, if it judged."""
    layout = page.layout
    if layout is None:
        return None
    tree = make_tree(layout)
    nodes = enumerate(row_nodes(page, tree, count))
    rows = [(row, *_box(tree, node)) for row, node in nodes if node >= 0]
    groups: Sequence[Sequence[int]] = verdict.trace.get("groups", ())
    candidates = [(number, node) for number, group in enumerate(groups) for node in group]
    return {
        "width": layout.width,
        "height": layout.height,
        "rows": rows[:MAX_BOXES],
        "candidates": [(number, *_box(tree, node)) for number, node in candidates[:MAX_BOXES]],
        "best": verdict.trace.get("best_group", -1),
        "selected": [_box(tree, node) for node in verdict.trace.get("selected", ())],
    }


def layout_columns(page: Page, count: int) -> Mapping[str, list[float | None]]:
    """Return the position, the width and the font size of each row, None for those without."""
    layout = page.layout
    if layout is None:
        return {}
    tree = make_tree(layout)
    nodes = row_nodes(page, tree, count)
    boxes = [_box(tree, node) if node >= 0 else None for node in nodes]
    sizes = [float(layout.font_size[node]) or None if node >= 0 else None for node in nodes]
    columns: dict[str, list[float | None]] = {
        name: [box[side] if box else None for box in boxes]
        for side, name in enumerate(("left", "top", "width"))
    }
    return {**columns, "font size": sizes}


def _box(tree: Tree, node: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = tree.corners[:, node].astype(int).tolist()
    return left, top, right - left, bottom - top
