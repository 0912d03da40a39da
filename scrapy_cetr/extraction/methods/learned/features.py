"""What the learned method sees of each row of a page: its features, all of them plain numbers.

They are the signals of the papers - tag ratios and their smoothed forms, link density, words of
the title, the share of the page's text that an element holds - for the row itself and for the
containers around it, and the hints in the names that the page's author has given to these. No
feature knows a language: what is counted is kinds of characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Floats, Indices
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.methods.learned.class_hints import HINTS
from scrapy_cetr.extraction.methods.learned.measurements import (
    COUNTED_TAGS,
    LEVELS,
    View,
    look_at,
    rows_to_look_at,
)
from scrapy_cetr.extraction.methods.signal import smooth
from scrapy_cetr.extraction.page.characters import (
    CAPITAL,
    CLOSING,
    COLON,
    DIGIT,
    IDEOGRAPH,
    QUESTION,
    STOP,
)
from scrapy_cetr.extraction.page.page import Page

Block = NDArray[np.float32]

# No row is farther from another than this.
_FAR = 50
_SIGMAS = (1.0, 2.0, 8.0)
# Of the containers around a row, all are measured but the last but one.
_LEVELS = [*range(LEVELS - 2), LEVELS - 1]

_BEGINNINGS = {"a capital": CAPITAL, "a digit": DIGIT, "an ideograph": IDEOGRAPH}
_ENDINGS = {"a stop": STOP, "a question": QUESTION, "a quotation": CLOSING, "a colon": COLON}
_ROW_ELEMENTS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "div", "blockquote"),
    *("figcaption", "dd", "dt", "pre"),
)
_SURROUNDINGS = (
    *("article", "main", "aside", "nav", "header", "footer", "ul", "ol", "dl", "table", "form"),
    *("figure", "blockquote", "section", "td", "li", "address", "details"),
)
_OF_CONTAINERS = (
    *("text", "long text", "linked", "rows", "same label", "children's text", "mean length"),
    *("marks", "paragraphs", "headings", "long rows"),
)

NAMES = (
    *("chars", "link length", "marks", "digits", *(f"{name} in row" for name in COUNTED_TAGS)),
    *("share of marks", "share of digits", "share of ideographs", "linked"),
    *(f"begins with {name}" for name in _BEGINNINGS),
    *(f"ends in {name}" for name in _ENDINGS),
    *("repeats another", "is repeated", "share in title", "share of title"),
    *("ratio", *(f"ratio, σ = {sigma:g}" for sigma in _SIGMAS)),
    *("empty rows before", "rows before", "rows behind", "from long row", "to long row", "place"),
    "long text before",
    *("rows of its kind", "chars of its kind", "long text of its kind", "linked of its kind"),
    *("from heading", "behind h1", "from title", "level of title", "chars beside long rows"),
    *("from best", "in best", "in parent of best", "in grandparent of best"),
    *(f"row of {name}" for name in _ROW_ELEMENTS),
    *(f"within hint of {name}" for name in HINTS),
    *(f"within {name}" for name in _SURROUNDINGS),
    *(f"hint of {name}" for name in HINTS),
    *(f"{name} of container {level}" for name in _OF_CONTAINERS for level in _LEVELS),
)
PAGE_NAMES = (
    *("page's rows", "page's text", "page's long text", "page's linked", "page's long rows"),
    *("page's ideographs", "page's best", "page's articles", "page has h1", "page shows title"),
)

_PARAGRAPH, _H1, _ARTICLE, _LI = (ELEMENT_CODES[name] for name in ("p", "h1", "article", "li"))
_ROW_CODES = np.array([ELEMENT_CODES[name] for name in _ROW_ELEMENTS])[:, None]
_BEGINNING_KINDS, _ENDING_KINDS = (
    np.array([*kinds.values()], np.uint8)[:, None] for kinds in (_BEGINNINGS, _ENDINGS)
)
# Rows of one kind have the same of these, and their containers the same label.
_ELEMENT_KINDS = 4
_BITS = np.dtype("<i8")


def _tabulate_surroundings() -> NDArray[np.int64]:
    """Give each element that is looked for among the surroundings a bit behind those of hints."""
    table = np.zeros(128, np.int64)
    for place, name in enumerate(_SURROUNDINGS, start=len(HINTS)):
        table[ELEMENT_CODES[name]] = 1 << place
    return table


def _tabulate_kinds() -> NDArray[np.intp]:
    """Tell paragraphs, headings and items of lists from other elements that rows begin in."""
    table = np.zeros(128, np.intp)
    table[_PARAGRAPH], table[_H1 : _H1 + 6], table[_LI] = 1, 2, 3
    return table


_SURROUNDING_BITS = _tabulate_surroundings()
_ELEMENT_KIND = _tabulate_kinds()


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The rows of a page that have text, what is seen of each, and what is seen of the page.

    ``of_rows`` has a line for each of NAMES and a column for each of the rows; ``stated`` is the
    text that the page states for programs.
    """

    rows: Indices
    texts: list[str]
    of_rows: Block
    of_page: Block
    stated: str


