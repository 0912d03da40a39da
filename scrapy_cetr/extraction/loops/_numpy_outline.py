"""The lists, tables, quotations and code around pieces of a text."""

from __future__ import annotations

from array import array

import numpy as np

from scrapy_cetr.extraction.columns import Codes, Ints, flag_indices
from scrapy_cetr.extraction.elements import (
    BULLETS,
    CELL,
    DEFINITION,
    DEFINITIONS,
    DIVISION,
    HEADER_CELL,
    LIST_ITEM,
    NUMBERED,
    STRUCTURE_KINDS,
    TABLE,
    TABLE_ROW,
    TERM,
)
from scrapy_cetr.extraction.loops.outline_lines import END, LINES

_LISTS = (BULLETS, NUMBERED)
# Where too many elements are open, the tags of these are counted: they are always closed.
_COUNTED = (BULLETS, NUMBERED, TABLE)
# Only these are counted in an element around them.
_PARENTS = {
    LIST_ITEM: _LISTS,
    TERM: (DEFINITIONS,),
    DEFINITION: (DEFINITIONS,),
    TABLE_ROW: (TABLE,),
    CELL: (TABLE_ROW,),
}


class _Open:
    """An element that is open."""

    __slots__ = (
        *("kind", "tag", "ordinal", "begin", "number"),
        *("count", "filled", "wide", "longest", "divisions", "tables", "headers"),
    )

    def __init__(self, kind: int, tag: int, ordinal: int, begin: int) -> None:
        self.kind, self.tag, self.ordinal, self.begin = kind, tag, ordinal, begin
        self.number = -1  # in the result, if it is there
        self.count = self.filled = self.wide = self.longest = 0
        self.divisions = self.tables = self.headers = 0


class _Outline:
    """The open elements, and those around a piece of text, which are the result."""

    def __init__(self, deepest: int) -> None:
        self.deepest = deepest
        self.too_deep = 0
        self.offset = self.visible = 0  # of the tag that is read
        self.stack: list[_Open] = []
        # How many elements of each kind are open, in each open table and outside of all.
        self.open = [[0] * DIVISION]
        self.columns = [array("i") for _ in range(LINES)]

    def start(self, kind: int, tag: int, code: int) -> None:
        """Open an element, and close those that it implies the end of."""
        if self.too_deep:
            self.too_deep += kind in _COUNTED
        elif kind >= DIVISION:
            if self.stack and (kind == DIVISION or self.stack[-1].kind == CELL):
                self.stack[-1].divisions += 1
        elif kind in (TABLE_ROW, CELL):
            if len(self.open) > 1:
                self.start_in_table(kind, tag, code)
        else:
            last = self.stack[-1].kind if self.stack else 0
            if (kind == LIST_ITEM and last == LIST_ITEM) or (
                kind in (TERM, DEFINITION) and last in (TERM, DEFINITION)
            ):
                self.pop()
            self.push(kind, tag)

    def start_in_table(self, kind: int, tag: int, code: int) -> None:
        """Open a row or a cell; a cell outside of a row opens one."""
        in_row = kind == CELL and self.open[-1][TABLE_ROW]
        while self.stack[-1].kind != (TABLE_ROW if in_row else TABLE):
            self.pop()
        if kind == CELL and not in_row:
            self.push(TABLE_ROW, tag)
        self.push(kind, tag)
        if code == HEADER_CELL and self.stack[-1].kind == CELL:
            self.stack[-3].headers += 1

    def push(self, kind: int, tag: int) -> None:
        """Open an element, unless too many are open."""
        if len(self.stack) == self.deepest:
            self.too_deep += kind in _COUNTED
            return
        ordinal = 0
        if self.stack and self.stack[-1].kind in _PARENTS.get(kind, ()):
            ordinal = self.stack[-1].count
            self.stack[-1].count += 1
        self.stack.append(_Open(kind, tag, ordinal, self.visible))
        if kind == TABLE:
            self.open.append([0] * DIVISION)
        self.open[-1][kind] += 1

    def end(self, kind: int) -> None:
        """Close an element, and those inside of it; what is around a table stays open."""
        if self.too_deep:
            self.too_deep -= kind in _COUNTED
        elif kind in (LIST_ITEM, TERM, DEFINITION):
            # These end tags are ignored inside of another list.
            if self.stack and self.stack[-1].kind == kind:
                self.pop()
        elif kind < DIVISION and self.open[-1][kind]:
            while self.pop() != kind:
                pass

    def pop(self) -> int:
        """Close the innermost element, and return its kind."""
        last = self.stack.pop()
        self.open[-1][last.kind] -= 1
        outer = self.stack[-1] if self.stack else None
        size = self.visible - last.begin
        if last.kind == TABLE:
            self.open.pop()
        if outer is not None:
            outer.divisions += last.divisions
            outer.tables += last.tables + (last.kind == TABLE)
            if last.kind == CELL:
                outer.filled += size > 0
                outer.longest = max(outer.longest, size)
            elif last.kind == TABLE_ROW:
                outer.wide += last.filled > 1
                outer.longest = max(outer.longest, last.longest)
        if last.number >= 0:
            measured = (last.count, last.wide, last.longest, last.divisions, last.tables)
            for line, value in enumerate((self.offset, size, *measured, last.headers), END):
                self.columns[line][last.number] = value
        return last.kind

    def innermost(self) -> int:
        """Return the number of the innermost open element; all open ones get one."""
        if not self.stack:
            return -1
        if self.stack[-1].number < 0:
            parent = -1
            for element in self.stack:
                if element.number < 0:
                    element.number = len(self.columns[0])
                    values = (element.kind, parent, element.tag, element.ordinal)
                    for column, value in zip(
                        self.columns, (*values, *[0] * (LINES - END)), strict=True
                    ):
                        column.append(value)
                parent = element.number
        return self.stack[-1].number


