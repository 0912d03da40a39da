"""The row of the headline: the one that is most like the declared titles of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.words import words_of

# A longer row is no headline, and a row with this number of characters is running text.
_LONGEST, _LONG = 300, 80
# Without likeness to a title, a longer main heading is a lead.
_LONGEST_MAIN = 150
# A longer row that shares words with a title is at most twice as long as the title.
_LONGEST_ALIKE = 200
# Besides headings, rows around the beginning of the article are compared with the titles: so many
# before its first row, and so many after, or up to its first running text.
_ROWS_BEFORE, _ROWS_AFTER, _MOST_AFTER, _MOST_HEADINGS = 24, 8, 32, 32
# The least likeness to a title, which is 1 for equal texts: of a main heading, of other rows.
_LIKE_TITLE_HEADING, _LIKE_TITLE = 0.3, 0.5
# The likeness of a row that is the longest part of a title, or the first.
_LIKE_PART = (0.95, 0.8)
# Main headings are preferred to other headings, these to other rows, and rows around the beginning
# of the article to those far from it, such as the name of the site. Items of lists are mostly
# those of a path to the page.
_BONUS, _NEAR_BONUS, _ITEM_BONUS = {"h1": 0.3, "h2": 0.1}, 0.2, -0.4
# A main heading above the article is the headline if it shares this part of its words with a title,
# unless a row between it and the text is nearly equal to one.
_LEAST_OVERLAP, _EQUAL = {"h1": 0.2, "h2": 0.6}, 0.7
# A part of a title needs this number of characters to be compared.
_SHORTEST_PART = 4
# Rows without any of this number of longest words of the titles are not compared with them.
_MOST_WORDS = 6
# A main heading that is like no title is the headline if it is not farther before the article.
_FAR_BEFORE = 12
# A row that repeats the headline can differ in punctuation. More rows of about its length are not
# compared with it.
_MORE_PUNCTUATION, _MOST_REPETITIONS = 4, 200
# A title that is a smaller part of the headline is no copy of it.
_LEAST_OF_HEADLINE = 0.5

_H1, _H2 = ELEMENT_CODES["h1"], ELEMENT_CODES["h2"]
# What titles have between the headline and the name of the site.
_BETWEEN_PARTS = re.compile(r"\s[-–—:~/]+\s|[|»«·•]|::")


class Headline(NamedTuple):
    """The index of the row of the headline, -1 for none, and the rows that repeat it."""

    row: int
    repetitions: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineRows:
    """What is known about the rows of a page: their text, element, length, whether each is kept.

    ``is_item`` tells the rows in items of lists.
    """

    texts: Sequence[str]
    code: Codes
    chars: Ints
    keep: Bools
    is_item: Bools


def find_headline(rows: HeadlineRows, *, titles: Sequence[str]) -> Headline:
    """Find the row of the headline."""
    best = _find_row(rows, titles)
    return Headline(best, _repetitions(best, rows, titles) if best >= 0 else [])


def _find_row(rows: HeadlineRows, titles: Sequence[str]) -> int:
    first, short = int(np.argmax(rows.keep)), rows.chars <= _LONGEST
    # The text of the article begins here, so that later headings are those of its parts.
    begin = first + int(np.argmax(np.append((rows.keep & (rows.chars >= _LONG))[first:], True)))
    h1, h2 = (
        np.flatnonzero((rows.code == heading) & short)[:_MOST_HEADINGS].tolist()
        for heading in (_H1, _H2)
    )
    after = min(max(begin + 1, first + _ROWS_AFTER), first + _MOST_AFTER, len(rows.chars))
    near = range(max(first - _ROWS_BEFORE, 0), after)
    # Items of menus are no headlines, even if they are like one.
    could_be = (short & (rows.keep | ~rows.is_item))[near.start : near.stop]
    beside = (near.start + np.flatnonzero(could_be)).tolist()
    texts = {row: rows.texts[row] for row in (*h1, *h2, *beside)}
    headings = dict.fromkeys(h2, _BONUS["h2"]) | dict.fromkeys(h1, _BONUS["h1"])
    alike = _likenesses(_keys(texts, titles), titles)
    best = _most_alike(alike, headings, near, rows)
    if best not in h1:
        # The name of the site is in the title as well, but it is no headline.
        above = [row for row in h1 if row <= begin and alike.get(row) != 0]
        main = _most_overlapping(above, texts, titles, least=_LEAST_OVERLAP["h1"])
        is_between = main < best <= begin and alike.get(best, 0.0) >= _EQUAL
        best = main if main >= 0 and not is_between else best
    if best < 0:
        main_headings = [row for row in h1 if rows.chars[row] <= _LONGEST_MAIN]
        best = _main_heading(main_headings, first, begin, is_kept=rows.keep)
    if best < 0:
        # The caption of a picture can be above the main heading.
        best = _most_overlapping((*h1, *h2), texts, titles, least=_LEAST_OVERLAP["h2"])
    return best


def _most_alike(
    alike: Mapping[int, float], headings: Mapping[int, float], near: range, rows: HeadlineRows
) -> int:
    """Return the row that is most like a title, -1 if none is."""
    best, highest = -1, 0.0
    for row in sorted(alike):
        if alike[row] < (_LIKE_TITLE_HEADING if row in headings else _LIKE_TITLE):
            continue
        likeness = alike[row] + headings.get(row, 0.0)
        likeness += _NEAR_BONUS * (row in near) + _ITEM_BONUS * bool(rows.is_item[row])
        if likeness > highest:
            best, highest = row, likeness
    return best


def _repetitions(row: int, rows: HeadlineRows, titles: Sequence[str]) -> list[int]:
    """Return the other rows with the words of a row, or of a title that it contains."""
    key = loops.letters(rows.texts[row])
    is_similar = np.abs(rows.chars - rows.chars[row]) <= _MORE_PUNCTUATION
    others = np.flatnonzero(is_similar & rows.keep)[:_MOST_REPETITIONS].tolist()
    others += np.flatnonzero(rows.chars == rows.chars[row])[:_MOST_REPETITIONS].tolist()
    keys = {key}
    for title in titles:
        inner = loops.letters(title)
        if inner != key and inner in key and len(inner) >= _LEAST_OF_HEADLINE * len(key):
            # The headline has more than the title, such as its source.
            keys.add(inner)
            chars = len(" ".join(title.split()))
            is_similar = (np.abs(rows.chars - chars) <= _MORE_PUNCTUATION) & rows.keep
            others += np.flatnonzero(is_similar)[:_MOST_REPETITIONS].tolist()
    return [other for other in others if other != row and loops.letters(rows.texts[other]) in keys]


def _keys(texts: Mapping[int, str], titles: Sequence[str]) -> dict[int, str]:
    """Return the letters and digits of the rows that share a word with a title."""
    found = {word for title in titles for word in words_of(title)}
    words = sorted(found, key=lambda word: (len(word), word))
    # Scripts without spaces between words are compared by characters.
    if not any(len(word) == 1 and word > "\u3000" for word in words):
        words = words[-_MOST_WORDS:]
    words.reverse()  # so that most rows are found by the first words
    keys = {}
    for row, text in texts.items():
        lowered = text.lower()
        for word in words:
            if word in lowered:
                keys[row] = loops.letters(lowered)
                break
    return keys


def _likenesses(keys: Mapping[int, str], titles: Sequence[str]) -> dict[int, float]:
    """Return how far each row is a title, or a part of one, or contains one.

    It is 0 for the name of the site.
    """
    wholes = [key for key in map(loops.letters, titles) if key]
    parts: dict[str, float] = {}
    for title in titles:
        parts |= _parts(title, wholes)
    alike = {}
    for row, key in keys.items():
        likeness = max((_likeness(key, whole) for whole in wholes), default=0.0)
        if key in parts and likeness < 1:
            alike[row] = parts[key]
        elif likeness:
            alike[row] = likeness
    return alike


def _parts(title: str, wholes: Sequence[str]) -> dict[str, float]:
    """Return how likely each part of a title is the headline, and not the name of the site.

    >>> _parts("Flood closes the bridge | Courier", ["floodclosesthebridgecourier"])
    {'floodclosesthebridge': 0.95, 'courier': 0.0}
    """
    keys = [key for key in map(loops.letters, _BETWEEN_PARTS.split(title)) if key]
    if len(keys) < 2:
        return {}
    longest = max(keys, key=len)
    parts = {keys[0]: _LIKE_PART[1], **dict.fromkeys(keys[1:], 0.0), longest: _LIKE_PART[0]}
    is_whole = [key in wholes for key in keys]
    if any(is_whole):
        # Another title is the headline alone.
        parts = {key: float(whole) for key, whole in zip(keys, is_whole, strict=True)}
    return parts


def _most_overlapping(
    rows: Iterable[int], texts: Mapping[int, str], titles: Sequence[str], *, least: float
) -> int:
    """Return the row that shares the most words with a title, -1 if none shares enough."""
    bags = [frozenset(words_of(title)) for title in titles]
    longest = max(2 * max(map(len, titles), default=0), _LONGEST_ALIKE)
    best, highest = -1, least
    for row in rows:
        text = texts.get(row, "")
        words = frozenset(words_of(text)) if len(text) <= longest else frozenset()
        overlap = max((_overlap(words, bag) for bag in bags), default=0.0)
        if overlap > highest:
            best, highest = row, overlap
    return best


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


def _main_heading(headings: Sequence[int], first: int, begin: int, *, is_kept: Bools) -> int:
    """Return the only <h1> above the text, or the one that the article begins with; -1 for none."""
    if len(headings) == 1 and (is_kept[headings[0]] or 0 <= first - headings[0] <= _FAR_BEFORE):
        return headings[0]
    above = [row for row in headings if first - _FAR_BEFORE <= row <= begin]
    if len(above) == 1:
        return above[0]
    return first if first in headings else -1
