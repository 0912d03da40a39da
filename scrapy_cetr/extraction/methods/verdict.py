"""What a method says of a page."""

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

    The higher the score, the more a row looks like content; rows below zero are never kept unless
    the page has no tags. ``trace`` names arrays, most of them with one element a row. Where a
    method can tell, ``probability`` says how sure it is of an article and of its text.
    """

    score: Floats
    keep: Bools
    trace: Mapping[str, Any] = field(default_factory=dict)
    probability: float | None = None


def verdict_on(
    page: Page, score: Floats, keep: Bools, *, certainty: float | None = None, **trace: Any
) -> Verdict:
    """Keep no row without text, and every other where the page has no tags to tell content by."""
    if not len(page.tags):
        keep = np.ones_like(keep)
    return Verdict(score, keep & (page.rows.chars > 0), trace, certainty)
