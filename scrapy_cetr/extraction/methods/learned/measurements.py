"""What the learned method looks at: the rows of a page that have text, and what is around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, Indices, Ints, UInt8s
from scrapy_cetr.extraction.elements import ELEMENT_CODES, LINE_BREAK, LINK, PARAGRAPH_BREAK
from scrapy_cetr.extraction.methods.learned.class_hints import hints_of
from scrapy_cetr.extraction.page.characters import COMMA, DIGIT, IDEOGRAPH, QUESTION, trimmed
from scrapy_cetr.extraction.page.containers import Containers, find_containers
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.words import words_of

# A row of so many characters is text rather than a label; an ideograph counts for two.
LONG = 80
# A row of which links are a larger share is a list of links.
LINKED = 0.34
# So many containers around a row are looked at.
LEVELS = 5
# Of a page with more rows, only so many of the longest are looked at, as those of a hostile page
# would fill the memory.
MAX_ROWS = 20_000
# Compared with the title are headings, and so many of the first rows that are neither links nor
# longer than any title.
_LONGEST_TITLE, _FIRST_ROWS = 200, 24

# What tags are counted of each row: four counts in one number, so that one sum adds up all.
COUNTED_TAGS = ("links", "images", "fields", "breaks")
_COUNTS = np.dtype("<i8")
_PLACES = np.dtype("<u2")
_MOST_COUNTED = np.int32(np.iinfo(_PLACES).max)
_H1, _H6 = ELEMENT_CODES["h1"], ELEMENT_CODES["h6"]
# What characters are counted of each row: those from one kind to another.
_COUNTED_KINDS = np.array(((QUESTION, COMMA), (DIGIT, DIGIT), (IDEOGRAPH, IDEOGRAPH)), np.uint8)


def _tabulate_tags() -> NDArray[np.int64]:
    table = np.zeros(256, _COUNTS)
    for place, codes in enumerate(
        (
            (LINK,),
            (ELEMENT_CODES["img"], ELEMENT_CODES["image"]),
            (ELEMENT_CODES["input"], ELEMENT_CODES["button"], ELEMENT_CODES["label"]),
            (LINE_BREAK, PARAGRAPH_BREAK),
        )
    ):
        table[list(codes)] = 1 << 8 * _PLACES.itemsize * place
    return table


_TAG_COUNTS = _tabulate_tags()


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Columns with one element a row that has text, and what lies around these rows.

    ``ends`` are the kinds of the first and of the last character of each row's text.
    ``chars`` counts an ideograph twice; of them, ``plain`` are not in links, and ``long`` are plain
    ones of long rows. ``marks``, ``digits`` and ``ideographs`` count characters; ``tags`` has a
    line for each of COUNTED_TAGS. ``code`` is the element that a row begins in; ``around`` are its
    containers, the innermost first. ``title`` tells which share of the row's words are in the
    title, and of the title's in the row. Each container has a number for its label, and the hints
    in that.
    """

    page: Page
    places: Indices
    texts: list[str]
    ends: UInt8s
    chars: Floats
    link_chars: Ints
    linked: Floats
    plain: Floats
    long: Floats
    marks: Ints
    digits: Ints
    ideographs: Ints
    tags: NDArray[np.uint16]
    code: Indices
    is_heading: Bools
    tree: Containers
    around: Indices
    title: Floats
    labels: Indices
    hints: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.places)


