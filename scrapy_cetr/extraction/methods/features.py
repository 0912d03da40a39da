"""What the learned method sees of each row of a page: its features, all of them plain numbers.

They are the signals of the papers - tag ratios and their smoothed forms, link density, words of
the title, the share of the page's text that an element holds - for the row itself and for the
containers around it, and the hints in the names that the page's author has given to these. No
feature knows a language: what is counted is kinds of characters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.characters import (
    CAPITAL,
    COMMA,
    DIGIT,
    IDEOGRAPH,
    STOP,
    character_kinds,
)
from scrapy_cetr.extraction.containers import Containers, find_containers
from scrapy_cetr.extraction.markup import CODES, LINE_BREAK, LINK, PARAGRAPH_BREAK
from scrapy_cetr.extraction.methods.hints import HINTS, hints_of
from scrapy_cetr.extraction.methods.signal import derivative, smooth
from scrapy_cetr.extraction.methods.vocabulary import words_of
from scrapy_cetr.extraction.page import Bools, Floats, Page, Places

Block = NDArray[np.float32]

# A row of so many characters is text rather than a label; an ideograph counts for two.
LONG = 80
# A row of which links are a larger share is a list of links.
_LINKED = 0.34
# So many containers around a row are looked at.
LEVELS = 6
# Of a page with more rows, only so many of the longest are looked at, as those of a hostile page
# would fill the memory.
MAX_ROWS = 20_000
# No row is farther from another than this.
_FAR = 50
# Longer rows, and links, are not compared with the title.
_LONGEST_TITLE = 200
_SIGMAS = (1.0, 2.0, 4.0, 8.0)

_SURROUNDINGS = (
    *("article", "main", "aside", "nav", "header", "footer", "ul", "ol", "dl", "table", "form"),
    *("figure", "blockquote", "section", "td", "li", "address", "details"),
)
_ROW_ELEMENTS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "div", "blockquote"),
    *("figcaption", "dd", "dt", "pre"),
)
_COUNTED = {
    "stops": STOP,
    "commas": COMMA,
    "digits": DIGIT,
    "capitals": CAPITAL,
    "ideographs": IDEOGRAPH,
}
_BEGINNINGS = {"a capital": CAPITAL, "a digit": DIGIT, "an ideograph": IDEOGRAPH}
_ENDINGS = {
    "a stop": ".!?…。！？؟।۔",
    "a quote": "\"'”’»」』)",
    "a colon": ":：",
    "an arrow": "›→>▸",
}
_SIGNS = ("©", "|", "·")
_TAGS = {
    "links": (LINK,),
    "images": (CODES["img"], CODES["image"]),
    "fields": tuple(CODES[name] for name in ("input", "button", "label")),
    "bold": (CODES["b"], CODES["strong"]),
    "breaks": (LINE_BREAK, PARAGRAPH_BREAK),
}
_OF_CONTAINERS = (
    *("text", "long text", "linked", "rows", "same label", "children's text"),
    *("grandchildren's text", "mean length", "long rows", "stops", "paragraphs", "headings"),
)

NAMES = (
    *("chars", "link length", *_COUNTED, *(f"{name} in row" for name in _TAGS)),
    *(*(f"share of {name}" for name in _COUNTED), "linked"),
    *(f"ends in {name}" for name in _ENDINGS),
    *(f"begins with {name}" for name in _BEGINNINGS),
    *(f"has {sign}" for sign in _SIGNS),
    *("repeats another", "is repeated", "share in title", "share of title"),
    *("ratio", *(f"ratio, σ = {sigma:g}" for sigma in _SIGMAS), "slope, σ = 2", "slope, σ = 4"),
    *(f"linked, σ = {sigma:g}" for sigma in _SIGMAS),
    *(f"plain chars, σ = {sigma:g}" for sigma in _SIGMAS),
    *("empty rows before", "empty rows behind", "place", "rows before", "rows behind"),
    *("long text before", "text before", "from long row", "to long row"),
    *("rows of its kind", "chars of its kind", "long text of its kind", "linked of its kind"),
    *("from heading", "behind h1", "from title", "level of title", "chars beside long rows"),
    *("from best", "in best", "in parent of best", "in grandparent of best"),
    *(f"row of {name}" for name in _ROW_ELEMENTS),
    *(f"within {name}" for name in _SURROUNDINGS),
    *(f"within hint of {name}" for name in HINTS),
    *(f"hint of {name}" for name in HINTS),
    *(f"{name} of container {level}" for name in _OF_CONTAINERS for level in range(LEVELS)),
)
PAGE_NAMES = (
    *("page's rows", "page's text", "page's long text", "page's linked", "page's long rows"),
    *("page's ideographs", "page's best", "page's articles", "page has h1", "page shows title"),
)

_PARAGRAPH, _H1, _H6, _ARTICLE = (CODES[name] for name in ("p", "h1", "h6", "article"))
_ROW_CODES = np.array([CODES[name] for name in _ROW_ELEMENTS])[:, None]
_ENDING_BITS = {char: 1 << place for place, name in enumerate(_ENDINGS) for char in _ENDINGS[name]}
_BEGINNING_KINDS = np.array(tuple(_BEGINNINGS.values()), np.uint8)[:, None]
_BITS = np.arange(64)[:, None]


def _tabulate_tags() -> NDArray[np.int32]:
    """Make a table that tells of each number of a tag whether it is of each group."""
    table = np.zeros((len(_TAGS), 256), np.int32)
    for place, codes in enumerate(_TAGS.values()):
        table[place, list(codes)] = 1
    return table


def _tabulate_surroundings() -> NDArray[np.int64]:
    """Give each element that is looked for among the surroundings a bit behind those of hints."""
    table = np.zeros(128, np.int64)
    for place, name in enumerate(_SURROUNDINGS, start=len(HINTS)):
        table[CODES[name]] = 1 << place
    return table


_TAG_TABLE = _tabulate_tags()
_SURROUNDING_BITS = _tabulate_surroundings()


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The rows of a page that have text, what is seen of each, and what is seen of the page.

    ``of_rows`` has a line for each of NAMES and a column for each of the rows.
    """

    rows: Places
    texts: list[str]
    of_rows: Block
    of_page: Block


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What most features are made of: columns with one element a row that has text.

    ``chars`` counts an ideograph twice; of them, ``plain`` are not in links, and ``long`` are plain
    ones of long rows. ``around`` are the containers of each row, the innermost first.
    """

    page: Page
    places: Places
    texts: list[str]
    counts: NDArray[np.int32]
    chars: Floats
    linked: Floats
    plain: Floats
    long: Floats
    code: Places
    tree: Containers
    around: Places
    title: Floats

    def __len__(self) -> int:
        return len(self.places)


def find_features(page: Page) -> Features:
    """Measure each row that has text."""
    places = _rows_to_look_at(page)
    if not len(places):
        nothing = np.zeros((len(NAMES), 0), np.float32)
        return Features(places, [], nothing, np.zeros(len(PAGE_NAMES), np.float32))
    view = _look_at(page, places)
    labels, hints, same_label = _read_labels(page, view.tree)
    of_containers, best = _of_containers(view, same_label)
    columns = (
        _of_characters(view),
        _of_texts(view),
        _of_ratios(view),
        _of_places(view),
        _of_kinds(view, labels),
        _of_headings(view),
        _of_best(view, best),
        view.code == _ROW_CODES,
        _of_names(view, hints),
        of_containers,
    )
    of_rows = np.concatenate([np.asarray(block, np.float32) for block in columns])
    return Features(places, view.texts, of_rows, _of_page(view, best))


def _rows_to_look_at(page: Page) -> Places:
    """Choose the rows with text, or the longest of them."""
    places = np.flatnonzero((page.rows.chars > 0) & ~page.rows.broken)
    if len(places) <= MAX_ROWS:
        return places
    longest_first = np.argsort(-page.rows.chars[places], kind="stable")
    return np.sort(places[longest_first[:MAX_ROWS]])


def _look_at(page: Page, places: Places) -> _View:
    rows = page.rows
    bounds = zip(rows.start[places].tolist(), rows.end[places].tolist(), strict=True)
    texts = [page.text[begin:end].strip() for begin, end in bounds]
    counts = _count_characters(page, places)
    chars = (rows.chars[places] + counts[-1]).astype(np.float64)
    linked = np.minimum(page.link_chars[places] / rows.chars[places], 1)
    plain = chars * (1 - linked)
    openers = rows.opener[places]
    tree = find_containers(page, openers)
    around = np.empty((LEVELS, len(places)), np.intp)
    around[0] = tree.of_row
    for level in range(1, LEVELS):
        around[level] = tree.parent[around[level - 1]]
    opening = np.append(page.tags, np.int8(0))[openers]
    could_be_title = np.flatnonzero((chars <= _LONGEST_TITLE) & (linked < _LINKED))
    return _View(
        page=page,
        places=places,
        texts=texts,
        counts=counts,
        chars=chars,
        linked=linked,
        plain=plain,
        long=plain * ((chars >= LONG) & (linked < _LINKED)),
        code=np.where(opening > 0, opening, tree.code[around[0]]),
        tree=tree,
        around=around,
        title=_shares_of_title(page.title, texts, could_be_title),
    )


def _count_characters(page: Page, places: Places) -> NDArray[np.int32]:
    """Count the characters of each kind in each of the rows."""
    filled = np.flatnonzero(page.rows.chars)
    starts, wanted = page.rows.start[filled], np.searchsorted(filled, places)
    counted = [
        np.add.reduceat(page.kinds == kind, starts, dtype=np.int32)[wanted]
        for kind in _COUNTED.values()
    ]
    return np.array(counted)


def _shares_of_title(title: str, texts: list[str], candidates: Places) -> Floats:
    """Give the share of each row's words that are in the title, and of the title's in the row."""
    shares = np.zeros((2, len(texts)))
    wanted = frozenset(words_of(title))
    # Titles of scripts without spaces between words are compared by characters.
    spaced = not any(len(word) == 1 for word in wanted)
    for place in candidates.tolist() if wanted else ():
        text = texts[place].lower()
        found = text.split() if spaced else text
        if not wanted.isdisjoint(found):
            shared = len(wanted.intersection(found))
            shares[:, place] = min(shared / len(found), 1), shared / len(wanted)
    return shares


def _read_labels(page: Page, tree: Containers) -> tuple[Places, NDArray[np.int64], Floats]:
    """Number the labels of containers; give the hints in each, and how many have the same."""
    index = {" ": 0}
    names = page.labels
    used = [names[place] for place in tree.label[1:].tolist()] if names else []
    numbers = np.zeros(len(tree), np.intp)
    numbers[1 : len(used) + 1] = [index.setdefault(name, len(index)) for name in used]
    hints = np.array([hints_of(name) for name in index], np.int64)
    times = np.bincount(numbers)
    times[0] = 1
    return numbers, hints[numbers], np.log(times)[numbers]


def _of_characters(view: _View) -> Block:
    """Count characters and tags, as they are and as shares of the row."""
    chars = view.page.rows.chars[view.places]
    linked_chars = view.page.link_chars[view.places]
    tags = _count_tags(view)
    logs = np.log1p((view.chars, linked_chars / np.maximum(tags[0], 1), *view.counts, *tags))
    shares = view.counts / chars
    return np.concatenate((logs, shares, view.linked[None]), dtype=np.float32)


def _count_tags(view: _View) -> NDArray[np.int32]:
    """Count the tags of each group in each row, behind the one that opens it."""
    rows, tags = view.page.rows, view.page.tags
    sums = np.zeros((len(_TAGS), len(tags) + 1), np.int32)
    np.cumsum(_TAG_TABLE[:, tags], axis=1, out=sums[:, 1:])
    first, end = rows.opener + 1, rows.first_tag + rows.tags
    return sums[:, end[view.places]] - sums[:, first[view.places]]


def _of_texts(view: _View) -> Block:
    """Look at the first and last characters, at signs, at repetitions and at the title's words."""
    texts = view.texts
    endings = np.array([_ENDING_BITS.get(text[-1:], 0) for text in texts])
    beginnings = character_kinds("".join([text[:1] or " " for text in texts]))
    index: dict[str, int] = {}
    first = np.array([index.setdefault(text, place) for place, text in enumerate(texts)])
    block = np.zeros((len(_ENDINGS) + len(_BEGINNINGS) + len(_SIGNS) + 4, len(view)), np.float32)
    block[: len(_ENDINGS)] = (endings >> _BITS[: len(_ENDINGS)]) & 1
    block[len(_ENDINGS) : -len(_SIGNS) - 4] = beginnings == _BEGINNING_KINDS
    for place, sign in enumerate(_SIGNS, start=-len(_SIGNS) - 4):
        if sign in view.page.text:
            block[place] = [sign in text for text in texts]
    block[-4] = first != np.arange(len(view))
    block[-3] = np.log(np.bincount(first)[first])
    block[-2:] = view.title
    return block


