"""Fitting the model of kinds: a multinomial logistic regression with a penalty on large weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.kind import KINDS
from scrapy_cetr.extraction.kind.model import CLIP, KindModel
from training.kind.pages import KindExample

Array = NDArray[np.float64]

# Chosen on the held-out folds of wcxb, as were the weights of other pages.
PENALTY = 0.02
OTHER_WEIGHT, GENERATED_WEIGHT, FEW_WEIGHT = 0.5, 3.0, 0.5
# Generated pages of these kinds are few, and shorter or simpler than real ones.
_FEW = ("article", "other")
TYPED_CORPORA = ("wcxb", "forum")
_STEPS, _RATE = 250, 0.05
_DECAY, _SQUARE_DECAY = 0.9, 0.999


def fit_kinds(examples: Sequence[KindExample]) -> KindModel:
    """Fit a model to examples."""
    values = np.array([example.features for example in examples])
    used = np.flatnonzero(values.std(0) > 1e-6)
    mean, scale = values[:, used].mean(0), 1 / values[:, used].std(0)
    scaled = np.clip((values[:, used] - mean) * scale, -CLIP, CLIP)
    kinds = np.array([KINDS.index(example.kind) for example in examples])
    shares = np.array([_weight(example) for example in examples])
    weights, bias = _minimize(scaled, np.eye(len(KINDS))[kinds], shares / shares.sum())
    return KindModel(
        features=used,
        mean=mean.astype(np.float32),
        scale=scale.astype(np.float32),
        weights=weights.astype(np.float32),
        bias=bias.astype(np.float32),
    )


def _weight(example: KindExample) -> float:
    if example.site is None:
        return FEW_WEIGHT if example.kind in _FEW else GENERATED_WEIGHT
    return 1.0 if example.corpus in TYPED_CORPORA else OTHER_WEIGHT


def _minimize(values: Array, wanted: Array, shares: Array) -> tuple[Array, Array]:
    """Minimize the cross-entropy by Adam; the bias is the last line of the parameters."""
    values = np.column_stack((values, np.ones(len(values))))
    parameters = np.zeros((values.shape[1], wanted.shape[1]))
    penalty = np.full((len(parameters), 1), PENALTY)
    penalty[-1] = 0
    mean, square = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, _STEPS + 1):
        gradient = values.T @ ((softmax(values @ parameters) - wanted) * shares[:, None])
        gradient += penalty * parameters
        mean = _DECAY * mean + (1 - _DECAY) * gradient
        square = _SQUARE_DECAY * square + (1 - _SQUARE_DECAY) * gradient**2
        direction = mean / (1 - _DECAY**step)
        direction /= np.sqrt(square / (1 - _SQUARE_DECAY**step)) + 1e-8
        parameters -= _RATE * (1 + np.cos(np.pi * step / _STEPS)) / 2 * direction
    return parameters[:-1], parameters[-1]


def softmax(scores: Array) -> Array:
    """Turn the scores of each line into probabilities."""
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))
