"""Code of a page that is written in the cells of a table or the items of a list, line by line."""

from __future__ import annotations

from bisect import bisect_left
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
    code = np.flatnonzero((page.tags == _CODE_TAGS[0]) | (page.tags == _CODE_TAGS[1]))
    if not len(code):
        return
    parents = columns[PARENT].tolist()
    tables = np.flatnonzero((columns[KIND] == TABLE) & (columns[TABLES] == 0)).tolist()
    if tables:
        listings = _Listings(page, columns, kind, parents, code.tolist())
        for table in tables:
            listings.mark(table)
    if (kind == CODE).any():
        _forget_inside_code(parents, kind)


class _Listings:
    """Tables around pieces of a text, of which some are listings of code."""

    def __init__(
        self, page: Page, columns: Ints, kind: Ints, parents: list[int], code: list[int]
    ) -> None:
        self._page, self._kind, self._parents = page, kind, parents
        self._code = code  # the indices of tags
        self._tag, self._end = columns[TAG].tolist(), columns[END].tolist()
        self._count = columns[COUNT].tolist()
        self._around_pre = {parents[one] for one in np.flatnonzero(columns[KIND] == CODE).tolist()}
        self._cells_of: dict[int, list[int]] = defaultdict(list)
        self._rows_of: dict[int, list[int]] = defaultdict(list)
        for cell in np.flatnonzero(columns[KIND] == CELL).tolist():
            self._cells_of[parents[cell]].append(cell)
        for row in self._cells_of:
            self._rows_of[parents[row]].append(row)

    def mark(self, table: int) -> None:
        """Mark line numbers and code, if the table has both: two cells in a row, each with text."""
        rows = [self._cells_of[row] for row in self._rows_of[table] if self._count[row] == 2]
        pairs = [(cells[0], cells[1]) for cells in rows if len(cells) == 2]
        if not pairs or len(pairs) < len(self._rows_of[table]):
            return
        if len(pairs) == 1:
            numbers, code = pairs[0]
            if _are_counted(self._text(numbers).split()) and self._has_code(code):
                _forget_table(self._parents, self._kind, table)
                self._kind[numbers] = LINE_NUMBERS
                # Highlighters without <pre> write each line as a block with <code>.
                if code not in self._around_pre:
                    self._kind[code] = CODE
        elif _are_counted([self._text(numbers) for numbers, _ in pairs]) and (
            2 * sum(self._has_code(code) for _, code in pairs) > len(pairs)
        ):
            _forget_table(self._parents, self._kind, table)
            self._kind[table] = CODE
            self._kind[[numbers for numbers, _ in pairs]] = LINE_NUMBERS

    def _text(self, cell: int) -> str:
        return self._page.text[self._page.tag_offset[self._tag[cell]] : self._end[cell]].strip()

    def _has_code(self, cell: int) -> bool:
        following = bisect_left(self._code, self._tag[cell])
        return following < len(self._code) and bool(
            self._page.tag_offset[self._code[following]] < self._end[cell]
        )


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


def _are_counted(lines: list[str]) -> bool:
    """Tell whether lines are consecutive numbers.

    >>> _are_counted(["9", "10", "11"]), _are_counted(["1", "3"]), _are_counted(["1"])
    (True, False, False)
    """
    if len(lines) < _MIN_LINES or not (lines[0].isdecimal() and len(lines[0]) < 9):
        return False
    first = int(lines[0])
    return all(line == str(number) for number, line in enumerate(lines, first))
