"""The words of rows and of the title, as they are compared with each other.

A word is a run of letters and digits, or a single ideograph. ``characters.word_starts`` finds the
same words by the kinds of characters, for counting without making strings. They differ only in rare
characters that regular expressions know less of: combining marks, zero-width joiners and soft
hyphens end a word here, and halfwidth kana make one together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scrapy_cetr.extraction.columns import Ints, chunk_size, chunks
from scrapy_cetr.extraction.page.characters import spaced_at
from scrapy_cetr.extraction.page.page import Page

# Ideographs, kana and bopomofo: each character is a word.
_CHARACTERS = "\u3041-\u30ff\u3105-\u312f\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_WORD = re.compile(rf"[^\W{_CHARACTERS}]+|[{_CHARACTERS}]")
# The same, faster.
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_BETWEEN_WORDS = re.compile(rf"\W|(?<=[{_CHARACTERS}])")

# The text between two breaks, and its words, take more memory than a number of a column.
_BREAK_WEIGHT = 4


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case.

    >>> words_of("Two words, 中文。")
    ['two', 'words', '中', '文']
    """
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text.lower())


def words_by_row(page: Page) -> Iterator[tuple[int, list[str]]]:
    """Yield the index of each row and its words, which end where the page breaks its text.

    The words of a long row come in parts, because together they would take far more memory than
    the text.
    """
    offset, low = page.breaks.offset, 0
    for chunk in chunks(max(len(offset), 1), _BREAK_WEIGHT):
        breaks = offset[chunk]
        high = int(breaks[-1]) if chunk.stop < len(offset) else len(page.text)
        yield from _words_between(page, low, high, breaks)
        low = high


def _words_between(
    page: Page, low: int, high: int, breaks: Ints
) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of rows, or of parts of them, between two offsets."""
    rows = page.rows
    first = max(int(np.searchsorted(rows.start, np.int32(low), side="right")) - 1, 0)
    last = int(np.searchsorted(rows.start, np.int32(high)))
    starts = np.maximum(rows.start[first:last], np.int32(low))
    ends = np.minimum(rows.end[first:last], np.int32(high))
    # A stable sort merges two sorted columns quickly.
    cuts = np.sort(np.append(starts, breaks), kind="stable")
    cuts = cuts[np.diff(cuts, prepend=np.int32(-1)) > 0]
    spaced = spaced_at(page.text[low:high], cuts - low)
    # An offset moves by the number of spaces that were inserted before it.
    begins = starts - low + np.searchsorted(cuts, starts, side="right")
    stops = ends - low + np.searchsorted(cuts, ends)
    for row, (begin, stop) in enumerate(zip(begins.tolist(), stops.tolist(), strict=True), first):
        if stop - begin > chunk_size():
            for words in _words_in_parts(spaced[begin:stop]):
                yield row, words
        elif begin < stop:
            yield row, words_of(spaced[begin:stop])


def _words_in_parts(text: str) -> Iterator[list[str]]:
    end = 0
    while end < len(text):
        begin, between = end, _BETWEEN_WORDS.search(text, end + chunk_size())
        end = between.end() if between else len(text)
        yield words_of(text[begin:end])