def _of_ratios(view: _View) -> Block:
    """Smooth tag ratios as CETR does, of all rows; and links and lengths, of those with text."""
    rows, places = view.page.rows, view.places
    ratios = np.log1p(rows.chars / np.maximum(rows.tags, 1))
    count = len(view)
    chars = np.log1p(view.chars)
    # One behind the other, with more zeros between them than any kernel is wide.
    signals = np.zeros((3, count + 2 * int(_SIGMAS[-1])))
    signals[:, :count] = chars, view.linked * chars, np.log1p(view.plain)
    smoothed = [smooth(ratios, sigma) for sigma in _SIGMAS]
    columns = [ratios, *smoothed, *(derivative(smoothed[place], 3) for place in (1, 2))]
    block = np.empty((len(columns) + 2 * len(_SIGMAS), count), np.float32)
    for place, column in enumerate(columns):
        block[place] = column[places]
    for place, sigma in enumerate(_SIGMAS, start=len(columns)):
        weights, linked, plain = smooth(signals.ravel(), sigma).reshape(3, -1)[:, :count]
        block[place], block[place + len(_SIGMAS)] = linked / weights, plain
    return block


def _of_places(view: _View) -> Block:
    """Say how far a row is from the ends of the page, of its text, and from long rows."""
    count = len(view)
    place = np.arange(count)
    empty = np.diff(view.places, prepend=-1) - 1
    long, plain = view.long, view.plain
    last = np.maximum.accumulate(np.where(long > 0, place, -_FAR))
    next_ = np.minimum.accumulate(np.where(long > 0, place, count + _FAR)[::-1])[::-1]
    from_long = place - np.append(-_FAR, last[:-1])
    to_long = np.append(next_[1:], count + _FAR) - place
    far = np.minimum((from_long, to_long), _FAR)
    return np.array(
        (
            *np.log1p((empty, np.append(empty[1:], 0))),
            place / count,
            *np.log1p((place, count - 1 - place)),
            (np.cumsum(long) - long / 2) / (long.sum() + 1),
            (np.cumsum(plain) - plain / 2) / (plain.sum() + 1),
            *np.log1p(far),
        ),
        np.float32,
    )


