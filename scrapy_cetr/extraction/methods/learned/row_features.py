"""The features of a row: its characters, text and tags, its position, and what it is similar to.

Each function returns a matrix with a line for each of the names that are declared above it, and a
column for each row. Counts and distances are logarithms, log(1 + n).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.methods.learned.feature_groups import feature_group
from scrapy_cetr.extraction.methods.learned.measurements import (
    COUNTED_TAGS,
    LEVELS,
    SIGMAS,
    SURROUNDINGS,
    RowMeasurements,
)
from scrapy_cetr.extraction.page.characters import (
    CAPITAL,
    CLOSING,
    COLON,
    DIGIT,
    IDEOGRAPH,
    QUESTION,
    STOP,
)
from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS

# Distances between rows are cut off here.
FAR = 50

_BEGINNINGS = {"a capital": CAPITAL, "a digit": DIGIT, "an ideograph": IDEOGRAPH}
_ENDINGS = {"a stop": STOP, "a question": QUESTION, "a quotation": CLOSING, "a colon": COLON}
BEGINNING_KINDS, ENDING_KINDS = (
    np.array([*kinds.values()], np.uint8)[:, None] for kinds in (_BEGINNINGS, _ENDINGS)
)
_ROW_ELEMENTS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "div", "blockquote"),
    *("figcaption", "dd", "dt", "pre"),
)
ROW_CODES = np.array([ELEMENT_CODES[name] for name in _ROW_ELEMENTS])[:, None]
_PARAGRAPH, _H1, _LI = (ELEMENT_CODES[name] for name in ("p", "h1", "li"))
# Rows are of the same kind if they begin in the same kind of element, see below, and their
# containers have the same class name.
ELEMENT_KINDS = 4
# Class hints and surroundings share the bits of one number.
_BITS = np.dtype("<i8")


def _tabulate_element_kinds() -> NDArray[np.intp]:
    """Tell paragraphs (1), headings (2) and list items (3) from other elements (0)."""
    table = np.zeros(128, np.intp)
    table[_PARAGRAPH], table[_H1 : _H1 + 6], table[_LI] = 1, 2, 3
    return table


ELEMENT_KIND = _tabulate_element_kinds()


@feature_group(
    *("chars", "link length", "marks", "digits", *(f"{name} in row" for name in COUNTED_TAGS)),
    *("share of marks", "share of digits", "share of ideographs", "link share"),
)
def character_features(measured: RowMeasurements) -> Floats:
    """Count characters and tags, and divide character counts by the length of the row."""
    links = np.maximum(measured.tags[0], 1)
    counts = (
        *(measured.chars, measured.link_chars / links, measured.marks, measured.digits),
        *measured.tags,
    )
    values = np.empty((len(counts) + 4, len(measured)))
    np.log1p(counts, out=values[:-4])
    shares = (measured.marks, measured.digits, measured.ideographs)
    np.divide(shares, measured.chars, out=values[-4:-1])
    values[-1] = measured.link_share
    return values


@feature_group(
    *(f"begins with {name}" for name in _BEGINNINGS),
    *(f"ends in {name}" for name in _ENDINGS),
    *("repeats another", "is repeated", "share in title", "share of title"),
)
def text_features(measured: RowMeasurements) -> Floats:
    """Compare first and last characters, repeated rows, and the words of the title."""
    first, values = measured.first_copy, np.empty((11, len(measured)))
    values[:3] = measured.ends[0] == BEGINNING_KINDS
    values[3:7] = measured.ends[1] == ENDING_KINDS
    values[7] = first != np.arange(len(measured))
    values[8] = np.log(np.bincount(first)[first])
    values[9:] = measured.title_shares
    return values


@feature_group("ratio", *(f"ratio, σ = {sigma:g}" for sigma in SIGMAS))
def ratio_features(measured: RowMeasurements) -> Floats:
    """Smooth the tag ratios of all rows of the page, as CETR does."""
    return measured.ratios


@feature_group(
    *("empty rows before", "rows before", "rows after", "from long row", "to long row"),
    *("position", "long text before"),
)
def position_features(measured: RowMeasurements) -> Floats:
    """Compute distances from both ends of the page and from long rows."""
    count, long_chars = len(measured), measured.long_chars
    row, is_long = np.arange(count), long_chars > 0
    values = np.empty((7, count))
    distances = values[:5]
    distances[0, 0] = measured.rows[0]
    distances[0, 1:] = measured.rows[1:] - measured.rows[:-1] - 1
    distances[1], distances[2] = row, count - 1 - row
    distances[3:] = FAR
    last = np.maximum.accumulate(np.where(is_long, row, -FAR))
    next_ = np.minimum.accumulate(np.where(is_long, row, count + FAR)[::-1])[::-1]
    distances[3, 1:] = row[1:] - last[:-1]
    distances[4, :-1] = next_[1:] - row[:-1]
    np.minimum(distances[3:], FAR, out=distances[3:])
    np.log1p(distances, out=distances)
    values[5] = row / count
    before = np.cumsum(long_chars)
    values[6] = (before - long_chars / 2) / (before[-1] + 1)
    return values


@feature_group("rows of kind", "chars of kind", "long text of kind", "link share of kind")
def kind_features(measured: RowMeasurements) -> Floats:
    """Sum up all rows of a row's kind: similar elements in containers of the same class name."""
    class_name = measured.class_name[measured.around[0]]
    kind = class_name * ELEMENT_KINDS + ELEMENT_KIND[measured.code]
    rows = np.maximum(np.bincount(kind), 1)
    chars = np.bincount(kind, measured.chars)
    plain_chars = np.bincount(kind, measured.plain_chars)
    of_kinds = (
        np.log(rows),
        np.log1p(plain_chars / rows),
        np.bincount(kind, measured.long_chars) / (measured.long_chars.sum() + 1),
        1 - plain_chars / np.maximum(chars, 1),
    )
    return np.array(of_kinds)[:, kind]