def find_features(page: Page) -> Features:
    """Measure each row that has text."""
    places = rows_to_look_at(page)
    if not len(places):
        nothing = np.zeros((len(NAMES), 0), np.float32)
        return Features(places, [], nothing, np.zeros(len(PAGE_NAMES), np.float32), "")
    view = look_at(page, places)
    of_rows = np.empty((len(NAMES), len(view)), np.float32)
    of_containers = of_rows[-len(_OF_CONTAINERS) * len(_LEVELS) :]
    best = _measure_containers(view, of_containers)
    title = _title_row(view)
    filled = 0
    for block in _blocks(view, best, title):
        of_rows[filled : filled + len(block)] = block
        filled += len(block)
    return Features(places, view.texts, of_rows, _of_page(view, best, title), page.declared_body)


def _blocks(view: View, best: int, title: int) -> Iterator[NDArray[Any]]:
    """Give the features before those of containers, in the order of NAMES and only one by one."""
    yield _of_characters(view)
    yield _of_texts(view)
    yield _of_ratios(view)
    yield _of_places(view)
    yield _of_kinds(view)
    yield _of_headings(view, title)
    yield _of_best(view, best)
    yield view.code == _ROW_CODES
    yield _of_names(view)


def _of_characters(view: View) -> Floats:
    """Count characters and tags, as they are and as shares of the row."""
    links = np.maximum(view.tags[0], 1)
    counts = (view.chars, view.link_chars / links, view.marks, view.digits, *view.tags)
    block = np.empty((len(counts) + 4, len(view)))
    np.log1p(counts, out=block[:-4])
    np.divide((view.marks, view.digits, view.ideographs), view.chars, out=block[-4:-1])
    block[-1] = view.linked
    return block


def _of_texts(view: View) -> Floats:
    """Look at first and last characters, at repetitions and at the words of the title."""
    texts, block = view.texts, np.empty((11, len(view)))
    block[:3] = view.ends[0] == _BEGINNING_KINDS
    block[3:7] = view.ends[1] == _ENDING_KINDS
    index: dict[str, int] = {}
    first = np.fromiter(map(index.setdefault, texts, range(len(texts))), np.intp, len(texts))
    block[7] = first != np.arange(len(view))
    block[8] = np.log(np.bincount(first)[first])
    block[9:] = view.title
    return block


def _of_ratios(view: View) -> Floats:
    """Smooth the tag ratios of all rows, as CETR does, and take those of rows with text."""
    rows = view.page.rows
    ratios = np.log1p(rows.chars / np.maximum(rows.tags, 1))
    columns = (ratios, *(smooth(ratios, sigma) for sigma in _SIGMAS))
    return np.array([column[view.places] for column in columns])


def _of_places(view: View) -> Floats:
    """Say how far a row is from the ends of the page, of its text, and from long rows."""
    count, long = len(view), view.long
    place, is_long = np.arange(count), long > 0
    block = np.empty((7, count))
    distances = block[:5]
    distances[0, 0] = view.places[0]
    distances[0, 1:] = view.places[1:] - view.places[:-1] - 1
    distances[1], distances[2] = place, count - 1 - place
    distances[3:] = _FAR
    last = np.maximum.accumulate(np.where(is_long, place, -_FAR))
    next_ = np.minimum.accumulate(np.where(is_long, place, count + _FAR)[::-1])[::-1]
    distances[3, 1:] = place[1:] - last[:-1]
    distances[4, :-1] = next_[1:] - place[:-1]
    np.minimum(distances[3:], _FAR, out=distances[3:])
    np.log1p(distances, out=distances)
    block[5] = place / count
    before = np.cumsum(long)
    block[6] = (before - long / 2) / (before[-1] + 1)
    return block


def _of_kinds(view: View) -> Floats:
    """Compare a row with all of its kind: like elements in containers of the same label."""
    kind = view.labels[view.around[0]] * _ELEMENT_KINDS + _ELEMENT_KIND[view.code]
    size = np.bincount(kind)
    some = np.maximum(size, 1)
    chars = np.bincount(kind, view.chars)
    plain = np.bincount(kind, view.plain)
    of_kinds = (
        np.log(some),
        np.log1p(plain / some),
        np.bincount(kind, view.long) / (view.long.sum() + 1),
        1 - plain / np.maximum(chars, 1),
    )
    return np.array(of_kinds)[:, kind]