def _of_kinds(view: _View, labels: Places) -> Floats:
    """Compare a row with all of its kind: the same element in containers of the same label."""
    key = view.code * len(view.tree) + labels[view.around[0]]
    _, kind, size = np.unique(key, return_inverse=True, return_counts=True)
    chars = np.bincount(kind, view.chars)
    of_kinds = np.array(
        (
            np.log(size),
            np.log1p(np.bincount(kind, view.plain) / size),
            np.bincount(kind, view.long) / (view.long.sum() + 1),
            np.bincount(kind, view.chars * view.linked) / chars,
        )
    )
    return of_kinds[:, kind]


def _is_heading(view: _View) -> Bools:
    headings: Bools = (view.code >= _H1) & (view.code <= _H6)
    return headings


def _title_row(view: _View) -> int:
    """Find the row that is most like the title; a headline of the first order, if none is."""
    in_title, of_title = view.title
    return int(np.argmax(of_title * (in_title > 0.3) + 0.2 * (view.code == _H1)))


def _of_headings(view: _View) -> Block:
    place = np.arange(len(view))
    heading = np.maximum.accumulate(np.where(_is_heading(view), place, -_FAR))
    title = _title_row(view)
    holds_title = (view.tree.first_row <= title) & (title < view.tree.last_row)
    long = view.plain[view.long > 0]
    usual = np.median(long) if len(long) else 0.0
    return np.array(
        (
            np.log1p(np.minimum(place - heading, _FAR)),
            np.cumsum(view.code == _H1) > 0,
            np.sign(place - title) * np.log1p(np.abs(place - title)),
            LEVELS - holds_title[view.around].sum(0),
            np.log1p(view.plain) - np.log1p(usual),
        ),
        np.float32,
    )


