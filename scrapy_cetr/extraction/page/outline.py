"""The lists, tables, quotations and code of a page, without those that are there for layout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.elements import (
    BULLETS,
    CELL,
    DEFINITION,
    DEFINITIONS,
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
    its start tag, where its text ends, the number of an item, or the column of a cell. A list has
    the number of its first item.
    """

    of_piece: Ints
    kind: list[int]
    parent: list[int]
    tag: list[int]
    end: list[int]
    number: list[int]

    @property
    def is_plain(self) -> bool:
        """Whether the text is only paragraphs and quotations."""
        return all(kind in (LAYOUT, QUOTATION) for kind in self.kind)


def find_outline(page: Page, pieces: Ints) -> Outline:
    """Find the elements around pieces of text, given by ascending offsets."""
    of_piece, columns = _outline(page, pieces)
    if not columns.shape[1]:
        return Outline(of_piece, [], [], [], [], [])
    kind = _kinds(columns)
    mark_listings(page, columns, kind)
    number = columns[ORDINAL].copy()
    item_numbers(page, columns, kind, number)
    cell_columns(page, columns, kind, number)
    return Outline(
        of_piece,
        kind.tolist(),
        columns[PARENT].tolist(),
        columns[TAG].tolist(),
        columns[END].tolist(),
        number.tolist(),
    )


def data_tables(page: Page, pieces: Ints) -> list[tuple[int, int]]:
    """Return where the text of each data table around any of the pieces begins and ends."""
    _, columns = _outline(page, pieces)
    tables = np.flatnonzero(_kinds(columns) == TABLE) if columns.shape[1] else ()
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


def _kinds(columns: Ints) -> Ints:
    """Return the kind of each element, LAYOUT for lists and tables without data."""
    kind = columns[KIND].copy()
    parent = columns[PARENT]
    is_list = (kind == BULLETS) | (kind == NUMBERED) | (kind == DEFINITIONS)
    kind[is_list & ~_are_lists(columns)] = LAYOUT
    kind[(kind == TABLE) & ~_have_data(columns)] = LAYOUT
    # The root has no parent.
    outer = np.append(kind, LAYOUT)[parent]
    outer_before = np.append(columns[KIND], LAYOUT)[parent]
    is_part = (kind == TERM) | (kind == DEFINITION)
    kind[is_part & (outer != DEFINITIONS)] = LAYOUT
    # An item outside of a list is one, as in a browser, unless it holds other blocks.
    is_item = kind == LIST_ITEM
    in_list = (outer_before == BULLETS) | (outer_before == NUMBERED)
    alone = is_item & ~in_list & (columns[DIVISIONS] == 0) & (columns[SIZE] <= _MAX_ITEM_CHARS)
    kind[is_item & ~alone & (outer != BULLETS) & (outer != NUMBERED)] = LAYOUT
    kind[(kind == TABLE_ROW) & (outer != TABLE)] = LAYOUT
    kind[(kind == CELL) & (np.append(kind, LAYOUT)[parent] != TABLE_ROW)] = LAYOUT
    return kind


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
    data: Bools = (
        (columns[TABLES] == 0) & (columns[WIDE] > 1) & (columns[LONGEST] <= longest) & few
    )
    return data

