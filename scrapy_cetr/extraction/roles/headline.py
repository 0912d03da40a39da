"""The row of the headline: the one that is most like the declared titles of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.words import words_of

# A longer row is no headline. Besides headings, only the first rows can be.
_LONGEST, _FIRST_ROWS = 300, 32
# The least similarity to a title, which is 1 for equal texts: of a main heading, of other rows.
_LIKE_TITLE_HEADING, _LIKE_TITLE = 0.3, 0.55
# Main headings are preferred to other headings, and these to other rows.
_H1_BONUS, _H2_BONUS = 0.3, 0.1
# Rows that are this similar to a title repeat the headline.
_SAME = 0.9
# A part of a title needs this number of characters to be compared.
_SHORTEST_PART = 4
# Words up to this length are in most rows.
_SHORT_WORD = 4
# A main heading that is like no title is the headline if it is not farther before the article.
_FAR_BEFORE = 12

_H1, _H2, _H6 = (ELEMENT_CODES[name] for name in ("h1", "h2", "h6"))
_NOT_WORD = re.compile(r"[\W_]+")


class Headline(NamedTuple):
    """The index of the row of the headline, -1 for none, and the rows that repeat it."""

    row: int
    repetitions: list[int]


def find_headline(
    text_of: Callable[[int], str],
    code: Codes,
    chars: Ints,
    keep: Bools,
    *,
    titles: Sequence[str],
) -> Headline:
    """Find the row of the headline; ``code`` is the element of each row."""
    headings = np.flatnonzero((code >= _H1) & (code <= _H6) & (chars <= _LONGEST))
    similar = _similarities(text_of, code, _candidates(headings, chars), titles)
    best, highest = -1, 0.0
    for row, similarity in similar.items():
        is_main = code[row] in (_H1, _H2)
        if similarity < (_LIKE_TITLE_HEADING if is_main else _LIKE_TITLE):
            continue
        bonus = _H1_BONUS if code[row] == _H1 else _H2_BONUS if is_main else 0.0
        if similarity + bonus > highest:
            best, highest = row, similarity + bonus
    if best < 0:
        return Headline(_main_heading(headings[code[headings] == _H1].tolist(), keep), [])
    again = [row for row, similarity in similar.items() if row != best and similarity >= _SAME]
    return Headline(best, again)


def _candidates(headings: Indices, chars: Ints) -> list[int]:
    """Return the first rows that are not too long, and the first headings."""
    first = np.flatnonzero(chars[:_FIRST_ROWS] <= _LONGEST).tolist()
    others = headings[headings >= _FIRST_ROWS][:_FIRST_ROWS].tolist()
    return [*first, *others]


def _similarities(
    text_of: Callable[[int], str], code: Codes, rows: Iterable[int], titles: Sequence[str]
) -> dict[int, float]:
    """Return the rows that resemble a title, with their similarity to it."""
    bags = [frozenset(words_of(title)) for title in titles]
    all_words = frozenset().union(*bags)
    # Scripts without spaces between words are compared by characters.
    is_spaced = not any(len(word) == 1 and word > "\u3000" for word in all_words)
    rare_words = frozenset(word for word in all_words if len(word) > _SHORT_WORD) or all_words
    some_words = rare_words if is_spaced else all_words
    keys = [key for key in map(_key, titles) if key]
    similar: dict[int, float] = {}
    for row in rows:
        text = text_of(row).lower()
        # Most rows have no longer word of the title, and are done with here.
        if some_words.isdisjoint(text.split() if is_spaced else text):
            continue
        key = _key(text)
        similarity = max(_likeness(key, other) for other in keys)
        if not similarity and code[row] in (_H1, _H2):
            words = frozenset(words_of(text))
            similarity = max(_overlap(words, bag) for bag in bags)
        if similarity:
            similar[row] = similarity
    return similar


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


def _main_heading(headings: Sequence[int], keep: Bools) -> int:
    """Return the only <h1>, or the one that the article begins with; -1 for none."""
    first = int(np.argmax(keep))
    if len(headings) == 1 and (keep[headings[0]] or 0 <= first - headings[0] <= _FAR_BEFORE):
        return headings[0]
    return first if first in headings else -1
