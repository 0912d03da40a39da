"""Code of a page that is written in the cells of a table or the items of a list, line by line."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import CELL, CODE, ELEMENT_CODES, TABLE, TABLE_ROW
from scrapy_cetr.extraction.loops.outline_lines import COUNT, END, KIND, PARENT, TABLES, TAG
from scrapy_cetr.extraction.page.page import Page

# The kind of elements that are there for layout, and of line numbers, which are not written.
LAYOUT, LINE_NUMBERS = 0, -1

_CODE_TAGS = (ELEMENT_CODES["pre"], ELEMENT_CODES["code"])
_MIN_LINES = 2


def mark_listings(page: Page, columns: Ints, kind: Ints) -> None:
    """Mark code in tables and the line numbers beside it, and forget lists and tables in code."""
    if ((page.tags == _CODE_TAGS[0]) | (page.tags == _CODE_TAGS[1])).any():
        tables = np.flatnonzero((columns[KIND] == TABLE) & (columns[TABLES] == 0)).tolist()
        if tables:
            _mark_tables(page, columns, kind, tables)
        if (kind == CODE).any():
            _forget_inside_code(columns[PARENT].tolist(), kind)


def _mark_tables(page: Page, columns: Ints, kind: Ints, tables: list[int]) -> None:
    cells_of: dict[int, list[int]] = defaultdict(list)
    rows_of: dict[int, list[int]] = defaultdict(list)
    parents = columns[PARENT].tolist()
    for element in np.flatnonzero(columns[KIND] == CELL).tolist():
        cells_of[parents[element]].append(element)
    for row in cells_of:
        rows_of[parents[row]].append(row)
    for table in tables:
        # A row with line numbers has two cells, both with text.
        rows = [row for row in rows_of[table] if len(cells_of[row]) == 2 == columns[COUNT, row]]
        pairs = [(cells_of[row][0], cells_of[row][1]) for row in rows]
        if len(pairs) == 1:
            _mark_one_row(page, columns, kind, *pairs[0], table=table)
        elif len(pairs) == len(rows_of[table]) and _is_counted(
            [_text(page, columns, first) for first, _ in pairs]
        ):
            with_code = sum(_has_code(page, columns, second) for _, second in pairs)
            if 2 * with_code > len(pairs):
                _forget_table(parents, kind, table)
                kind[table] = CODE
                kind[[first for first, _ in pairs]] = LINE_NUMBERS


def _mark_one_row(
    page: Page, columns: Ints, kind: Ints, numbers: int, code: int, *, table: int
) -> None:
    """Mark a cell of line numbers beside a cell of code."""
    lines = _text(page, columns, numbers).split()
    if _is_counted(lines) and _has_code(page, columns, code):
        parents = columns[PARENT].tolist()
        _forget_table(parents, kind, table)
        kind[numbers] = LINE_NUMBERS
        # Highlighters without <pre> write each line as a block with <code>.
        if CODE not in kind[[one for one, parent in enumerate(parents) if parent == code]]:
            kind[code] = CODE


def _forget_table(parents: list[int], kind: Ints, table: int) -> None:
    for element in range(table, len(parents)):
        if element > table and parents[element] < table:
            break
        if kind[element] in (TABLE, TABLE_ROW, CELL):
            kind[element] = LAYOUT


def _forget_inside_code(parents: list[int], kind: Ints) -> None:
    inside = [False] * len(parents)
    kinds = kind.tolist()
    for element, parent in enumerate(parents):
        inside[element] = parent >= 0 and (inside[parent] or kinds[parent] == CODE)
        if inside[element] and kinds[element] != LINE_NUMBERS:
            kind[element] = LAYOUT


def _text(page: Page, columns: Ints, cell: int) -> str:
    return page.text[page.tag_offset[columns[TAG, cell]] : columns[END, cell]].strip()


def _is_counted(lines: list[str]) -> bool:
    """Tell whether lines are consecutive numbers.

    >>> _is_counted(["9", "10", "11"]), _is_counted(["1", "3"]), _is_counted(["1"])
    (True, False, False)
    """
    if len(lines) < _MIN_LINES or not (lines[0].isdecimal() and len(lines[0]) < 9):
        return False
    first = int(lines[0])
    return all(line == str(number) for number, line in enumerate(lines, first))


def _has_code(page: Page, columns: Ints, cell: int) -> bool:
    first = int(columns[TAG, cell])
    last = int(np.searchsorted(page.tag_offset, columns[END, cell], side="left"))
    return bool(np.isin(page.tags[first:last], _CODE_TAGS).any())
