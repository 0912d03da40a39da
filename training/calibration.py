"""Calibration: the probability that an extraction is right, and a diagram of its reliability.

The probability is a logistic regression on the calibration features.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.calibration import sigmoid

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# The ridge penalty on weights, and the steps of Newton's method.
_RIDGE, _STEPS = 1.0, 50
# The bins of the diagram, its size in pixels and the margin around it.
_BINS = 10
_SIZE, _MARGIN = 320, 40


def fit_calibration(features: Floats, is_right: Bools) -> NDArray[np.float32]:
    """Fit the weights of the features and the intercept, by Newton's method.

    ``features`` is pages × calibration features; the intercept comes last.
    """
    mean, scale = features.mean(0), features.std(0) + 1e-9
    inputs = np.column_stack(((features - mean) / scale, np.ones(len(features))))
    weights = np.zeros(inputs.shape[1])
    penalty = _RIDGE * np.append(np.ones(features.shape[1]), 0)
    for _ in range(_STEPS):
        predicted = sigmoid(inputs @ weights)
        slope = inputs.T @ (predicted - is_right) + penalty * weights
        curve = (inputs.T * (predicted * (1 - predicted))) @ inputs + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - plain @ mean).astype(np.float32)


def held_out_probabilities(features: Floats, is_right: Bools, folds: NDArray[np.intp]) -> Floats:
    """Compute each page's probability by weights that were fitted without its fold."""
    probabilities = np.zeros(len(features))
    for fold in np.unique(folds):
        learnt, held_out = folds != fold, folds == fold
        weights = fit_calibration(features[learnt], is_right[learnt]).astype(np.float64)
        probabilities[held_out] = sigmoid(features[held_out] @ weights[:-1] + weights[-1])
    return probabilities


def reliability_diagram(features: Floats, is_right: Bools, folds: NDArray[np.intp]) -> str:
    """Draw the share of right pages against the predicted probability, as SVG."""
    probabilities = held_out_probabilities(features, is_right, folds)
    bins = np.minimum((probabilities * _BINS).astype(int), _BINS - 1)
    dots, side, error = [], _SIZE - 2 * _MARGIN, 0.0

    def position(share: float) -> float:
        return _MARGIN + share * side

    for number in range(_BINS):
        inside = bins == number
        if inside.any():
            predicted = float(probabilities[inside].mean())
            observed = float(is_right[inside].mean())
            x, y = position(predicted), _SIZE - position(observed)
            radius = 2 + 10 * np.sqrt(inside.mean())
            title = f"{inside.sum()} pages: {predicted:.2f} predicted, {observed:.2f} right"
            dots.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
                f"<title>{title}</title></circle>"
            )
            error += abs(predicted - observed) * float(inside.mean())
    heading = f"{len(probabilities)} pages; mean calibration error {error:.3f}"
    return _frame("".join(dots), heading)


def _frame(dots: str, heading: str) -> str:
    """Draw the axes around the dots."""
    low, high, middle = _MARGIN, _SIZE - _MARGIN, _SIZE / 2
    texts = (
        (middle, low - 12, heading),
        (middle, _SIZE - 12, "article.probability, on sites not seen"),
        (low, high + 14, "0"),
        (high, high + 14, "1"),
        (low - 8, high + 4, "0"),
        (low - 8, low + 4, "1"),
    )
    words = "".join(
        f'<text x="{x}" y="{y}" text-anchor="middle">{text}</text>\n' for x, y, text in texts
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}"
  font-family="sans-serif" font-size="11">
<rect width="{_SIZE}" height="{_SIZE}" fill="#fff"/>
<path d="M{low} {low}V{high}H{high}V{low}Z" fill="none" stroke="#999"/>
<path d="M{low} {high}L{high} {low}" stroke="#999" stroke-dasharray="4"/>
<g fill="#2563eb" fill-opacity=".75">{dots}</g>
{words}<text x="14" y="{middle}" text-anchor="middle"
  transform="rotate(-90 14 {middle})">share of pages that are right</text>
</svg>
"""
