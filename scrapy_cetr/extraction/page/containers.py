"""The elements of a page that can hold paragraphs, as a tree, and where in it each row lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints, flag_indices
from scrapy_cetr.extraction.elements import END_OPTIONAL, FIRST_CONTAINER
from scrapy_cetr.extraction.loops import compiled
from scrapy_cetr.extraction.page.nodes import MAX_DEPTH, near_text
from scrapy_cetr.extraction.page.page import Page

# Of a page with more, only those with rows are containers.
MAX_CONTAINERS = 1 << 16
_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Containers:
    """The containers in preorder, the first standing for the page itself and its own parent.

    ``label`` is the place of each in ``page.class_name``, -1 for the page. Its rows are those from
    ``first_row`` on and before ``last_row``; ``of_row`` is the innermost container of each row.
    """

    code: Indices
    parent: Indices
    label: Indices
    first_row: Indices
    last_row: Indices
    of_row: Indices

    def __len__(self) -> int:
        return len(self.code)


def find_containers(page: Page, openers: Ints) -> Containers:
    """Nest the containers around rows that begin with or behind the given tags.

    Tags are paired by depth alone: an end tag closes the innermost open container, whatever its
    name. On a page that is well formed, that is the tree; on others, it is near enough.
    """
    near = near_text(page.tag_offset)
    nest = compiled.loops.nest if compiled.COMPILED else _nest
    (code, parent, label, first_row, last_row), of_row = nest(page.tags, near, openers, MAX_DEPTH)
    return _cut_down(Containers(code, parent, label, first_row, last_row, of_row))


def _nest(
    tags: Codes, near: Bools, openers: Ints, deepest: int
) -> tuple[NDArray[np.intp], Indices]:
    """Nest the containers of tags that are near to text: all columns, the last by itself."""
    at = flag_indices(near & ((tags >= FIRST_CONTAINER) | (tags <= -FIRST_CONTAINER)))
    at = at[_take_part(tags[at])]
    level = _levels(tags[at])
    shallow = level <= deepest
    at, level = at[shallow], level[shallow].astype(np.int16)
    is_start = tags[at] > 0
    number = np.cumsum(is_start, dtype=np.int32)
    # In order of levels, and of places within a level, each start stands before its own end.
    order = np.argsort(level, kind="stable")
    opens = is_start[order]
    parent = _parents(order[opens], is_start, number)
    closed = np.flatnonzero(opens[:-1] & (level[order[1:]] == level[order[:-1]]))
    start_of, end_of = order[closed], order[closed + 1]
    # Behind a start is its container, behind the end of one is the parent.
    inner = np.zeros(len(at) + 1, np.int32)
    inner[1:] = number * is_start
    inner[end_of + 1] = parent[number[start_of]]
    end = np.full(len(at), len(tags), np.int32)
    end[start_of] = at[end_of]
    begin, end = at[is_start], end[is_start]
    columns = np.zeros((5, len(parent)), np.intp)
    columns[2, 0], columns[4, 0] = -1, len(openers)
    columns[0, 1:] = tags[begin]
    columns[1] = parent
    columns[2, 1:] = np.cumsum(tags >= FIRST_CONTAINER, dtype=np.int32)[begin] - 1
    columns[3, 1:] = np.searchsorted(openers, begin)
    columns[4, 1:] = np.searchsorted(openers, end)
    return columns, inner[np.searchsorted(at, openers, side="right")].astype(np.intp)


def _levels(tags: Codes) -> Ints:
    """Tell how deep in the tree tags are, from 1 on."""
    level = np.cumsum(np.sign(tags), dtype=np.int32)
    # An end tag that closes nothing is left out, and so never takes the depth below zero.
    level -= np.minimum(np.minimum.accumulate(level), 0)
    level += tags < 0
    return level


def _parents(starts: Indices, is_start: Bools, number: Ints) -> Ints:
    """Give the parent of each container, where ``starts`` come in order of their levels."""
    # A first child stands behind the start of its parent, others behind the end of one before.
    is_first = is_start[starts - 1] & (starts > 0)
    first = np.where(is_first, np.arange(len(starts)), 0)
    parents = np.where(is_first, number[starts - 1], np.int32(0))
    parent = np.zeros(len(starts) + 1, np.int32)
    parent[number[starts]] = parents[np.maximum.accumulate(first)]
    return parent


def _take_part(tags: Codes) -> Bools:
    """Tell which tags make the tree."""
    count = np.zeros(256, np.intp)
    # A part of them at a time, as numpy makes large numbers of them.
    for first in range(0, len(tags), _AT_ONCE):
        count += np.bincount(tags[first : first + _AT_ONCE].view(np.uint8), minlength=256)
    partial = [code for code in END_OPTIONAL if count[code] != count[256 - code]]
    taken = np.ones(len(tags), np.bool_)
    for code in partial:
        taken &= (tags != code) & (tags != -code)
    return taken


def _cut_down(tree: Containers) -> Containers:
    """Leave out what has no rows, if there is far too much of it."""
    if len(tree) <= MAX_CONTAINERS:
        return tree
    taken = tree.first_row < tree.last_row
    taken[0] = True
    number = np.cumsum(taken) - 1
    return Containers(
        code=tree.code[taken],
        parent=number[tree.parent[taken]],
        label=tree.label[taken],
        first_row=tree.first_row[taken],
        last_row=tree.last_row[taken],
        of_row=number[tree.of_row],
    )