def _of_best(view: _View, best: int) -> Block:
    """Say where a row is from the container with the most long text among its own rows."""
    tree, place = view.tree, np.arange(len(view))
    begin, end = tree.first_row[best], tree.last_row[best]
    before, behind = np.maximum((begin - place, place - end + 1), 0)
    columns = [np.log1p(behind) - np.log1p(before)]
    for _ in range(3):
        columns.append((place >= tree.first_row[best]) & (place < tree.last_row[best]))
        best = int(tree.parent[best])
    return np.array(columns, np.float32)


def _of_names(view: _View, hints: NDArray[np.int64]) -> NDArray[np.int64]:
    """Say in which elements a row is and what their labels hint at, and those of the nearest."""
    inherited, parent = hints | _SURROUNDING_BITS[view.tree.code], view.tree.parent
    # Each round looks twice as far as the one before.
    for _ in range(6):
        inherited = inherited | inherited[parent]
        parent = parent[parent]
    within = inherited[view.around[0]]
    near = hints[view.around[0]] | hints[view.around[1]]
    surroundings = (within >> _BITS[len(HINTS) : len(HINTS) + len(_SURROUNDINGS)]) & 1
    return np.concatenate(
        (surroundings, *((bits >> _BITS[: len(HINTS)]) & 1 for bits in (within, near)))
    )