def _title_row(view: View) -> int:
    """Find the row that is most like the title; a headline of the first order, if none is."""
    in_title, of_title = view.title
    return int(np.argmax(of_title * (in_title > 0.3) + 0.2 * (view.code == _H1)))


def _of_headings(view: View, title: int) -> Floats:
    place, block = np.arange(len(view)), np.empty((5, len(view)))
    heading = np.maximum.accumulate(np.where(view.is_heading, place, -_FAR))
    from_title = place - title
    holds_title = (view.tree.first_row <= title) & (title < view.tree.last_row)
    block[0] = np.minimum(place - heading, _FAR)
    block[2] = np.abs(from_title)
    block[4] = view.plain
    np.log1p(block[::2], out=block[::2])
    block[1] = np.logical_or.accumulate(view.code == _H1)
    block[2] *= np.sign(from_title)
    block[3] = LEVELS - holds_title[view.around].sum(0)
    block[4] -= np.log1p(view.long.sum() / max(np.count_nonzero(view.long), 1))
    return block


def _of_best(view: View, best: int) -> Floats:
    """Say where a row is from the container with the most long text among its own rows."""
    tree, place, block = view.tree, np.arange(len(view)), np.empty((4, len(view)))
    begin, end = tree.first_row[best], tree.last_row[best]
    before, behind = np.log1p(np.maximum((begin - place, place - end + 1), 0))
    block[0] = behind - before
    for line in block[1:]:
        line[:] = 0
        line[tree.first_row[best] : tree.last_row[best]] = 1
        best = int(tree.parent[best])
    return block


def _of_names(view: View) -> NDArray[np.uint8]:
    """Say in which elements a row is and what their labels hint at, and those of the nearest."""
    hints, parent = view.hints, view.tree.parent
    inherited = hints | _SURROUNDING_BITS[view.tree.code]
    # Each round looks twice as far as the one before.
    for _ in range(6):
        inherited = inherited | inherited[parent]
        parent = parent[parent]
    bits = np.empty((len(view), 2), _BITS)
    bits[:, 0] = inherited[view.around[0]]
    bits[:, 1] = hints[view.around[0]] | hints[view.around[1]]
    flags = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little").T
    half, count = 8 * _BITS.itemsize, len(HINTS)
    return np.concatenate((flags[: count + len(_SURROUNDINGS)], flags[half : half + count]))


def _measure_containers(view: View, block: Block) -> int:
    """Write of the containers around each row, and find the one with the most long text."""
    tree, around = view.tree, view.around
    summed = np.zeros((7, len(view) + 1))
    is_paragraph, is_long = view.code == _PARAGRAPH, view.long > 0
    columns = (
        view.plain,
        view.long,
        view.chars,
        view.marks,
        is_paragraph,
        view.is_heading,
        is_long,
    )
    np.cumsum(columns, axis=1, out=summed[:, 1:])
    inside = summed.take(tree.last_row, axis=1) - summed.take(tree.first_row, axis=1)
    plain, long, chars, marks, paragraphs, headings, long_rows = inside
    rows = tree.last_row - tree.first_row
    some, heavy = np.maximum(rows, 1), np.maximum(chars, 1)
    all_plain, all_long = summed[:2, -1] + 1
    children = np.bincount(around[0], view.long, len(tree))
    of_containers = np.array(
        (
            *(plain / all_plain, long / all_long, 1 - plain / heavy, np.log1p(rows)),
            np.log(np.bincount(view.labels)[view.labels]) * (view.labels > 0),
            *(children / all_long, np.log1p(plain / some), 30 * marks / heavy),
            *(paragraphs / some, headings / some, long_rows / some),
        ),
        np.float32,
    )
    by_level = block.reshape(len(_OF_CONTAINERS), len(_LEVELS), -1)
    of_containers.take(around[_LEVELS], axis=1, out=by_level, mode="clip")
    return int(np.argmax(children))


def _of_page(view: View, best: int, title: int) -> Block:
    chars, plain, long = view.chars.sum(), view.plain.sum() + 1, view.long.sum() + 1
    return np.array(
        (
            np.log1p(len(view)),
            np.log(plain),
            long / plain,
            1 - plain / (chars + 1),
            np.log1p(np.count_nonzero(view.long)),
            view.ideographs.sum() / chars,
            view.long[view.around[0] == best].sum() / long,
            np.log1p(np.count_nonzero(view.tree.code == _ARTICLE)),
            (view.code == _H1).any(),
            view.title[1][title],
        ),
        np.float32,
    )
