"""The rows of a page as people see them: the text of each, and the element it begins in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from scrapy_cetr.extraction.elements import BREAK_STRENGTHS, ELEMENT_NAMES, ITEM, SEPARATORS
from scrapy_cetr.extraction.page.characters import INVISIBLES
from scrapy_cetr.extraction.page.page import Page

# A row is shown without blank lines.
_SEPARATORS = tuple(separator[:1] for separator in SEPARATORS)


def row_texts(page: Page, *, longest: int, count: int | None = None) -> list[str]:
    r"""Return the text of each row, with its line breaks, cut to at most ``longest`` characters.

    >>> from scrapy_cetr.extraction.html.reader import read
    >>> row_texts(read("<p>It  was<br>a long day.<p>", rows="blocks"), longest=10)
    ['It was\na l…', '']
    """
    cuts, strengths = page.breaks.offset.tolist(), page.breaks.strength.tolist()
    written = []
    starts, ends = page.rows.start[:count].tolist(), page.rows.end[:count].tolist()
    for begin, end in zip(starts, ends, strict=True):
        first, last = bisect_right(cuts, begin), bisect_left(cuts, end)
        row, offset = "", begin
        for cut, strength in zip(cuts[first:last], strengths[first:last], strict=True):
            if len(row) > longest:
                break
            row += page.text[offset : min(cut, offset + 2 * longest)] + _SEPARATORS[strength]
            offset = cut
        else:
            row += page.text[offset : min(end, offset + 2 * longest)]
        row = "\n".join(" ".join(line.split()) for line in INVISIBLES.sub("", row).split("\n"))
        row = row.strip("\n")
        written.append(row if len(row) <= longest else f"{row[:longest]}…")
    return written


def row_elements(page: Page) -> list[str]:
    """Return the name of the element that each row begins in, "" if it follows an end tag.

    >>> from scrapy_cetr.extraction.html.reader import read
    >>> row_elements(read("<ul><li>One</ul>Two", rows="blocks"))
    ['', 'li', '']
    """
    dividing = np.flatnonzero(BREAK_STRENGTHS[np.abs(page.tags)] >= ITEM)
    # The last dividing tag before the row's text; there is no text between tags at one offset.
    last = np.searchsorted(page.tag_offset[dividing], page.rows.start, side="right") - 1
    codes = np.append(page.tags[dividing], np.int8(0))[last]
    codes = np.where(page.rows.chars > 0, codes, 0)
    return [ELEMENT_NAMES[code] if code > 0 else "" for code in codes.tolist()]
