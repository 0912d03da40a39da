"""The words of rows and of the title, as they are compared with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scrapy_cetr.extraction.page import Page

# Scripts without spaces between words, ideographs, kana and bopomofo: each character is one.
_CHARACTERS = "\u3041-\u30ff\u3105-\u312f\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_WORD = re.compile(rf"[^\W{_CHARACTERS}]+|[{_CHARACTERS}]")


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case.

    >>> words_of("Two words, 中文。")
    ['two', 'words', '中', '文']
    """
    return _WORD.findall(text.lower())


def words_by_row(page: Page) -> Iterator[list[str]]:
    """Give the words of each row; they end where the page breaks its text."""
    cuts = np.unique(np.append(page.rows.start, page.breaks.offset))
    places = (0, *cuts.tolist(), len(page.text))
    spaced = " ".join(page.text[begin:end] for begin, end in pairwise(places))
    starts = page.rows.start + np.searchsorted(cuts, page.rows.start, side="right")
    ends = page.rows.end + np.searchsorted(cuts, page.rows.end)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield words_of(spaced[start:end]) if start < end else []
