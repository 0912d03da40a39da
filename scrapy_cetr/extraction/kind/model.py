"""The model of kinds, and the file that its weights are stored in.

The file is a NumPy archive of float32 arrays, with the names of the kinds and of the features that
it was trained with. A feature that the model does not know is ignored; one that it needs and that
no longer exists is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.kind.clues import Clues
from scrapy_cetr.extraction.kind.features import FEATURE_NAMES, kind_features

ARTICLE, STUB = "article", "stub"
KINDS = (
    *(ARTICLE, "listing", "forum", "product", "documentation", "service", "wall", "error"),
    *(STUB, "other"),
)
WEIGHTS = "weights.npz"
# Standardized features are clipped here, so that no single one decides.
CLIP = 4.0
_RETRAIN = "train the weights again: python -m training.kind CORPORA"


class KindWeightsError(ValueError):
    """Weights that do not fit the kinds or the features."""


class Kind(NamedTuple):
    """The kind of a page, and its probability."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KindModel:
    """A multinomial logistic regression.

    With F features and K kinds: ``mean`` and ``scale`` have F elements, ``weights`` F × K, and
    ``bias`` K. ``features`` are the indices of its features in FEATURE_NAMES.
    """

    features: NDArray[np.intp]
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each kind; ``values`` has one element per FEATURE_NAMES."""
        scaled = np.clip((values[self.features] - self.mean) * self.scale, -CLIP, CLIP)
        scores = scaled @ self.weights + self.bias
        odds = np.exp(scores - scores.max())
        return np.asarray(odds / odds.sum(), np.float64)


def find_kind(clues: Clues, html: str, *, url: str | None) -> Kind:
    """Tell the kind of a page. A page without text is ``other``."""
    if not clues.excerpt.strip():
        return Kind("other", 1.0)
    probabilities = shipped_model().probabilities(kind_features(clues, html, url=url))
    best = int(np.argmax(probabilities))
    return Kind(KINDS[best], float(probabilities[best]))


@cache
def shipped_model() -> KindModel:
    """Load the weights that come with the package, once."""
    with (files(__package__) / WEIGHTS).open("rb") as file:
        return load_model(file)


def load_model(file: IO[bytes]) -> KindModel:
    """Load weights; raise KindWeightsError if a kind or a feature of them is unknown."""
    with np.load(file, allow_pickle=False) as arrays:
        kinds, names = arrays["kinds"].tolist(), arrays["feature_names"].tolist()
        missing = [name for name in names if name not in FEATURE_NAMES]
        if missing or tuple(kinds) != KINDS:
            raise KindWeightsError(
                f"weights were trained with the kinds {', '.join(kinds)} and with features that"
                f" no longer exist: {', '.join(map(repr, missing)) or 'none'}; {_RETRAIN}"
            )
        return KindModel(
            features=np.array([FEATURE_NAMES.index(name) for name in names], np.intp),
            **{name: arrays[name] for name in ("mean", "scale", "weights", "bias")},
        )


def save_model(file: IO[bytes], model: KindModel) -> None:
    """Write weights, with the names of the kinds and features."""
    np.savez(
        file,
        kinds=np.array(KINDS, np.str_),
        feature_names=np.array([FEATURE_NAMES[index] for index in model.features], np.str_),
        mean=model.mean,
        scale=model.scale,
        weights=model.weights,
        bias=model.bias,
    )
