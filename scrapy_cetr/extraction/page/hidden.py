"""The text of a page that no browser shows, and the page without it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints, closed
from scrapy_cetr.extraction.page.characters import BLANK, CONTROL, INVISIBLE

if TYPE_CHECKING:
    from scrapy_cetr.extraction.page.page import Page

    AnyPage = TypeVar("AnyPage", bound=Page)

# What hidden text is replaced by, so that all offsets stay valid: white space, or inside of a line
# a character that is not seen and does not divide words.
_GAP, _NOTHING = " ", "\u00ad"

_NO_TAGS = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class HiddenText:
    """The hidden parts of a page's text, in order and apart: begin, end, and whether inside a line.

    ``first_tag`` and ``last_tag`` are the tags of all hidden elements, also of those without text.
    """

    begin: Ints
    end: Ints
    is_inline: Bools
    first_tag: Ints
    last_tag: Ints

    def __len__(self) -> int:
        return len(self.begin)

    def flags(self, length: int) -> Bools:
        """Mark the hidden characters of a text of some length."""
        change = np.zeros(length + 1, np.int8)
        change[self.begin] = 1
        # One part can begin where another ends.
        change[self.end] -= 1
        flags: Bools = np.cumsum(change[:-1], dtype=np.int8).view(np.bool_)
        return flags

    def has_tag(self, tag: int) -> bool:
        """Tell whether a tag is inside of a hidden element."""
        return bool(((self.first_tag < tag) & (tag < self.last_tag)).any())


def hidden_text(
    begin: Ints,
    end: Ints,
    is_inline: Bools,
    first_tag: Ints = _NO_TAGS,
    last_tag: Ints = _NO_TAGS,
) -> HiddenText:
    """Make hidden text of parts in order of their begins, without empty ones and parts of others.

    >>> found = hidden_text(np.array([1, 2, 8]), np.array([5, 3, 8]), np.zeros(3, np.bool_))
    >>> found.begin.tolist(), found.end.tolist()
    ([1], [5])
    """
    before = np.maximum.accumulate(np.append(np.int32(0), end))[:-1]
    taken = (begin < end) & (begin >= before)
    return HiddenText(begin[taken], end[taken], is_inline[taken], first_tag, last_tag)


NOTHING_HIDDEN = hidden_text(_NO_TAGS, _NO_TAGS, np.zeros(0, np.bool_))


def covered(text: str, hidden: HiddenText) -> str:
    """Replace the hidden parts of a text by as many characters that are not seen."""
    pieces: list[str] = []
    last = 0
    columns = (hidden.begin.tolist(), hidden.end.tolist(), hidden.is_inline.tolist())
    for begin, end, is_inline in zip(*columns, strict=True):
        pieces += (text[last:begin], (_NOTHING if is_inline else _GAP) * (end - begin))
        last = end
    return "".join((*pieces, text[last:]))


def without_hidden(page: AnyPage) -> AnyPage:
    """Return a page without its hidden text; tags, rows and offsets stay."""
    hidden = page.hidden
    if not len(hidden):
        return page
    kinds = page.kinds.copy()
    for begin, end, is_inline in zip(
        hidden.begin.tolist(), hidden.end.tolist(), hidden.is_inline.tolist(), strict=True
    ):
        kinds[begin:end] = INVISIBLE if is_inline else BLANK
    rows = page.rows
    chars = loops.count_chars(kinds, closed(rows.start, len(kinds)), CONTROL)
    chars[rows.broken] = rows.chars[rows.broken]
    return replace(
        page,
        text=covered(page.text, hidden),
        kinds=kinds,
        rows=replace(rows, chars=chars),
        hidden=NOTHING_HIDDEN,
    )
