"""The elements of a page that can hold paragraphs, as a tree, and where in it each row lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Codes, Indices, Ints
from scrapy_cetr.extraction.page.nodes import MAX_DEPTH, near_text

# On a page with more containers, only those with rows are kept.
MAX_CONTAINERS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Containers:
    """The containers in preorder; the first represents the page and is its own parent.

    ``class_name`` is the index of each in ``page.class_name``, -1 for the page. Its rows are those
    from ``first_row`` on and before ``last_row``; ``of_row`` is the innermost container of each
    row.
    """

    code: Indices
    parent: Indices
    class_name: Indices
    first_row: Indices
    last_row: Indices
    of_row: Indices

    def __len__(self) -> int:
        return len(self.code)


def find_containers(tags: Codes, tag_offset: Ints, openers: Ints) -> Containers:
    """Nest the containers around rows that begin with or after the given tags.

    Tags are paired by depth alone: an end tag closes the innermost open container, whatever its
    name. On a well-formed page, that is the tree; on others, it is near enough.
    """
    near = near_text(tag_offset)
    columns, of_row = loops.nest_containers(tags, near, openers, MAX_DEPTH)
    code, parent, class_name, first_row, last_row = columns
    return _cut_down(Containers(code, parent, class_name, first_row, last_row, of_row))


def _cut_down(tree: Containers) -> Containers:
    """Leave out containers without rows, if there are far too many."""
    if len(tree) <= MAX_CONTAINERS:
        return tree
    taken = tree.first_row < tree.last_row
    taken[0] = True
    number = np.cumsum(taken) - 1
    return Containers(
        code=tree.code[taken],
        parent=number[tree.parent[taken]],
        class_name=tree.class_name[taken],
        first_row=tree.first_row[taken],
        last_row=tree.last_row[taken],
        of_row=number[tree.of_row],
    )
