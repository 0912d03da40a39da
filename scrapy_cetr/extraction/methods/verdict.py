"""The verdict of a method on the rows of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.page.page import Page


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """A score and a decision for each row, and the intermediate values that led to them.

    A higher score means that a row is more like content. Rows below zero are never kept unless the
    page has no tags. ``trace`` has named arrays, most of them with one element per row.
    ``probability`` is how likely the kept rows are a well-extracted article, and ``calibration``
    has the features that it was computed from; both are None if the method cannot tell.
    """

    score: Floats
    keep: Bools
    trace: Mapping[str, Any] = field(default_factory=dict)
    probability: float | None = None
    calibration: Floats | None = None


def make_verdict(
    page: Page,
    score: Floats,
    keep: Bools,
    *,
    article_probability: float | None = None,
    calibration: Floats | None = None,
    **trace: Any,
) -> Verdict:
    """Make a verdict that keeps no row without text, and all text of a page without tags."""
    if not len(page.tags):
        keep = np.ones_like(keep)
    return Verdict(score, keep & (page.rows.chars > 0), trace, article_probability, calibration)
