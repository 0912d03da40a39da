"""The features that tell where a row is from what may be the article.

Candidates are the container with the most long text, and the first long row after the title. On a
page with a short article and long comments, they differ.
"""

from __future__ import annotations

from math import log1p

import numpy as np

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.learned.feature_groups import feature_group
from scrapy_cetr.extraction.methods.learned.measurements import BRANCH, RowMeasurements


@feature_group("levels from best", "levels in branch", "around best")
def branch_features(measured: RowMeasurements) -> Floats:
    """Count the containers from the best one up to the one that also holds the row, and down."""
    depth, parent = measured.depth, measured.tree.parent
    own, branch = measured.around[0], measured.around[BRANCH]
    holds_best = measured.holds_best[own]
    common = np.where(holds_best, own, parent[branch])
    values = np.empty((3, len(measured)))
    values[0] = depth[measured.best_container] - depth[common]
    values[1] = depth[own] - depth[branch]
    np.log1p(values[:2], out=values[:2])
    values[2] = holds_best
    return values


@feature_group(
    *("from first text", "in container of first text", "in parent of first text"),
    *("in grandparent of first text", "first text is best", "first text against best"),
)
def first_text_features(measured: RowMeasurements) -> Floats:
    """Tell where a row is from the first long row after the title."""
    tree, values = measured.tree, np.zeros((6, len(measured)))
    first = _first_text(measured)
    far = np.log1p(np.arange(max(first + 1, len(measured) - first)))
    values[0, first:] = far[: len(measured) - first]
    values[0, :first] = -far[first:0:-1]
    container, best = int(tree.of_row[first]), measured.best_container
    values[4] = container == best
    values[5] = log1p(measured.own_long_chars[container]) - log1p(measured.own_long_chars[best])
    for line in values[1:4]:
        line[tree.first_row[container] : tree.last_row[container]] = 1
        container = int(tree.parent[container])
    return values


def _first_text(measured: RowMeasurements) -> int:
    """Return the first long row after the title, or before it, or the first row."""
    is_long = measured.long_chars > 0
    later = is_long[measured.title_row + 1 :]
    first = int(np.argmax(later)) if len(later) else 0
    if len(later) and later[first]:
        return measured.title_row + 1 + first
    return int(np.argmax(is_long))