@feature_group("from heading", "after h1", "from title", "level of title", "chars beside long rows")
def heading_features(measured: RowMeasurements) -> Floats:
    """Compute distances from the last heading and the title, in rows and in containers."""
    row, values = np.arange(len(measured)), np.empty((5, len(measured)))
    tree, title, long_chars = measured.tree, measured.title_row, measured.long_chars
    heading = np.maximum.accumulate(np.where(measured.is_heading, row, -FAR))
    from_title = row - title
    holds_title = (tree.first_row <= title) & (title < tree.last_row)
    values[0] = np.minimum(row - heading, FAR)
    values[2] = np.abs(from_title)
    values[4] = measured.plain_chars
    np.log1p(values[::2], out=values[::2])
    values[1] = np.logical_or.accumulate(measured.code == _H1)
    values[2] *= np.sign(from_title)
    values[3] = LEVELS - holds_title[measured.around[:LEVELS]].sum(0)
    # The length of the row against the mean length of long rows.
    values[4] -= np.log1p(long_chars.sum() / max(np.count_nonzero(long_chars), 1))
    return values


@feature_group("from best", "in best", "in parent of best", "in grandparent of best")
def best_container_features(measured: RowMeasurements) -> Floats:
    """Tell where a row is from the container with the most long text among its own rows."""
    tree, container = measured.tree, measured.best_container
    row, values = np.arange(len(measured)), np.empty((4, len(measured)))
    first, last = tree.first_row[container], tree.last_row[container]
    before, after = np.log1p(np.maximum((first - row, row - last + 1), 0))
    values[0] = after - before
    for line in values[1:]:
        line[:] = 0
        line[tree.first_row[container] : tree.last_row[container]] = 1
        container = int(tree.parent[container])
    return values


@feature_group(*(f"row of {name}" for name in _ROW_ELEMENTS))
def element_features(measured: RowMeasurements) -> Bools:
    """Tell which element a row begins in."""
    is_element: Bools = measured.code == ROW_CODES
    return is_element


@feature_group(
    *(f"within class hint {name}" for name in CLASS_HINTS),
    *(f"within {name}" for name in SURROUNDINGS),
    *(f"class hint {name}" for name in CLASS_HINTS),
)
def surrounding_features(measured: RowMeasurements) -> NDArray[np.uint8]:
    """Collect the elements and class hints around a row, and those of the two nearest."""
    hints, around = measured.class_hints, measured.around
    near = hints[around[0]] | hints[around[1]]
    return np.concatenate(
        (
            _flags(measured.inherited[around[0]], len(CLASS_HINTS) + len(SURROUNDINGS)),
            _flags(near, len(CLASS_HINTS)),
        )
    )


@feature_group(
    *(f"apart within class hint {name}" for name in CLASS_HINTS),
    *(f"apart within {name}" for name in SURROUNDINGS),
)
def apart_features(measured: RowMeasurements) -> NDArray[np.uint8]:
    """Collect the elements and class hints around a row that are not around the best container."""
    inherited = measured.inherited
    apart = inherited[measured.around[0]] & ~inherited[measured.best_container]
    return _flags(apart, len(CLASS_HINTS) + len(SURROUNDINGS))


def _flags(bits: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """Return a line of zeros and ones for each of the lowest bits."""
    columns = bits.astype(_BITS, copy=False)[:, None].view(np.uint8)
    return np.unpackbits(columns, axis=1, count=count, bitorder="little").T
