"""How sure the learned method is of an article: a logistic regression on signs, and its diagram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.network import probability

Signs = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Weights are kept small by as much as so many pages would.
_RIDGE = 1.0
_ROUNDS = 50
_BINS = 10
_SIZE, _MARGIN = 320, 40


def fit_certainty(signs: Signs, right: Flags) -> NDArray[np.float32]:
    """Fit the weights of the signs, and one more without a sign, by Newton's method."""
    mean, scale = signs.mean(0), signs.std(0) + 1e-9
    inputs = np.column_stack(((signs - mean) / scale, np.ones(len(signs))))
    weights = np.zeros(inputs.shape[1])
    penalty = _RIDGE * np.append(np.ones(signs.shape[1]), 0)
    for _ in range(_ROUNDS):
        chance = probability(inputs @ weights)
        slope = inputs.T @ (chance - right) + penalty * weights
        curve = (inputs.T * (chance * (1 - chance))) @ inputs + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - plain @ mean).astype(np.float32)


def held_out(signs: Signs, right: Flags, folds: NDArray[np.intp]) -> Signs:
    """Say how sure weights are that were fitted without the site of each page."""
    chance = np.zeros(len(signs))
    for fold in np.unique(folds):
        weights = fit_certainty(signs[folds != fold], right[folds != fold]).astype(np.float64)
        chance[folds == fold] = probability(signs[folds == fold] @ weights[:-1] + weights[-1])
    return chance


def reliability_diagram(signs: Signs, right: Flags, folds: NDArray[np.intp]) -> str:
    """Draw how often pages are right against how sure the method was, as SVG."""
    chance = held_out(signs, right, folds)
    bins = np.minimum((chance * _BINS).astype(int), _BINS - 1)
    dots, side, error = [], _SIZE - 2 * _MARGIN, 0.0

    def place(share: float) -> float:
        return _MARGIN + share * side

    for number in range(_BINS):
        inside = bins == number
        if inside.any():
            sure, often = float(chance[inside].mean()), float(right[inside].mean())
            radius = 2 + 10 * np.sqrt(inside.mean())
            title = f"{inside.sum()} pages: {sure:.2f} sure, {often:.2f} right"
            dots.append(
                f'<circle cx="{place(sure):.1f}" cy="{_SIZE - place(often):.1f}" r="{radius:.1f}">'
                f"<title>{title}</title></circle>"
            )
            error += abs(sure - often) * float(inside.mean())
    return _frame("".join(dots), f"{len(chance)} pages; mean calibration error {error:.3f}")


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
