"""The weights of the logistic regression, and what else the training finds out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_cetr.extraction.elements import ELEMENT_NAMES

WEIGHTS = "weights.json"
_OTHER = "other"


class Perfect(NamedTuple):
    """The average position and area of a node with content, as shares of the page: BEST_LEFT..."""

    left: float
    right: float
    top: float
    bottom: float
    center_x: float
    center_y: float
    area: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """β of the features, in their order, after β₀; the perfect node; the TAG_SCORE of each code."""

    intercept: float
    features: Mapping[str, float]
    perfect: Perfect
    tag_scores: Sequence[float]


@cache
def load_weights() -> Weights:
    """Load the weights that come with the package."""
    return read_weights((Path(__file__).parent / WEIGHTS).read_text(encoding="utf-8"))


def read_weights(text: str) -> Weights:
    """Read weights from JSON."""
    values = json.loads(text)
    scores = values["tag_scores"]
    return Weights(
        intercept=values["intercept"],
        features=values["features"],
        perfect=Perfect(**values["perfect"]),
        tag_scores=tuple(scores.get(name, scores[_OTHER]) for name in ELEMENT_NAMES),
    )


def write_weights(weights: Weights) -> str:
    """Write weights as JSON, with rounded numbers; elements that are no HTML are "other"."""
    scores = dict(zip(ELEMENT_NAMES, weights.tag_scores, strict=True))
    values: dict[str, Any] = {
        "intercept": weights.intercept,
        "features": dict(weights.features),
        "perfect": weights.perfect._asdict(),
        "tag_scores": {_OTHER: scores.pop(""), **dict(sorted(scores.items()))},
    }
    return json.dumps(_rounded(values), indent=1) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return round(float(value), 5)
