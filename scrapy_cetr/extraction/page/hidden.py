"""The text of a page that no browser shows, and the page without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Indices, Ints, closed
from scrapy_cetr.extraction.page.characters import BLANK, CONTROL, INVISIBLE

if TYPE_CHECKING:
    from scrapy_cetr.extraction.page.page import Page

    AnyPage = TypeVar("AnyPage", bound=Page)

# What hidden text is replaced by, so that all offsets stay valid: white space, or inside of a line
# a character that is not seen and does not divide words.
_GAP, _NOTHING = " ", "\u00ad"


@dataclass(frozen=True, slots=True, eq=False)
class Suspects:
    """Elements that may be hidden, in order: where their text begins and ends, and their tags.

    Whether one ``is_hidden`` takes time, so it is asked only where it matters: by index.
    """

    begin: Ints
    end: Ints
    is_inline: Bools
    first_tag: Ints
    last_tag: Ints
    is_hidden: Callable[[int], bool]

    def __len__(self) -> int:
        return len(self.begin)

    def hidden(self, chosen: Iterable[int] | None = None) -> Indices:
        """Return the indices of those that are hidden, of all or of some, without nested ones."""
        found: list[int] = []
        last = -1
        for index in range(len(self)) if chosen is None else chosen:
            if self.first_tag[index] > last and self.is_hidden(index):
                found.append(index)
                last = int(self.last_tag[index])
        return np.array(found, np.intp)

    def overlapping(self, begins: Ints, ends: Ints) -> list[int]:
        """Return the indices of those with text in some parts of the page, given in order."""
        part = np.searchsorted(ends, self.begin, side="right")
        starts = np.append(begins, np.iinfo(np.int32).max)[part]
        found: list[int] = np.flatnonzero((starts < self.end) & (self.begin < self.end)).tolist()
        return found


class Spans(NamedTuple):
    """Parts of a page's text, in order: where each begins and ends, and whether it is in a line."""

    begin: Ints
    end: Ints
    is_inline: Bools


def _never(_: int) -> bool:
    return False


_NONE = np.zeros(0, np.int32)
NO_SUSPECTS = Suspects(_NONE, _NONE, np.zeros(0, np.bool_), _NONE, _NONE, _never)


def covered(text: str, begin: Ints, end: Ints, is_inline: Bools) -> str:
    r"""Replace parts of a text, in order, by as many characters that are not seen.

    >>> covered("One two", np.array([3]), np.array([5]), np.array([True]))
    'One\xad\xadwo'
    """
    pieces: list[str] = []
    last = 0
    for first, after, inline in zip(begin.tolist(), end.tolist(), is_inline.tolist(), strict=True):
        pieces += (text[last:first], (_NOTHING if inline else _GAP) * (after - first))
        last = after
    return "".join((*pieces, text[last:]))


def without_hidden(page: AnyPage, hidden: Indices | None = None) -> AnyPage:
    """Return a page without its hidden text; tags, rows and offsets stay.

    ``hidden`` are the indices of hidden suspects, if they are known.
    """
    suspects = page.suspects
    hidden = suspects.hidden() if hidden is None else hidden
    if not len(hidden):
        return page
    found = Spans(suspects.begin[hidden], suspects.end[hidden], suspects.is_inline[hidden])
    return replace(without_spans(page, found), suspects=NO_SUSPECTS)


def without_spans(page: AnyPage, spans: Spans) -> AnyPage:
    """Return a page without some parts of its text; tags, rows and offsets stay."""
    if not len(spans.begin):
        return page
    kinds = page.kinds.copy()
    columns = (column.tolist() for column in spans)
    for first, after, inline in zip(*columns, strict=True):
        kinds[first:after] = INVISIBLE if inline else BLANK
    rows = page.rows
    chars = loops.count_chars(kinds, closed(rows.start, len(kinds)), CONTROL)
    chars[rows.broken] = rows.chars[rows.broken]
    return replace(
        page,
        text=covered(page.text, *spans),
        kinds=kinds,
        rows=replace(rows, chars=chars),
    )
