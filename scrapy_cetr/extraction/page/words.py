"""The words of rows and of the title, as they are compared with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.page.characters import spaced_at
from scrapy_cetr.extraction.page.page import Page

# Scripts without spaces between words, ideographs, kana and bopomofo: each character is one.
_CHARACTERS = "\u3041-\u30ff\u3105-\u312f\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_WORD = re.compile(rf"[^\W{_CHARACTERS}]+|[{_CHARACTERS}]")
# The same, faster.
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_BETWEEN_WORDS = re.compile(rf"\W|(?<=[{_CHARACTERS}])")

# So many breaks are looked at in one go; a row of more characters has too many words.
_AT_ONCE, _LONG_ROW = 1 << 16, 1 << 18


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case.

    >>> words_of("Two words, 中文。")
    ['two', 'words', '中', '文']
    """
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text.lower())


def words_by_row(page: Page) -> Iterator[tuple[int, list[str]]]:
    """Give the numbers of rows and their words, which end where the page breaks its text.

    Many words of a row come in parts, as all at once would be far larger than the text.
    """
    offset, low = page.breaks.offset, 0
    for first in range(0, max(len(offset), 1), _AT_ONCE):
        breaks = offset[first : first + _AT_ONCE]
        high = int(breaks[-1]) if first + _AT_ONCE < len(offset) else len(page.text)
        yield from _words_between(page, low, high, breaks)
        low = high


def _words_between(
    page: Page, low: int, high: int, breaks: Ints
) -> Iterator[tuple[int, list[str]]]:
    """Give the words of rows, or of parts of them, between two places."""
    rows = page.rows
    first = max(int(np.searchsorted(rows.start, np.int32(low), side="right")) - 1, 0)
    last = int(np.searchsorted(rows.start, np.int32(high)))
    starts = np.maximum(rows.start[first:last], np.int32(low))
    ends = np.minimum(rows.end[first:last], np.int32(high))
    # Two columns in order are soon one.
    cuts = np.sort(np.append(starts, breaks), kind="stable")
    cuts = cuts[np.diff(cuts, prepend=np.int32(-1)) > 0]
    spaced = spaced_at(page.text[low:high], cuts - low)
    # Before a place, as many spaces have come into the text as cuts.
    begins = starts - low + np.searchsorted(cuts, starts, side="right")
    stops = ends - low + np.searchsorted(cuts, ends)
    for row, (begin, stop) in enumerate(zip(begins.tolist(), stops.tolist(), strict=True), first):
        if stop - begin > _LONG_ROW:
            for words in _words_in_parts(spaced[begin:stop]):
                yield row, words
        elif begin < stop:
            yield row, words_of(spaced[begin:stop])


def _words_in_parts(text: str) -> Iterator[list[str]]:
    end = 0
    while end < len(text):
        begin, between = end, _BETWEEN_WORDS.search(text, end + _LONG_ROW)
        end = between.end() if between else len(text)
        yield words_of(text[begin:end])
