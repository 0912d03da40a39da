"""The features of the containers around a row, and those of the page as a whole."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.methods.learned.feature_groups import (
    Matrix,
    container_feature_group,
    feature_group,
)
from scrapy_cetr.extraction.methods.learned.measurements import BRANCH, LEVELS, RowMeasurements

_PARAGRAPH, _H1, _ARTICLE = (ELEMENT_CODES[name] for name in ("p", "h1", "article"))
# All measured levels but the last but one, and the branch.
DESCRIBED_LEVELS = (*range(LEVELS - 2), LEVELS - 1, BRANCH)


@container_feature_group(
    *("text", "long text", "link share", "rows", "same class name", "own long text"),
    *("mean length", "marks", "paragraphs", "headings", "long rows"),
    levels=DESCRIBED_LEVELS,
)
def container_features(measured: RowMeasurements) -> Matrix:
    """Sum up the rows inside of each container; returns features × containers."""
    tree, class_name = measured.tree, measured.class_name
    columns = (
        measured.plain_chars,
        measured.long_chars,
        measured.chars,
        measured.marks,
        measured.code == _PARAGRAPH,
        measured.is_heading,
        measured.long_chars > 0,
    )
    summed = np.zeros((len(columns), len(measured) + 1))
    np.cumsum(columns, axis=1, out=summed[:, 1:])
    inside = summed.take(tree.last_row, axis=1) - summed.take(tree.first_row, axis=1)
    plain_chars, long_chars, chars, marks, paragraphs, headings, long_rows = inside
    rows = tree.last_row - tree.first_row
    # Never divide by zero.
    some_rows, some_chars = np.maximum(rows, 1), np.maximum(chars, 1)
    page_plain, page_long = summed[:2, -1] + 1
    return np.array(
        (
            plain_chars / page_plain,
            long_chars / page_long,
            1 - plain_chars / some_chars,
            np.log1p(rows),
            np.log(np.bincount(class_name)[class_name]) * (class_name > 0),
            measured.own_long_chars / page_long,
            np.log1p(plain_chars / some_rows),
            30 * marks / some_chars,
            paragraphs / some_rows,
            headings / some_rows,
            long_rows / some_rows,
        ),
        np.float32,
    )


@feature_group(
    *("page's rows", "page's text", "page's long text", "page's link share", "page's long rows"),
    *("page's ideographs", "page's best", "page's articles", "page has h1", "page shows title"),
)
def page_features(measured: RowMeasurements) -> Matrix:
    """Describe the page as a whole; returns one number per feature."""
    chars, long_chars = measured.chars.sum(), measured.long_chars.sum() + 1
    plain_chars = measured.plain_chars.sum() + 1
    in_best = measured.around[0] == measured.best_container
    return np.array(
        (
            np.log1p(len(measured)),
            np.log(plain_chars),
            long_chars / plain_chars,
            1 - plain_chars / (chars + 1),
            np.log1p(np.count_nonzero(measured.long_chars)),
            measured.ideographs.sum() / chars,
            measured.long_chars[in_best].sum() / long_chars,
            np.log1p(np.count_nonzero(measured.tree.code == _ARTICLE)),
            (measured.code == _H1).any(),
            measured.title_shares[1][measured.title_row],
        ),
        np.float32,
    )