def look_at(page: Page, places: Indices) -> View:
    """Measure some rows of a page, all of which have text."""
    rows = page.rows
    row_chars, openers = rows.chars[places], rows.opener[places]
    begin, end = trimmed(page.kinds, rows.start[places], rows.end[places])
    bounds = zip(begin.tolist(), end.tolist(), strict=True)
    texts = [page.text[first:last] for first, last in bounds]
    marks, digits, ideographs = loops.count_kinds(page.kinds, begin, end, _COUNTED_KINDS)
    chars = (row_chars + ideographs).astype(np.float64)
    link_chars = page.link_chars[places]
    linked = np.minimum(link_chars / row_chars, 1)
    plain = chars * (1 - linked)
    tree = find_containers(page, openers)
    around = np.empty((LEVELS, len(places)), np.intp)
    around[0] = tree.of_row
    for level in range(1, LEVELS):
        around[level] = tree.parent[around[level - 1]]
    opening = page.tags.take(openers, mode="clip") if len(page.tags) else np.zeros_like(openers)
    code = np.where((opening > 0) & (openers >= 0), opening, tree.code[around[0]])
    is_heading = (code >= _H1) & (code <= _H6)
    unlinked = linked < LINKED
    labels, hints = _read_labels(page, tree)
    return View(
        page=page,
        places=places,
        texts=texts,
        ends=page.kinds[np.array((begin, end - 1))],
        chars=chars,
        link_chars=link_chars,
        linked=linked,
        plain=plain,
        long=plain * ((chars >= LONG) & unlinked),
        marks=marks,
        digits=digits,
        ideographs=ideographs,
        tags=_count_tags(page, places),
        code=code,
        is_heading=is_heading,
        tree=tree,
        around=around,
        title=_shares_of_title(page.title, texts, is_heading, unlinked & (chars <= _LONGEST_TITLE)),
        labels=labels,
        hints=hints,
    )


def rows_to_look_at(page: Page) -> Indices:
    """Choose the rows with text, or the longest of them."""
    places = np.flatnonzero((page.rows.chars > 0) & ~page.rows.broken)
    if len(places) <= MAX_ROWS:
        return places
    longest_first = np.argsort(-page.rows.chars[places], kind="stable")
    return np.sort(places[longest_first[:MAX_ROWS]])


def _count_tags(page: Page, places: Indices) -> NDArray[np.uint16]:
    """Count the tags of each group in each row, behind the one that opens it."""
    rows = page.rows
    edges = np.empty((len(places), 2), np.int32)
    edges[:, 0] = rows.opener[places] + 1
    edges[:, 1] = rows.first_tag[places] + rows.tags[places]
    # What is behind so many tags of a row would not fit, and count as tags of the next group.
    np.minimum(edges[:, 1], edges[:, 0] + _MOST_COUNTED, out=edges[:, 1])
    sums = loops.sums_before(page.tags, edges.ravel(), _TAG_COUNTS).astype(_COUNTS, copy=False)
    counts: NDArray[np.uint16] = (sums[1::2] - sums[::2]).view(_PLACES)
    return counts.reshape(-1, len(COUNTED_TAGS)).T


def _shares_of_title(title: str, texts: list[str], headings: Bools, others: Bools) -> Floats:
    """Give the share of each row's words that are in the title, and of the title's in the row."""
    shares = np.zeros((2, len(texts)))
    wanted = frozenset(words_of(title))
    # Titles of scripts without spaces between words are compared by characters.
    spaced = not any(len(word) == 1 for word in wanted)
    is_candidate = headings & others
    is_candidate[np.flatnonzero(others)[:_FIRST_ROWS]] = True
    compared: list[tuple[int, float, float]] = []
    for place in np.flatnonzero(is_candidate).tolist() if wanted else ():
        text = texts[place].lower()
        found = text.split() if spaced else text
        if not wanted.isdisjoint(found):
            shared = len(wanted.intersection(found))
            compared.append((place, min(shared / len(found), 1), shared / len(wanted)))
    if compared:
        places, *columns = zip(*compared, strict=True)
        shares[:, places] = columns
    return shares


def _read_labels(page: Page, tree: Containers) -> tuple[Indices, NDArray[np.int64]]:
    """Give the numbers of containers' labels, and the hints in each."""
    numbers = np.zeros(len(tree), np.intp)
    if len(page.class_name):
        numbers[1:] = page.class_name[tree.class_name[1:]]
    return numbers, hints_of(page.class_names)[numbers]
