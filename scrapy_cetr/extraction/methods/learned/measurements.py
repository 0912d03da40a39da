"""Measurements of the rows that have text, and of the containers around them.

The features of the learned method are computed from these columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, Indices, Ints, UInt8s
from scrapy_cetr.extraction.elements import ELEMENT_CODES, LINE_BREAK, LINK, PARAGRAPH_BREAK
from scrapy_cetr.extraction.methods.signal import smooth
from scrapy_cetr.extraction.methods.spans import sum_by_group
from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS
from scrapy_cetr.extraction.page.containers import Containers
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.row_texts import RowTexts
from scrapy_cetr.extraction.page.words import words_of

# A row with at least this many characters is running text, not a label. An ideograph counts twice.
LONG = 80
# A row with a larger share of its characters in links is a list of links.
LINKED = 0.34
# The number of containers around a row that are measured.
LEVELS = 5
# The branch of a row comes after these levels in ``around``.
BRANCH = LEVELS
# Rows compared with the title: headings, and the first rows that are neither links nor longer than
# a title.
_LONGEST_TITLE, _FIRST_ROWS = 200, 24
# A row is taken for the headline only if more than this share of its words is in the title. An
# <h1> gets a bonus, so that it is chosen where no row is like the title.
_SHARE_IN_TITLE, _H1_BONUS = 0.3, 0.2

# The elements around rows that features know, each with a bit after those of the class hints.
SURROUNDINGS = (
    *("article", "main", "aside", "nav", "header", "footer", "ul", "ol", "dl", "table", "form"),
    *("figure", "blockquote", "section", "td", "li", "address", "details"),
)

# The widths to which tag ratios are smoothed.
SIGMAS = (1.0, 2.0, 8.0)
# The tags counted in each row. Four 16-bit counts share one 64-bit number, so that one cumulative
# sum counts all of them.
COUNTED_TAGS = ("links", "images", "fields", "breaks")
_COUNTS = np.dtype("<i8")
_COUNT = np.dtype("<u2")
_MOST_COUNTED = np.int32(np.iinfo(_COUNT).max)
_H1, _H6 = ELEMENT_CODES["h1"], ELEMENT_CODES["h6"]


def _tabulate_tags() -> NDArray[np.int64]:
    table = np.zeros(256, _COUNTS)
    for index, codes in enumerate(
        (
            (LINK,),
            (ELEMENT_CODES["img"], ELEMENT_CODES["image"]),
            (ELEMENT_CODES["input"], ELEMENT_CODES["button"], ELEMENT_CODES["label"]),
            (LINE_BREAK, PARAGRAPH_BREAK),
        )
    ):
        table[list(codes)] = 1 << 8 * _COUNT.itemsize * index
    return table


def _tabulate_surroundings() -> NDArray[np.int64]:
    table = np.zeros(128, np.int64)
    for bit, name in enumerate(SURROUNDINGS, start=len(CLASS_HINTS)):
        table[ELEMENT_CODES[name]] = 1 << bit
    return table


_TAG_COUNTS = _tabulate_tags()
SURROUNDING_BITS = _tabulate_surroundings()


@dataclass(frozen=True, slots=True, eq=False)
class RowMeasurements:
    """Columns for the rows with text, one element per row, and the tree of their containers.

    - ``rows``: the index of each row among all rows of the page.
    - ``ends``: 2 × rows, the kinds of the first and of the last character of the text.
    - ``chars``: characters, ideographs counted twice. ``plain_chars`` are those outside of links,
      ``long_chars`` the plain characters of long rows, zero for other rows.
    - ``link_chars``, ``link_share``: characters in links, and their share of the row.
    - ``marks``, ``digits``, ``ideographs``: character counts; marks are stops and commas.
    - ``tags``: COUNTED_TAGS × rows, tag counts.
    - ``code``: the element that the row begins in.
    - ``around``: (LEVELS + 1) × rows, the containers of the row, the innermost first. The last line
      is the branch of the row: the largest container around it that does not hold the best one, or
      its innermost container if that does.
    - ``first_copy``: the first row with the same text.
    - ``ratios``: one line for each of SIGMAS and one before, the tag ratios as CETR smoothes them.
    - ``title_shares``: 2 × rows, the share of the row's words that are in the title, and the share
      of the title's words that are in the row.
    - ``title_row``: the row that is most like the title.

    These have one element per container of ``tree``:

    - ``class_name``: the number of its class name; ``class_hints``: the hints in that, as bits;
      ``inherited``: the bits of the elements and class hints of it and all containers around it.
    - ``depth``: the number of containers around it. ``holds_best``: whether it is or holds the best
      container.
    - ``own_long_chars``: the long characters of the rows directly inside of it.

    ``best_container`` has the most of ``own_long_chars``.
    """

    page: Page
    rows: Indices
    texts: RowTexts
    ends: UInt8s
    chars: Floats
    link_chars: Ints
    link_share: Floats
    plain_chars: Floats
    long_chars: Floats
    marks: Ints
    digits: Ints
    ideographs: Ints
    tags: NDArray[np.uint16]
    code: Indices
    is_heading: Bools
    tree: Containers
    around: Indices
    first_copy: Ints
    ratios: Floats
    title_shares: Floats
    title_row: int
    class_name: Indices
    class_hints: NDArray[np.int64]
    inherited: NDArray[np.int64]
    depth: Indices
    holds_best: Bools
    own_long_chars: Floats
    best_container: int

    def __len__(self) -> int:
        return len(self.rows)


def measure_rows(page: Page) -> RowMeasurements:
    """Measure the rows of a page that have text; there is at least one."""
    rows = page.text_rows
    row_chars, openers = page.rows.chars[rows], page.rows.opener[rows]
    begin, end = page.text_bounds
    texts = page.row_texts
    marks, digits, ideographs = page.kind_counts
    chars = (row_chars + ideographs).astype(np.float64)
    link_chars = page.link_chars[rows]
    link_share = np.minimum(link_chars / row_chars, 1)
    plain_chars = chars * (1 - link_share)
    is_unlinked = link_share < LINKED
    long_chars = plain_chars * ((chars >= LONG) & is_unlinked)
    tree = page.containers
    code = _row_elements(page, openers, tree)
    is_heading = (code >= _H1) & (code <= _H6)
    is_compared = _compared_with_title(is_heading, is_unlinked & (chars <= _LONGEST_TITLE))
    title_shares = _title_shares(page, begin, end, is_compared)
    class_name, hints = _container_class_hints(page, tree)
    own_long_chars = sum_by_group(tree.of_row, long_chars, len(tree))
    best_container = int(np.argmax(own_long_chars))
    holds_best = _holders(tree, best_container)
    bits = hints | SURROUNDING_BITS[tree.code]
    inherited, depth, branch = loops.inherit(tree.parent, bits, holds_best)
    return RowMeasurements(
        page=page,
        rows=rows,
        texts=texts,
        ends=page.kinds[np.array((begin, end - 1))],
        chars=chars,
        link_chars=link_chars,
        link_share=link_share,
        plain_chars=plain_chars,
        long_chars=long_chars,
        marks=marks,
        digits=digits,
        ideographs=ideographs,
        tags=_count_tags(page, rows),
        code=code,
        is_heading=is_heading,
        tree=tree,
        around=_containers_around(tree, branch),
        first_copy=loops.first_copies(page.text, begin, end),
        ratios=_smoothed_ratios(page, rows),
        title_shares=title_shares,
        title_row=_title_row(title_shares, code),
        class_name=class_name,
        class_hints=hints,
        inherited=inherited,
        depth=depth,
        holds_best=holds_best,
        own_long_chars=own_long_chars,
        best_container=best_container,
    )


def _smoothed_ratios(page: Page, rows: Indices) -> Floats:
    """Return the tag ratios of some rows, and those smoothed over all rows of the page."""
    ratios = np.log1p(page.rows.chars / np.maximum(page.rows.tags, 1))
    columns = (ratios, *(smooth(ratios, sigma) for sigma in SIGMAS))
    return np.array([column[rows] for column in columns])


def _containers_around(tree: Containers, branch: Indices) -> Indices:
    """Return the containers of each row, the innermost first, and its branch."""
    around = np.empty((LEVELS + 1, len(tree.of_row)), np.intp)
    around[0] = tree.of_row
    for level in range(1, LEVELS):
        around[level] = tree.parent[around[level - 1]]
    around[BRANCH] = branch[tree.of_row]
    return around


def _holders(tree: Containers, container: int) -> Bools:
    """Mark a container and all containers around it."""
    holders = np.zeros(len(tree), np.bool_)
    while not holders[container]:
        holders[container] = True
        container = int(tree.parent[container])
    return holders


def _row_elements(page: Page, openers: Ints, tree: Containers) -> Indices:
    """Return the element that each row begins in: that of its opening tag, or its container."""
    opening = page.tags.take(openers, mode="clip") if len(page.tags) else np.zeros_like(openers)
    return np.where((opening > 0) & (openers >= 0), opening, tree.code[tree.of_row])


def _count_tags(page: Page, rows: Indices) -> NDArray[np.uint16]:
    """Count the tags of each group in each row, after the one that opens the row."""
    edges = np.empty((len(rows), 2), np.int32)
    edges[:, 0] = page.rows.opener[rows] + 1
    edges[:, 1] = page.rows.first_tag[rows] + page.rows.tags[rows]
    # A count of more tags would overflow into the count of the next group.
    np.minimum(edges[:, 1], edges[:, 0] + _MOST_COUNTED, out=edges[:, 1])
    sums = loops.sums_before(page.tags, edges.ravel(), _TAG_COUNTS).astype(_COUNTS, copy=False)
    counts: NDArray[np.uint16] = (sums[1::2] - sums[::2]).view(_COUNT)
    return counts.reshape(-1, len(COUNTED_TAGS)).T


def _compared_with_title(headings: Bools, candidates: Bools) -> Bools:
    """Select the rows that are compared with the title: headings and the first of candidates."""
    is_compared: Bools = headings & candidates
    is_compared[candidates.nonzero()[0][:_FIRST_ROWS]] = True
    return is_compared


def _title_shares(page: Page, begin: Ints, end: Ints, is_compared: Bools) -> Floats:
    """Return the share of some rows' words that are in the title, and of the title's in the row."""
    shares = np.zeros((2, len(begin)))
    title_words = list(set(words_of(page.title)))
    if title_words:
        # Scripts without spaces between words are compared by characters.
        of_chars = any(len(word) == 1 for word in title_words)
        rows = is_compared.nonzero()[0]
        shared, words = loops.shared_words(page.text, begin[rows], end[rows], title_words, of_chars)
        shares[0, rows] = np.minimum(shared / np.maximum(words, 1), 1)
        shares[1, rows] = shared / len(title_words)
    return shares


def _title_row(title_shares: Floats, code: Indices) -> int:
    """Return the row that is most like the title, or the first <h1> if none is."""
    in_title, of_title = title_shares
    is_like_title = in_title > _SHARE_IN_TITLE
    return int(np.argmax(of_title * is_like_title + _H1_BONUS * (code == _H1)))


def _container_class_hints(page: Page, tree: Containers) -> tuple[Indices, NDArray[np.int64]]:
    """Return the number of each container's class name, and its class hints."""
    numbers = np.zeros(len(tree), np.intp)
    if len(page.class_name):
        numbers[1:] = page.class_name[tree.class_name[1:]]
    return numbers, page.class_hints[numbers]
