"""What a method says of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy_cetr.extraction.page import Bools, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """A score and a decision for each row, and the intermediate values that led to them.

    Scores above zero speak for content; ``trace`` names arrays, one element a row, and numbers.
    """

    score: Floats
    keep: Bools
    trace: Mapping[str, Any] = field(default_factory=dict)