def outline(
    tags: Codes,
    offset: Ints,
    length: int,
    row_start: Ints,
    row_chars: Ints,
    pieces: Ints,
    deepest: int,
) -> tuple[Ints, Ints]:
    """Find the elements with a kind of STRUCTURE_KINDS around the given offsets, which ascend.

    Returns the innermost element of each piece, -1 for none, and a matrix with a column for each
    element around any piece, parents first. Its lines are the constants of ``outline_lines``: the
    element's kind, its parent, the index of its start tag, its position among the items of its
    list, the rows of its table or the cells of its row; where its text ends (at ``length`` for one
    that is never closed); and what it holds: visible characters, items, rows or cells, rows with
    more than one filled cell, characters of the longest cell, divisions, tables, header cells of
    its own. Elements deeper than ``deepest`` are left out.
    """
    kinds = STRUCTURE_KINDS[np.abs(tags)]
    at = flag_indices(kinds != 0)
    found = _Outline(deepest)
    of_piece = np.empty(len(pieces), np.int32)
    starts, chars, wanted = row_start.tolist(), row_chars.tolist(), pieces.tolist()
    row = piece = 0
    for tag, where, code, kind in zip(
        at.tolist(), offset[at].tolist(), tags[at].tolist(), kinds[at].tolist(), strict=True
    ):
        while piece < len(wanted) and wanted[piece] < where:
            of_piece[piece] = found.innermost()
            piece += 1
        if piece == len(wanted) and not (found.stack and found.stack[0].number >= 0):
            break
        while row < len(starts) and starts[row] < where:
            found.visible += chars[row]
            row += 1
        found.offset = where
        if code > 0:
            found.start(kind, tag, code)
        else:
            found.end(kind)
    while piece < len(wanted):
        of_piece[piece] = found.innermost()
        piece += 1
    found.visible += sum(chars[row:])
    found.offset = length
    while found.stack:
        found.pop()
    return of_piece, np.array([np.frombuffer(line, np.int32) for line in found.columns])
