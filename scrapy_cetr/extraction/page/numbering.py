"""The numbers of list items and the columns of cells, by the attributes of their tags."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scrapy_cetr.extraction.columns import Ints, flag_indices
from scrapy_cetr.extraction.elements import (
    CELL,
    LIST_ITEM,
    NUMBERED,
    STRUCTURE_KINDS,
    TABLE_ROW,
)
from scrapy_cetr.extraction.loops.numbers import MISSING
from scrapy_cetr.extraction.loops.outline_lines import COUNT, ORDINAL, PARENT, TAG
from scrapy_cetr.extraction.page.page import Page

# In tables with more columns, cells are not moved by those that span several: a hostile table
# would become far larger than its source.
MAX_SPANNED_COLUMNS = 32

Numbers = Mapping[int, tuple[int, int]]


def item_numbers(page: Page, columns: Ints, kind: Ints, number: Ints) -> frozenset[int]:
    """Write the numbers of items in numbered lists into ``number``; return the reversed lists."""
    lists = kind == NUMBERED
    if not lists.any():
        return frozenset()
    items = np.flatnonzero((kind == LIST_ITEM) & np.append(lists, False)[columns[PARENT]])
    number[items] += 1
    given = _numbers_of(page, columns[TAG][lists | (kind == LIST_ITEM)])
    if not given:
        return frozenset()
    # The next number of a list, and the position of its item.
    counters: dict[int, tuple[int, int]] = {}
    steps: dict[int, int] = {}
    for one in np.flatnonzero(lists).tolist():
        start, is_reversed = given.get(int(columns[TAG, one]), (MISSING, MISSING))
        steps[one] = 1 if is_reversed == MISSING else -1
        if start == MISSING:
            start = 1 if is_reversed == MISSING else int(columns[COUNT, one])
        counters[one] = (start, 0)
    for item in items.tolist():
        of_list, ordinal = int(columns[PARENT, item]), int(columns[ORDINAL, item])
        value = given.get(int(columns[TAG, item]), (MISSING, 0))[0]
        if value != MISSING:
            counters[of_list] = (value, ordinal)
        first, since = counters[of_list]
        number[item] = first + steps[of_list] * (ordinal - since)
    return frozenset(one for one, step in steps.items() if step < 0)


def cell_columns(page: Page, columns: Ints, kind: Ints, number: Ints) -> None:
    """Move cells in ``number`` to the right of those that span several columns or rows."""
    if not len(page.numbers):
        return
    rows = np.flatnonzero(kind == TABLE_ROW)
    if not len(rows):
        return
    widest = np.zeros(len(kind), np.int32)
    np.maximum.at(widest, columns[PARENT][rows], columns[COUNT][rows])
    cells = flag_indices(STRUCTURE_KINDS[np.maximum(page.tags, 0)] == CELL)
    given = _numbers_of(page, cells)
    if not given:
        return
    column_of: dict[int, int] = {}
    below: dict[int, dict[int, int]] = {}  # the columns that are taken, and by how many rows more
    for row in rows.tolist():
        table = int(columns[PARENT, row])
        if widest[table] > MAX_SPANNED_COLUMNS:
            continue
        first = int(np.searchsorted(cells, columns[TAG, row]))
        tags = cells[first : first + int(columns[COUNT, row])].tolist()
        taken = below.setdefault(table, {})
        column_of.update(_place(tags, taken, given, int(widest[table])))
    for cell in np.flatnonzero(kind == CELL).tolist():
        number[cell] = column_of.get(int(columns[TAG, cell]), number[cell])


def _place(tags: list[int], taken: dict[int, int], given: Numbers, width: int) -> dict[int, int]:
    """Return the column of each cell of a row; ``taken`` changes from this row to the next."""
    column = 0
    placed: dict[int, int] = {}
    added: dict[int, int] = {}
    for tag in tags:
        while taken.get(column, 0) > 0 and column < width:
            column += 1
        placed[tag] = column
        across, down = given.get(tag, (1, 1))
        for spanned in range(column, min(column + max(across, 1), width)):
            added[spanned] = max(down, 1)
        column += min(max(across, 1), width)
        column = min(column, width)
    for column in [*taken]:
        taken[column] -= 1
        if taken[column] <= 0:
            del taken[column]
    taken.update({column: down - 1 for column, down in added.items() if down > 1})
    return placed


def cell_spans(page: Page) -> Numbers:
    """Return the numbers of columns and rows that cells span, by the index of the tag."""
    is_cell = STRUCTURE_KINDS[np.maximum(page.tags[page.numbers[:, 0]], 0)] == CELL
    return {
        tag: (min(max(across, 1), 1000), min(max(down, 1), 65534))
        for tag, across, down in page.numbers[is_cell].tolist()
    }


def _numbers_of(page: Page, tags: Ints) -> dict[int, tuple[int, int]]:
    """Return the numbers of some tags, by their indices."""
    if not len(page.numbers):
        return {}
    some = page.numbers[np.isin(page.numbers[:, 0], tags)]
    return {tag: (first, second) for tag, first, second in some.tolist()}
