"""The lists, tables, quotations and code of a page, without those that are there for layout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints, closed
from scrapy_cetr.extraction.elements import (
    BULLETS,
    CELL,
    DEFINITION,
    DEFINITIONS,
    HEADING,
    LIST_ITEM,
    NUMBERED,
    QUOTATION,
    TABLE,
    TABLE_ROW,
    TERM,
)
from scrapy_cetr.extraction.loops.outline_lines import (
    COUNT,
    DIVISIONS,
    END,
    HEADERS,
    KIND,
    LONGEST,
    ORDINAL,
    PARENT,
    SIZE,
    TABLES,
    TAG,
    WIDE,
)
from scrapy_cetr.extraction.page.listings import LAYOUT as LAYOUT
from scrapy_cetr.extraction.page.listings import LINE_NUMBERS as LINE_NUMBERS
from scrapy_cetr.extraction.page.listings import mark_listings
from scrapy_cetr.extraction.page.numbering import cell_columns, item_numbers
from scrapy_cetr.extraction.page.page import Page

# Elements inside of more of these are left out.
_DEEPEST = 64
# No page for people has more pieces of text; they are written without structure.
_MAX_PIECES = 1 << 17
# A list with longer items on average is there for layout.
_MAX_ITEM_CHARS = 1000
# The same for the longest cell of a table, with and without header cells.
_MAX_HEADED_CELL_CHARS, _MAX_CELL_CHARS = 2000, 500
# The divisions and headings per row that the cells of a table without header cells may have.
_MAX_ROW_DIVISIONS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The elements around pieces of a page's text that give it structure, parents first.

    ``of_piece`` is the innermost element of each piece, -1 for none. The others have a number for
    each element: its kind in ``elements``, LAYOUT or LINE_NUMBERS; its parent, or -1; the index of
    its start tag, its position among the items of its list or the cells of its row, and the number
    of an item, or the column of a cell. ``reversed_lists`` are the elements whose items count down.
    """

    of_piece: Ints
    kind: list[int]
    parent: list[int]
    tag: list[int]
    ordinal: list[int]
    number: list[int]
    reversed_lists: frozenset[int] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether the text is only paragraphs and quotations."""
        return all(kind in (LAYOUT, QUOTATION) for kind in self.kind)


def find_outline(page: Page, pieces: Ints) -> Outline:
    """Find the elements around pieces of text, given by ascending offsets."""
    if len(pieces) > _MAX_PIECES:
        return Outline(np.full(len(pieces), -1, np.int32), [], [], [], [], [])
    of_piece, columns = _outline(page, pieces)
    if not _has_structure(columns):
        return Outline(np.full_like(of_piece, -1), [], [], [], [], [])
    kind = _kinds(columns)
    mark_listings(page, columns, kind)
    number = columns[ORDINAL].copy()
    reversed_lists = item_numbers(page, columns, kind, number)
    cell_columns(page, columns, kind, number)
    return Outline(
        of_piece,
        kind.tolist(),
        columns[PARENT].tolist(),
        columns[TAG].tolist(),
        columns[ORDINAL].tolist(),
        number.tolist(),
        reversed_lists,
    )


def data_tables(page: Page, pieces: Ints) -> list[tuple[int, int]]:
    """Return where the text of each data table around any of the pieces begins and ends."""
    _, columns = _outline(page, pieces)
    if not np.count_nonzero(columns[WIDE] > 1):
        return []
    tables = np.flatnonzero((columns[KIND] == TABLE) & _have_data(columns))
    return [(int(page.tag_offset[columns[TAG, one]]), int(columns[END, one])) for one in tables]


def _outline(page: Page, pieces: Ints) -> tuple[Ints, Ints]:
    rows = page.rows
    return loops.outline(
        page.tags,
        page.tag_offset,
        len(page.text),
        rows.start,
        rows.chars,
        pieces,
        _DEEPEST,
    )


def _has_structure(columns: Ints) -> bool:
    """Tell whether there is anything but tables for layout, quickly."""
    return columns.shape[1] > 0 and (
        columns[KIND].min() < TABLE or bool(np.count_nonzero(columns[WIDE] > 1))
    )


def _kinds(columns: Ints) -> Ints:
    """Return the kind of each element, LAYOUT for lists and tables without data."""
    before = closed(columns[KIND], LAYOUT)  # The last is the parent of those without one.
    kind, parent = before.copy(), columns[PARENT]
    kind[:-1][_IS_LIST[columns[KIND]] & ~_are_lists(columns)] = LAYOUT
    has_tables = np.count_nonzero(columns[WIDE] > 1) > 0
    kind[:-1][(columns[KIND] == TABLE) & ~(has_tables and _have_data(columns))] = LAYOUT
    misplaced = _IS_MISPLACED[kind[:-1], kind[parent]]
    # An item outside of a list is one, as in a browser, unless it holds other blocks.
    alone = (before[:-1] == LIST_ITEM) & ~_IS_LIST[before[parent]]
    if alone.any():
        misplaced[alone] = ((columns[DIVISIONS] > 0) | (columns[SIZE] > _MAX_ITEM_CHARS))[alone]
    kind[:-1][misplaced] = LAYOUT
    kind[:-1][(before[:-1] == CELL) & (kind[parent] != TABLE_ROW)] = LAYOUT
    return kind[:-1]


def _tabulate_misplaced() -> Bools:
    """Tabulate which kinds, the first index, are nothing inside of others."""
    table = np.zeros((HEADING + 1, HEADING + 1), np.bool_)
    for kind, outer in (
        (LIST_ITEM, [BULLETS, NUMBERED]),
        (TERM, [DEFINITIONS]),
        (DEFINITION, [DEFINITIONS]),
        (TABLE_ROW, [TABLE]),
    ):
        table[kind] = True
        table[kind, outer] = False
    return table


_IS_LIST = np.isin(np.arange(HEADING + 1), (BULLETS, NUMBERED, DEFINITIONS))
_IS_MISPLACED = _tabulate_misplaced()


def _are_lists(columns: Ints) -> Bools:
    """Tell which lists are not for layout: they have items, and hardly any blocks in these."""
    count = columns[COUNT]
    lists: Bools = (columns[DIVISIONS] < count) & (columns[SIZE] <= _MAX_ITEM_CHARS * count)
    return lists


def _have_data(columns: Ints) -> Bools:
    """Tell which tables have data: no table inside, several rows of several short cells."""
    headed = columns[HEADERS] > 0
    longest = np.where(headed, _MAX_HEADED_CELL_CHARS, _MAX_CELL_CHARS)
    few = headed | (columns[DIVISIONS] <= _MAX_ROW_DIVISIONS * columns[COUNT])
    data: Bools = (columns[TABLES] == 0) & (columns[WIDE] > 1) & (columns[LONGEST] <= longest) & few
    return data
