"""qRead: the segment with the most words a line, and those that are about the title.

J. Wang, J. Wang: qRead - A Fast and Accurate Article Extraction Method from Web Pages using
Partition Features Optimizations. KDIR 2015. Section and equation numbers below are the paper's. A
row without text is what an empty line is there: what removing its tags leaves of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from scrapy_cetr.extraction.characters import CONTROL
from scrapy_cetr.extraction.columns import Bools, Floats, Ints, sum_before
from scrapy_cetr.extraction.markup import CODES, FIRST_CONTAINER, LINE
from scrapy_cetr.extraction.methods.spans import count_by_row, covered
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.methods.vocabulary import words_by_row, words_of
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page import Page

_DIV = CODES["div"]
_MENU_CLASSES = frozenset(("menu", "nav"))


def qread(page: Page, options: Options) -> Verdict:
    """Keep the densest segment, and segments that are both dense and similar to the title (3)."""
    lines = text_lines(page) * _outside_of_menus(page)
    segment = segments(lines > 0, empty_lines=options.qread_empty_lines)
    filled = np.flatnonzero(lines)
    size = np.bincount(segment[filled], page.words[filled])  # (1)
    count = np.bincount(segment[filled], lines[filled])
    density = size / count  # (2)
    similarity = _similarities(page, segment, len(density))
    densest = _excess(density, density.max(initial=0))
    similar = _excess(similarity, similarity.sum() / max(len(similarity), 1))
    dense = _excess(density, size.sum() / max(count.sum(), 1))
    # Behind the last segment: what is in none.
    score = np.append(np.maximum(densest, np.minimum(similar, dense)), -1.0)[segment]
    trace: dict[str, Any] = {"segment": segment, "density": density, "similarity": similarity}
    return verdict_on(page, score, score >= 0, **trace)


def text_lines(page: Page) -> Ints:
    """Count the lines with text in each row: a row ends a line, and so does <br> or </p> (3.1)."""
    ends = page.breaks.offset[page.breaks.role >= LINE]
    bounds = np.sort(np.concatenate((page.rows.start, ends, page.rows.end)))
    begins = bounds[:-1][np.diff(sum_before(page.kinds > CONTROL, bounds)) > 0]
    row = np.searchsorted(page.rows.start, begins, side="right") - 1
    lines: Ints = np.bincount(row[row >= 0], minlength=len(page.rows)).astype(np.int32)
    return lines


def segments(filled: Bools, *, empty_lines: int) -> Ints:
    """Number the segments, which so many empty lines separate; empty lines are in none, -1.

    >>> segments(np.array([1, 0, 1, 0, 0, 1], np.bool_), empty_lines=2).tolist()
    [0, -1, 0, -1, -1, 1]
    """
    at = np.flatnonzero(filled)
    segment = np.full(len(filled), -1, np.int32)
    segment[at[:1]] = 0
    segment[at[1:]] = np.cumsum(np.diff(at) > empty_lines)
    return segment


def _outside_of_menus(page: Page) -> Bools:
    """Tell which rows are for the most part outside of <div>s of the class menu or nav (3)."""
    labelled = np.flatnonzero(page.tags >= FIRST_CONTAINER)
    menus = {
        int(place)
        for place, label in zip(labelled, page.labels, strict=False)
        # The label of an element is its classes, a space and its id.
        if not _MENU_CLASSES.isdisjoint(label.rpartition(" ")[0].lower().split())
    }
    starts, ends, depth = [], [], 0
    divs = np.flatnonzero(np.abs(page.tags) == _DIV) if menus else labelled[:0]
    columns = divs.tolist(), page.tags[divs].tolist(), page.tag_offset[divs].tolist()
    for place, tag, offset in zip(*columns, strict=True):
        if depth:
            depth += 1 if tag > 0 else -1
            if not depth:
                ends.append(offset)
        elif place in menus:
            starts.append(offset)
            depth = 1
    # One that is never closed hides nothing.
    bounds = np.array((starts[: len(ends)], ends), np.int32)
    shown = page.kinds > CONTROL
    hidden = count_by_row(page, shown & covered(len(page.text), *bounds))
    return 2 * hidden <= count_by_row(page, shown)


def _similarities(page: Page, segment: Ints, count: int) -> Floats:
    """Compute the cosine between the words of the title and those of each segment (3.2)."""
    title = direction(Counter(words_of(page.title)))
    if not title:
        return np.zeros(count)
    bags: list[Counter[str]] = [Counter() for _ in range(count)]
    for place, words in zip(segment.tolist(), words_by_row(page), strict=True):
        if place >= 0:
            bags[place].update(words)
    return np.array([cosine(bag, title) for bag in bags])


def direction(bag: Counter[str]) -> dict[str, float]:
    """Divide the counts of a bag of words by its length as a vector.

    >>> direction(Counter("aaabbbb"))
    {'a': 0.6, 'b': 0.8}
    """
    length = sqrt(sum(count * count for count in bag.values()))
    return {word: count / length for word, count in bag.items()}


def cosine(bag: Counter[str], title: Mapping[str, float]) -> float:
    """Compare a bag of words with a direction, in time that does not depend on the latter.

    >>> cosine(Counter("aaabbbb"), {"b": 1.0})
    0.8
    """
    return sum(share * title.get(word, 0.0) for word, share in direction(bag).items())


def _excess(values: Floats, level: float) -> Floats:
    """Say by what share each value is above a level, or below it."""
    return values / level - 1 if level > 0 else np.full(len(values), -1.0)
