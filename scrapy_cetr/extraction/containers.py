"""The elements of a page that can hold paragraphs, as a tree, and where in it each row lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction.markup import CODES, FIRST_CONTAINER
from scrapy_cetr.extraction.page import Bools, Codes, Ints, Page, Places

# The end tags of these may be missing; where some are, they are no containers on that page.
_END_OPTIONAL = tuple(CODES[name] for name in ("li", "td", "dd", "dt"))


@dataclass(frozen=True, slots=True, eq=False)
class Containers:
    """The containers in preorder, the first standing for the page itself and its own parent.

    ``label`` is the place of each in ``page.labels``, -1 for the page. Its rows are those from
    ``first_row`` on and before ``last_row``; ``of_row`` is the innermost container of each row.
    """

    code: Places
    parent: Places
    label: Places
    first_row: Places
    last_row: Places
    of_row: Places

    def __len__(self) -> int:
        return len(self.code)


def find_containers(page: Page, openers: Ints) -> Containers:
    """Nest the containers around rows that begin with or behind the given tags.

    Tags are paired by depth alone: an end tag closes the innermost open container, whatever its
    name. On a page that is well formed, that is the tree; on others, it is near enough.
    """
    at = np.flatnonzero((page.tags >= FIRST_CONTAINER) | (page.tags <= -FIRST_CONTAINER))
    tags = page.tags[at]
    label = np.cumsum(tags > 0) - 1
    taken = np.flatnonzero(_take_part(tags))
    at, tags, label = at[taken], tags[taken], label[taken]
    is_start = tags > 0
    depth = np.cumsum(np.where(is_start, 1, -1))
    # An end tag that closes nothing is left out, and so never takes the depth below zero.
    depth -= np.minimum(np.minimum.accumulate(depth), 0) if len(depth) else 0
    level = depth + ~is_start
    # In order of levels, and of places within a level, each start stands before its own end.
    size = len(tags) + 1
    key = level * size + np.arange(len(tags))
    order = np.argsort(key)
    starts = order[is_start[order]]
    node = np.cumsum(is_start)
    outer = np.append(node[starts], 0)[np.searchsorted(key[starts], key - size) - 1]
    behind = np.append(order[1:], -1)[: len(order)]
    closed = is_start[order] & (level[behind] == level[order])
    # Nothing is behind the last.
    closed[-1:] = False
    end = np.full(len(tags), len(page.tags))
    end[order[closed]] = at[behind[closed]]
    inner = np.append(0, np.where(is_start, node, outer))
    of_start = np.flatnonzero(is_start)
    columns = np.zeros((5, len(of_start) + 1), np.intp)
    columns[2, 0], columns[4, 0] = -1, len(openers)
    columns[0, 1:] = tags[of_start]
    columns[1, 1:] = outer[of_start]
    columns[2, 1:] = label[of_start]
    columns[3, 1:] = np.searchsorted(openers, at[of_start])
    columns[4, 1:] = np.searchsorted(openers, end[of_start])
    code, parent, label, first_row, last_row = columns
    of_row = inner[np.searchsorted(at, openers, side="right")]
    return Containers(code, parent, label, first_row, last_row, of_row)


def _take_part(tags: Codes) -> Bools:
    """Tell which tags make the tree."""
    count = np.bincount(tags.view(np.uint8), minlength=256)
    partial = [code for code in _END_OPTIONAL if count[code] != count[256 - code]]
    return ~np.isin(np.abs(tags), partial) if partial else np.ones(len(tags), np.bool_)
