"""Where each piece of a text stands: in an item, a cell, or code."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_cetr.extraction.elements import (
    BLOCK,
    BULLETS,
    CELL,
    CODE,
    DEFINITION,
    DEFINITIONS,
    GAP,
    LINE,
    LIST_ITEM,
    NUMBERED,
    SEPARATORS,
    TABLE,
    TABLE_ROW,
)
from scrapy_cetr.extraction.page.outline import LINE_NUMBERS, Outline

CELL_SEPARATOR = " | "
BULLET, DEFINITION_INDENT = "- ", "  "
_LISTS = frozenset((BULLETS, NUMBERED, DEFINITIONS))


class Context(NamedTuple):
    """The elements of an outline around a text, -1 for none, and how its lines are indented.

    ``item`` is the innermost item, ``group`` the outermost list; ``lead`` is written before the
    first line of the item, ``indent`` before others.
    """

    item: int = -1
    group: int = -1
    lead: str = ""
    indent: str = ""
    table: int = -1
    row: int = -1
    cell: int = -1
    column: int = 0
    code: int = -1
    is_hidden: bool = False


NOWHERE = Context()


def contexts_of(outline: Outline) -> list[Context]:
    """Return the context of each element, and last that of text outside of all."""
    contexts: list[Context] = []
    for element, (kind, parent) in enumerate(zip(outline.kind, outline.parent, strict=True)):
        outer = contexts[parent] if parent >= 0 else NOWHERE
        contexts.append(_inside(outer, element, kind, outline) if kind else outer)
    contexts.append(NOWHERE)
    return contexts


def _inside(outer: Context, element: int, kind: int, outline: Outline) -> Context:
    # Replacing fields of a named tuple takes longer than making another.
    item, group, lead, indent, table, row, cell, column, code, is_hidden = outer
    if kind in (LIST_ITEM, DEFINITION):
        marker = item_marker(outline, element)
        item, lead, indent = element, indent + marker, indent + " " * len(marker)
        group = group if group >= 0 else element
    elif kind in _LISTS:
        if group >= 0:
            return outer
        group = element
    elif kind == TABLE:
        table = element
    elif kind == TABLE_ROW:
        row = element
    elif kind == CELL:
        cell, column = element, outline.number[element]
    elif kind == CODE:
        code = element
    elif kind == LINE_NUMBERS:
        is_hidden = True
    else:
        return outer
    return Context(item, group, lead, indent, table, row, cell, column, code, is_hidden)


def item_marker(outline: Outline, item: int) -> str:
    """Return what is written before an item of a list."""
    if outline.kind[item] == DEFINITION:
        return DEFINITION_INDENT
    parent = outline.parent[item]
    is_numbered = parent >= 0 and outline.kind[parent] == NUMBERED
    return f"{outline.number[item]}. " if is_numbered else BULLET


def separator(last: Context, context: Context, strength: int, *, is_first: bool) -> str:
    """Return what is written between two pieces of text, and before the second.

    ``is_first`` tells whether the second is the first piece of its item.
    """
    if context.row >= 0 and context.row == last.row:
        if context.cell == last.cell:
            return " " if strength else ""
        return CELL_SEPARATOR * max(context.column - last.column, 1)
    if strength < LINE:
        return SEPARATORS[strength]
    indent = context.lead if is_first else context.indent
    if context.row >= 0:
        indent += CELL_SEPARATOR.lstrip() * context.column
    in_one = (
        (context.row >= 0 and last.row >= 0 and context.table == last.table)
        or (context.code >= 0 and context.code == last.code)
        or (context.group >= 0 and context.group == last.group and (is_first or context.item < 0))
    )
    if in_one and (strength < GAP or context.row >= 0):
        return f"\n{indent}"
    # The text before and after a list, a table or code is another paragraph.
    if (last.table, last.code, last.group) != (context.table, context.code, context.group):
        strength = max(strength, BLOCK)
    return SEPARATORS[strength] + indent
