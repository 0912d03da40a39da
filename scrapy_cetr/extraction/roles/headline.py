"""The row of the headline: the one that is most like the declared titles of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.words import words_of

# A longer row is no headline. Besides headings, only the first rows can be.
_LONGEST, _FIRST_ROWS = 300, 40
# The least similarity to a title, which is 1 for equal texts: of a main heading, of other rows.
_LIKE_TITLE_HEADING, _LIKE_TITLE = 0.3, 0.55
# Main headings are preferred to other headings, and these to other rows.
_H1_BONUS, _H2_BONUS = 0.3, 0.1
# Rows that are this similar to a title repeat the headline.
_SAME = 0.9
# A part of a title needs this number of characters to be compared.
_SHORTEST_PART = 4
# A main heading that is like no title is the headline if it is not farther before the article.
_FAR_BEFORE = 12

_H1, _H2, _H6 = (ELEMENT_CODES[name] for name in ("h1", "h2", "h6"))
_NOT_WORD = re.compile(r"[\W_]+")


class Headline(NamedTuple):
    """The index of the row of the headline, -1 for none, and the rows that repeat it."""

    row: int
    repetitions: list[int]


def find_headline(
    text_of: Callable[[int], str], code: Codes, keep: Bools, *, titles: Sequence[str]
) -> Headline:
    """Find the row of the headline; ``code`` is the element of each row."""
    similar = dict(_similarities(text_of, code, titles))
    best, highest = -1, 0.0
    for row, similarity in similar.items():
        is_heading = code[row] in (_H1, _H2)
        if similarity < (_LIKE_TITLE_HEADING if is_heading else _LIKE_TITLE):
            continue
        bonus = _H1_BONUS if code[row] == _H1 else _H2_BONUS if is_heading else 0.0
        if similarity + bonus > highest:
            best, highest = row, similarity + bonus
    if best < 0:
        return Headline(_main_heading(text_of, code, keep), [])
    again = [row for row, similarity in similar.items() if row != best and similarity >= _SAME]
    return Headline(best, again)


def _similarities(
    text_of: Callable[[int], str], code: Codes, titles: Sequence[str]
) -> Iterator[tuple[int, float]]:
    """Yield the first rows and headings that resemble a title, and their similarity to it."""
    keys = [key for key in map(_key, titles) if key]
    bags = [frozenset(words_of(title)) for title in titles]
    if not keys:
        return
    headings = np.flatnonzero((code[_FIRST_ROWS:] >= _H1) & (code[_FIRST_ROWS:] <= _H6))
    candidates = (*range(min(_FIRST_ROWS, len(code))), *(headings + _FIRST_ROWS).tolist())
    for row in candidates:
        text = text_of(row)
        if len(text) > _LONGEST:
            continue
        key = _key(text)
        similarity = max((_likeness(key, other) for other in keys), default=0.0)
        if not similarity and code[row] in (_H1, _H2):
            words = frozenset(words_of(text))
            similarity = max((_overlap(words, bag) for bag in bags), default=0.0)
        if similarity:
            yield row, similarity


def _key(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return _NOT_WORD.sub("", text.lower())


def _likeness(key: str, title: str) -> float:
    """Return the share of the longer of two texts that the other makes, zero if it is not in it.

    >>> _likeness("flood", "floodnews")
    0.5555555555555556
    """
    shorter, longer = sorted((key, title), key=len)
    if len(shorter) < min(_SHORTEST_PART, len(longer)) or shorter not in longer:
        return 0.0
    return len(shorter) / len(longer)


def _overlap(words: frozenset[str], title: frozenset[str]) -> float:
    """Return the Dice coefficient of the words of a row and of a title."""
    return 2 * len(words & title) / max(len(words) + len(title), 1)


def _main_heading(text_of: Callable[[int], str], code: Codes, keep: Bools) -> int:
    """Return the only <h1>, or the one that the article begins with; -1 for none."""
    rows = np.flatnonzero(code == _H1).tolist()
    headings = [row for row in rows if len(text_of(row)) <= _LONGEST]
    kept = np.flatnonzero(keep)
    if not len(kept):
        return -1
    first = int(kept[0])
    if len(headings) == 1 and (keep[headings[0]] or 0 <= first - headings[0] <= _FAR_BEFORE):
        return headings[0]
    return first if first in headings else -1
