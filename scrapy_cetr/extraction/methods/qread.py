"""qRead: the segment with the most words a line, and those that are about the title.

J. Wang, J. Wang: qRead - A Fast and Accurate Article Extraction Method from Web Pages using
Partition Features Optimizations. KDIR 2015. Section and equation numbers below are the paper's. The
paper's empty lines, which are left when tags are removed, are rows without text here.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import sqrt
from typing import Any

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, Ints, chunks, flag_indices
from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_NAMED, LINE
from scrapy_cetr.extraction.methods.spans import covered
from scrapy_cetr.extraction.methods.verdict import Verdict, make_verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.characters import CONTROL
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.words import words_by_row, words_of

_DIV = ELEMENT_CODES["div"]
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
    # The last value is for rows in no segment, whose number is -1.
    score = np.append(np.maximum(densest, np.minimum(similar, dense)), -1.0)[segment]
    trace: dict[str, Any] = {"segment": segment, "density": density, "similarity": similarity}
    return make_verdict(page, score, score >= 0, **trace)


def text_lines(page: Page) -> Ints:
    """Count the lines with text in each row: a row ends a line, and so does <br> or </p> (3.1)."""
    rows, shown = page.rows.start, page.kinds > CONTROL
    lines = np.zeros(len(rows), np.intp)
    for ends in _line_ends(page):
        low, high = ends[0], ends[-1]
        inside = rows[np.searchsorted(rows, low) : np.searchsorted(rows, high)]
        bounds = np.sort(np.concatenate((inside, ends)))
        filled = loops.sums_between(shown[low:high], bounds - low) > 0
        row = np.searchsorted(rows, bounds[:-1][filled], side="right") - 1
        lines += np.bincount(row[row >= 0], minlength=len(rows))
    return lines.astype(np.int32)


def _line_ends(page: Page) -> Iterator[Ints]:
    """Yield the offsets where lines end, in chunks; each chunk begins with the end of the last.

    The first begins with the start of the text, the last ends with its end.
    """
    offset, strength = page.breaks.offset, page.breaks.strength
    low, high = np.array(((0,), (len(page.text),)), np.int32)
    for now in chunks(max(len(offset), 1)):
        is_last = now.stop >= len(offset)
        ends = np.concatenate((low, offset[now][strength[now] >= LINE], high[: int(is_last)]))
        yield ends
        low = ends[-1:]


def segments(filled: Bools, *, empty_lines: int) -> Ints:
    """Number the segments, separated by at least ``empty_lines``; empty lines get -1.

    >>> segments(np.array([1, 0, 1, 0, 0, 1], np.bool_), empty_lines=2).tolist()
    [0, -1, 0, -1, -1, 1]
    """
    at = np.flatnonzero(filled)
    segment = np.full(len(filled), -1, np.int32)
    segment[at[:1]] = 0
    segment[at[1:]] = np.cumsum(np.diff(at) > empty_lines)
    return segment


def _outside_of_menus(page: Page) -> Bools:
    """Mark rows that are mostly outside of <div>s with the class menu or nav (3)."""
    starts, ends, depth = array("i"), array("i"), 0
    for tag, offset, is_menu in chain.from_iterable(_divs(page)):
        if depth:
            depth += 1 if tag > 0 else -1
            if not depth:
                ends.append(offset)
        elif is_menu:
            starts.append(offset)
            depth = 1
    # A menu that is never closed is ignored.
    bounds = (np.array(column[: len(ends)], np.int32) for column in (starts, ends))
    shown = page.kinds > CONTROL
    hidden = page.count_by_row(shown & covered(len(page.text), *bounds))
    return 2 * hidden <= page.count_by_row(shown)


def _divs(page: Page) -> Iterator[Iterable[tuple[int, int, bool]]]:
    """Yield the tags of <div>s, their offsets and whether they begin a menu, in chunks.

    Yield nothing if the page has no menu.
    """
    # A class name consists of the classes of an element, a space and its id.
    menus = np.array(
        [
            not _MENU_CLASSES.isdisjoint(class_name.rpartition(" ")[0].lower().split())
            for class_name in page.class_names
        ],
        np.bool_,
    )
    if not menus.any():
        return
    is_menu = np.zeros(len(page.tags), np.bool_)
    is_menu[flag_indices(page.tags >= FIRST_NAMED)] = menus[page.class_name]
    for now in chunks(len(page.tags)):
        divs = np.flatnonzero(np.abs(page.tags[now]) == _DIV)
        columns = (page.tags, page.tag_offset, is_menu)
        yield zip(*(column[now][divs].tolist() for column in columns), strict=True)


def _similarities(page: Page, segment: Ints, count: int) -> Floats:
    """Compute the cosine between the words of the title and those of each segment (3.2)."""
    title = direction(Counter(words_of(page.title)))
    if not title:
        return np.zeros(count)
    bags: list[Counter[str]] = [Counter() for _ in range(count)]
    segment_of_row = segment.tolist()
    for row, words in words_by_row(page):
        if segment_of_row[row] >= 0:
            bags[segment_of_row[row]].update(words)
    return np.array([cosine(bag, title) for bag in bags])


def direction(bag: Counter[str]) -> dict[str, float]:
    """Divide the counts of a bag of words by its length as a vector.

    >>> direction(Counter("aaabbbb"))
    {'a': 0.6, 'b': 0.8}
    """
    length = sqrt(sum(count * count for count in bag.values()))
    return {word: count / length for word, count in bag.items()}


def cosine(bag: Counter[str], title: Mapping[str, float]) -> float:
    """Return the cosine between a bag of words and a direction, in time linear in the bag.

    >>> cosine(Counter("aaabbbb"), {"b": 1.0})
    0.8
    """
    return sum(share * title.get(word, 0.0) for word, share in direction(bag).items())


def _excess(values: Floats, level: float) -> Floats:
    """Return by what share each value is above a level, negative if below."""
    return values / level - 1 if level > 0 else np.full(len(values), -1.0)
