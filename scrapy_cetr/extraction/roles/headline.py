"""The row of the headline: the one that is most like the declared titles of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.words import words_of

# A longer row is no headline.
_LONGEST = 300
# Besides headings, rows around the beginning of the article are compared with the titles: so many
# before its first row, and so many after.
_ROWS_BEFORE, _ROWS_AFTER, _MOST_HEADINGS = 24, 8, 32
# The least likeness to a title, which is 1 for equal texts: of a main heading, of other rows.
_LIKE_TITLE_HEADING, _LIKE_TITLE = 0.3, 0.5
# Main headings are preferred to other headings, these to other rows, and rows around the beginning
# of the article to those far from it, such as the name of the site.
_BONUS, _NEAR_BONUS = {"h1": 0.3, "h2": 0.1}, 0.2
# The only main heading is the headline if it shares this part of its words with a title, unless
# another row is nearly equal to one.
_LEAST_OVERLAP, _EQUAL = {"h1": 0.2, "h2": 0.6}, 0.9
# A part of a title needs this number of characters to be compared.
_SHORTEST_PART = 4
# Words up to this length are in most rows.
_SHORT_WORD = 4
# A main heading that is like no title is the headline if it is not farther before the article.
_FAR_BEFORE = 12
# More rows of the length of the headline are not compared with it.
_MOST_REPETITIONS = 100

_H1, _H2 = ELEMENT_CODES["h1"], ELEMENT_CODES["h2"]
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
    first, short = int(np.argmax(keep)), chars <= _LONGEST
    h1, h2 = (
        np.flatnonzero((code == heading) & short)[:_MOST_HEADINGS].tolist()
        for heading in (_H1, _H2)
    )
    near = range(max(first - _ROWS_BEFORE, 0), min(first + _ROWS_AFTER, len(chars)))
    texts = {row: text_of(row) for row in (*h1, *h2, *near) if short[row]}
    alike = _likenesses(_keys(texts, titles), titles)
    best = _most_alike(alike, h1, h2, near)
    if alike.get(best, 0.0) < _EQUAL - _NEAR_BONUS * (best in near) and best not in h1:
        overlapping = _most_overlapping(h1, texts, titles, least=_LEAST_OVERLAP["h1"])
        best = overlapping if overlapping >= 0 else best
    if best < 0:
        best = _main_heading(h1, keep)
    if best < 0:
        best = _most_overlapping(h2, texts, titles, least=_LEAST_OVERLAP["h2"])
    return Headline(best, _repetitions(best, text_of, chars) if best >= 0 else [])


def _most_alike(
    alike: Mapping[int, float], h1: Sequence[int], h2: Sequence[int], near: Container[int]
) -> int:
    """Return the row that is most like a title, -1 if none is."""
    best, highest = -1, 0.0
    for row in sorted(alike):
        is_heading = row in h1 or row in h2
        if alike[row] < (_LIKE_TITLE_HEADING if is_heading else _LIKE_TITLE):
            continue
        bonus = _BONUS["h1"] if row in h1 else _BONUS["h2"] if is_heading else 0.0
        likeness = alike[row] + bonus + _NEAR_BONUS * (row in near)
        if likeness > highest:
            best, highest = row, likeness
    return best


def _repetitions(row: int, text_of: Callable[[int], str], chars: Ints) -> list[int]:
    """Return the other rows with the text of a row."""
    key = _key(text_of(row))
    same_length = np.flatnonzero(chars == chars[row])[:_MOST_REPETITIONS].tolist()
    return [other for other in same_length if other != row and _key(text_of(other)) == key]


def _keys(texts: Mapping[int, str], titles: Sequence[str]) -> dict[int, str]:
    """Return the letters and digits of the rows that share a word with a title."""
    words = frozenset(word for title in titles for word in words_of(title))
    # Scripts without spaces between words are compared by characters.
    is_spaced = not any(len(word) == 1 and word > "\u3000" for word in words)
    if is_spaced:
        # Most rows have no longer word of the title, and are done with here.
        words = frozenset(word for word in words if len(word) > _SHORT_WORD) or words
    lowered = {row: text.lower() for row, text in texts.items()}
    return {
        row: _key(text)
        for row, text in lowered.items()
        if not words.isdisjoint(text.split() if is_spaced else text)
    }


def _likenesses(keys: Mapping[int, str], titles: Sequence[str]) -> dict[int, float]:
    """Return how far each row is a title, or a part of one, or contains one."""
    others = [key for key in map(_key, titles) if key]
    alike = {row: max(_likeness(key, other) for other in others) for row, key in keys.items()}
    return {row: likeness for row, likeness in alike.items() if likeness}


def _most_overlapping(
    rows: Iterable[int], texts: Mapping[int, str], titles: Sequence[str], *, least: float
) -> int:
    """Return the row that shares the most words with a title, -1 if none shares enough."""
    bags = [frozenset(words_of(title)) for title in titles]
    best, highest = -1, least
    for row in rows:
        words = frozenset(words_of(texts.get(row, "")))
        overlap = max((_overlap(words, bag) for bag in bags), default=0.0)
        if overlap > highest:
            best, highest = row, overlap
    return best


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
