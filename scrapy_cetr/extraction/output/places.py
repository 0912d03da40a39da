"""Where each block stands: the lists, quotations and tables around it."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import (
    BULLETS,
    CELL,
    CODE,
    DEFINITION,
    DEFINITIONS,
    HEADER_CELL,
    LIST_ITEM,
    NUMBERED,
    QUOTATION,
    TABLE,
    TABLE_ROW,
    TERM,
)
from scrapy_cetr.extraction.output.blocks import Step
from scrapy_cetr.extraction.page.numbering import cell_spans
from scrapy_cetr.extraction.page.outline import LINE_NUMBERS, Outline, find_outline
from scrapy_cetr.extraction.page.page import Page

# Deeper nesting is left out: a reader sees no difference, and a hostile page can have any depth.
MAX_NESTING = 12

_NAMES = {
    BULLETS: "ul",
    NUMBERED: "ol",
    LIST_ITEM: "li",
    DEFINITIONS: "dl",
    TERM: "dt",
    DEFINITION: "dd",
    QUOTATION: "blockquote",
    TABLE: "table",
    TABLE_ROW: "tr",
    CELL: "td",
}
# These are left out with their parents.
_PARENTS = {TABLE_ROW: "table", CELL: "tr"}


class Place(NamedTuple):
    """The elements around a text; ``code`` is that of the outline, -1 for none."""

    path: tuple[Step, ...] = ()
    code: int = -1
    is_hidden: bool = False


def block_places(page: Page, offsets: Ints) -> list[Place]:
    """Return the place of each of some ascending offsets."""
    outline = find_outline(page, offsets)
    places = _places(page, outline)
    return [_closed(places[element]) for element in outline.of_piece.tolist()]


def _places(page: Page, outline: Outline) -> list[Place]:
    """Return the place inside of each element, and last that of text outside of all."""
    steps = _Steps(page, outline)
    places: list[Place] = []
    for element, (kind, parent) in enumerate(zip(outline.kind, outline.parent, strict=True)):
        outer = places[parent] if parent >= 0 else Place()
        if kind == CODE:
            places.append(outer._replace(code=element))
        elif kind == LINE_NUMBERS:
            places.append(outer._replace(is_hidden=True))
        elif kind in _NAMES and _fits(outer.path, kind):
            places.append(outer._replace(path=(*outer.path, steps.of(element, kind))))
        else:
            places.append(outer)
    places.append(Place())
    return places


def _fits(path: tuple[Step, ...], kind: int) -> bool:
    if kind in _PARENTS:
        return bool(path) and path[-1].name == _PARENTS[kind]
    return len(path) < MAX_NESTING


def _closed(place: Place) -> Place:
    """Take text between the cells of a table, such as its caption, out of the table."""
    path = place.path
    while path and path[-1].name in ("table", "tr"):
        path = path[:-1]
    return place if path is place.path else place._replace(path=path)


class _Steps:
    """Makes steps, with the attributes that they need in HTML."""

    def __init__(self, page: Page, outline: Outline) -> None:
        self._page, self._outline = page, outline
        self._spans = cell_spans(page)
        # The number that the next item of a list has without a value, or the next cell of a row.
        self._next: dict[int, int] = {}
        self._firsts: dict[int, int] = {}
        for item in range(len(outline.kind) - 1, -1, -1):
            if outline.kind[item] == LIST_ITEM:
                self._firsts[outline.parent[item]] = outline.number[item]

    def of(self, element: int, kind: int) -> Step:
        """Return the step of an element; those of a list come in order."""
        outline = self._outline
        name, attributes, skipped = _NAMES[kind], "", 0
        number = outline.number[element]
        if kind == NUMBERED:
            attributes = self._list_attributes(element)
        elif kind == LIST_ITEM:
            parent = outline.parent[element]
            if parent in self._next:
                if number != self._next[parent]:
                    attributes = f' value="{number}"'
                self._next[parent] = number + (-1 if parent in outline.reversed_lists else 1)
        elif kind == CELL:
            tag = outline.tag[element]
            name = "th" if self._page.tags[tag] == HEADER_CELL else "td"
            across, down = self._spans.get(tag, (1, 1))
            attributes = f' colspan="{across}"' if across > 1 else ""
            attributes += f' rowspan="{down}"' if down > 1 else ""
            ordinal, row = outline.ordinal[element], outline.parent[element]
            skipped = ordinal - self._next.get(row, 0)
            self._next[row] = ordinal + 1
        return Step(name, element, number, attributes, skipped)

    def _list_attributes(self, element: int) -> str:
        first = self._firsts.get(element, 1)
        self._next[element] = first
        if element in self._outline.reversed_lists:
            return f' start="{first}" reversed'
        return f' start="{first}"' if first != 1 else ""
