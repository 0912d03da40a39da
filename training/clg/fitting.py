"""Fits what CLG learns: the perfect node, the scores of tags and the logistic regression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.elements import ELEMENT_NAMES
from scrapy_cetr.extraction.methods.clg.features import FEATURES, adjust
from scrapy_cetr.extraction.methods.clg.weights import Perfect, Weights
from training.clg.examples import POSITIVE, Example

# A tag that is rare has about the score of all tags together: as if it had been seen this often.
_PRIOR = 20.0
# The penalty on squared weights of standardised features, and the steps of Newton's method.
_PENALTY, _STEPS = 1.0, 25


def fit(examples: Sequence[Example]) -> Weights:
    """Fit the weights to the shown nodes of pages."""
    shown = [example.tree.is_shown for example in examples]
    is_positive = np.concatenate(
        [example.label[some] == POSITIVE for example, some in zip(examples, shown, strict=True)]
    )
    tags = np.concatenate(
        [example.measured.tag[some] for example, some in zip(examples, shown, strict=True)]
    )
    weights = Weights(
        intercept=0.0,
        features=dict.fromkeys(FEATURES, 0.0),
        perfect=_perfect(examples),
        tag_scores=_tag_scores(tags, is_positive),
    )
    features = np.concatenate(
        [
            adjust(example.measured, weights)[:, some]
            for example, some in zip(examples, shown, strict=True)
        ],
        axis=1,
    )
    intercept, beta = fit_logistic(features, is_positive)
    return Weights(
        intercept=intercept,
        features=dict(zip(FEATURES, beta, strict=True)),
        perfect=weights.perfect,
        tag_scores=weights.tag_scores,
    )


def _perfect(examples: Sequence[Example]) -> Perfect:
    """Average the positions and areas of the top nodes of the ground truth."""
    tops = [example.measured.relative[:, example.top] for example in examples]
    return Perfect(*np.concatenate(tops, axis=1).mean(axis=1).tolist())


def _tag_scores(tags: Floats, is_positive: Bools) -> list[float]:
    """Return the share of positive nodes for each code of an element."""
    count = np.bincount(tags, minlength=len(ELEMENT_NAMES))
    good = np.bincount(tags, is_positive, len(ELEMENT_NAMES))
    scores: list[float] = ((good + _PRIOR * is_positive.mean()) / (count + _PRIOR)).tolist()
    return scores


def fit_logistic(features: Floats, is_positive: Bools) -> tuple[float, list[float]]:
    """Return the intercept and the weights of a logistic regression; features × nodes."""
    mean, deviation = features.mean(axis=1), features.std(axis=1)
    deviation[deviation == 0] = 1
    inputs = np.empty((len(features) + 1, features.shape[1]))
    inputs[0] = 1
    inputs[1:] = (features - mean[:, np.newaxis]) / deviation[:, np.newaxis]
    beta = np.zeros(len(inputs))
    penalty = np.full(len(inputs), _PENALTY)
    penalty[0] = 0
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(beta @ inputs, -30, 30)))
        gradient = inputs @ (probability - is_positive) + penalty * beta
        curvature = (inputs * (probability * (1 - probability))) @ inputs.T
        step = np.linalg.solve(curvature + np.diag(penalty + 1e-9), gradient)
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    weights = beta[1:] / deviation
    return float(beta[0] - weights @ mean), weights.tolist()
