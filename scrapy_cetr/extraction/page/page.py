"""A page as parallel numpy columns: its visible text, the tags in it, its rows and nodes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints, UInt8s, closed
from scrapy_cetr.extraction.elements import BREAK_STRENGTHS
from scrapy_cetr.extraction.page.breaks import Breaks, make_breaks, with_second_breaks
from scrapy_cetr.extraction.page.characters import (
    COMMA,
    CONTROL,
    DIGIT,
    IDEOGRAPH,
    QUESTION,
    character_kinds,
    trimmed,
    word_starts,
)
from scrapy_cetr.extraction.page.class_hints import class_hints
from scrapy_cetr.extraction.page.containers import Containers, find_containers
from scrapy_cetr.extraction.page.hidden import NO_SUSPECTS, Suspects
from scrapy_cetr.extraction.page.layout import Layout
from scrapy_cetr.extraction.page.nodes import Nodes, make_nodes
from scrapy_cetr.extraction.page.row_texts import RowTexts
from scrapy_cetr.extraction.page.rows import Rows, make_rows
from scrapy_cetr.extraction.page.sources import Sources

# On a page with more rows that have text, only the longest are measured. This bounds the memory on
# hostile pages.
MAX_MEASURED = 20_000
# The characters counted in each row, as ranges of kinds, both ends included: stops and commas,
# digits, ideographs.
_COUNTED_KINDS = np.array(((QUESTION, COMMA), (DIGIT, DIGIT), (IDEOGRAPH, IDEOGRAPH)), np.uint8)


@dataclass(frozen=True, eq=False)
class Page:
    """The visible text of a page in source order, and the offsets of tags, breaks and rows in it.

    - ``kinds``: the kind of each character of ``text``
    - ``tags``: the codes of ``elements``, negative for end tags
    - ``tag_offset``: the length of the text before each tag
    - ``breaks``: where tags divide the text
    - ``rows``: the units that methods keep or drop
    - ``title``: the text of <title>
    - ``meta_title``: the title in og:title
    - ``suspects``: elements that browsers may not show; ``without_hidden()`` removes their text
    - ``shows_hidden``: whether hidden text is that of the article, until a script shows it
    - ``layout``: what a browser shows of the elements, if it has stamped the page

    If the reader was asked for class names:

    - ``class_names``: the distinct class names (class, space, id), the first for neither
    - ``class_name``: for each start tag from ``elements.FIRST_NAMED`` on, its index in
      ``class_names``
    - ``numbers``: a line for each tag of a list, item or cell with numbers: the index of the tag,
      and start and whether it is reversed, value and nothing, or colspan and rowspan
    - ``declared_body``: the text that the page declares as JSON-LD articleBody
    - ``sources``: where the tags are in the HTML, None if that was not noted
    """

    text: str
    kinds: UInt8s
    tags: Codes
    tag_offset: Ints
    breaks: Breaks
    rows: Rows
    title: str = ""
    class_names: Sequence[str] = ()
    class_name: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    declared_body: str = ""
    numbers: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    meta_title: str = ""
    suspects: Suspects = NO_SUSPECTS
    shows_hidden: bool = False
    layout: Layout | None = None
    sources: Sources | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles that the page declares."""
        return tuple(filter(None, (self.title, self.meta_title)))

    @cached_property
    def words(self) -> Ints:
        """The number of words of each row: runs of letters and digits, and single ideographs."""
        return self.count_by_row(word_starts(self.kinds, self.rows.start, self.breaks.offset))

    @cached_property
    def link_chars(self) -> Ints:
        """The number of characters of each row inside of links, without white space."""
        bounds = closed(self.rows.start, len(self.text))
        return loops.linked_between(self.kinds > CONTROL, self.tags, self.tag_offset, bounds)

    @cached_property
    def text_rows(self) -> Indices:
        """The indices of the rows with text; of too many, the MAX_MEASURED longest."""
        rows = np.flatnonzero((self.rows.chars > 0) & ~self.rows.broken)
        if len(rows) <= MAX_MEASURED:
            return rows
        longest_first = np.argsort(-self.rows.chars[rows], kind="stable")
        return np.sort(rows[longest_first[:MAX_MEASURED]])

    @cached_property
    def text_bounds(self) -> Ints:
        """Where the texts of ``text_rows`` begin and end, without white space around: two lines."""
        rows = self.text_rows
        return trimmed(self.kinds, self.rows.start[rows], self.rows.end[rows])

    @cached_property
    def kind_counts(self) -> Ints:
        """The marks, digits and ideographs in each of ``text_rows``: a line for each kind."""
        begin, end = self.text_bounds
        return loops.count_kinds(self.kinds, begin, end, _COUNTED_KINDS)

    @cached_property
    def row_texts(self) -> RowTexts:
        """The texts of ``text_rows`` as they are in ``text``."""
        begin, end = self.text_bounds
        return RowTexts(self.text, begin.tolist(), end.tolist())

    @cached_property
    def containers(self) -> Containers:
        """The containers around the rows with text."""
        return find_containers(self.tags, self.tag_offset, self.rows.opener[self.text_rows])

    @cached_property
    def class_hints(self) -> NDArray[np.int64]:
        """The hints in each of the class names, as bits."""
        return class_hints(self.class_names)

    @cached_property
    def nodes(self) -> Nodes:
        """The elements of the page."""
        return make_nodes(self.tags, self.tag_offset, len(self.text))

    def row_text(self, row: int) -> str:
        """Return the text of a row on one line, with spaces where tags divide it."""
        begin, end = int(self.rows.start[row]), int(self.rows.end[row])
        breaks = self._break_offsets
        first = bisect_left(breaks, begin)
        last = bisect_left(breaks, end, first)
        if first == last:
            return " ".join(self.text[begin:end].split())
        offsets = (begin, *breaks[first:last], end)
        return " ".join(" ".join(self.text[a:b] for a, b in pairwise(offsets)).split())

    @cached_property
    def _break_offsets(self) -> list[int]:
        offsets: list[int] = self.breaks.offset.tolist()
        return offsets

    def count_by_row(self, flags: Bools) -> Ints:
        """Count the flagged characters of each row."""
        return loops.sums_between(flags, closed(self.rows.start, len(self.text)))


def make_page(
    text: str,
    tags: Codes,
    offset: Ints,
    *,
    lines: tuple[Ints, Ints] | None = None,
    title: str,
    class_names: Sequence[str],
    class_name: Ints,
    declared_body: str,
    numbers: Ints,
    meta_title: str = "",
    suspects: Suspects = NO_SUSPECTS,
    sources: Sources | None = None,
) -> Page:
    """Make a page of the columns that the reader returns.

    ``lines`` are the start and the first tag of each line; without them, the rows are blocks. Rows
    with neither text nor tags are left out, as CETR leaves out empty lines.
    """
    kinds = character_kinds(text)
    strength = BREAK_STRENGTHS[np.abs(tags)]
    tags, strength = with_second_breaks(kinds, tags, offset, strength)
    # One after the other, because each needs more memory than its result.
    rows = make_rows(kinds, tags, offset, strength, lines)
    breaks = make_breaks(text, tags, offset, strength)
    return Page(
        text=text,
        kinds=kinds,
        tags=tags,
        tag_offset=offset,
        breaks=breaks,
        rows=rows,
        title=title,
        class_names=class_names,
        class_name=class_name,
        declared_body=declared_body,
        numbers=numbers,
        meta_title=meta_title,
        suspects=suspects,
        sources=sources,
    )