def _of_containers(view: _View, same_label: Floats) -> tuple[Block, int]:
    """Measure the containers around each row, and find the one with the most long text."""
    tree, around = view.tree, view.around
    summed = np.zeros((8, len(view) + 1))
    stops, commas = view.counts[:2]
    columns = (
        *(view.plain, view.long, view.chars * view.linked, view.chars, view.long > 0),
        *(stops + commas, view.code == _PARAGRAPH, _is_heading(view)),
    )
    np.cumsum(np.array(columns), axis=1, out=summed[:, 1:])
    plain, long, linked, chars, long_rows, stops, paragraphs, headings = (
        summed[:, tree.last_row] - summed[:, tree.first_row]
    )
    rows = tree.last_row - tree.first_row
    some, heavy = np.maximum(rows, 1), np.maximum(chars, 1)
    all_plain, all_long = view.plain.sum() + 1, view.long.sum() + 1
    children = np.bincount(around[0], view.long, len(tree))
    grandchildren = np.bincount(around[1], view.long, len(tree))
    of_containers = np.array(
        (
            *(plain / all_plain, long / all_long, linked / heavy, np.log1p(rows), same_label),
            *(children / all_long, grandchildren / all_long, np.log1p(plain / some)),
            *(long_rows / some, 30 * stops / heavy, paragraphs / some, headings / some),
        ),
        np.float32,
    )
    return of_containers[:, around].reshape(-1, len(view)), int(np.argmax(children))


def _of_page(view: _View, best: int) -> Block:
    chars, plain, long = view.chars.sum(), view.plain.sum() + 1, view.long.sum() + 1
    return np.array(
        (
            np.log1p(len(view)),
            np.log(plain),
            long / plain,
            (view.chars * view.linked).sum() / chars,
            np.log1p((view.long > 0).sum()),
            view.counts[-1].sum() / chars,
            view.long[view.around[0] == best].sum() / long,
            np.log1p((view.tree.code == _ARTICLE).sum()),
            (view.code == _H1).any(),
            view.title[1][_title_row(view)],
        ),
        np.float32,
    )
