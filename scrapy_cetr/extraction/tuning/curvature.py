"""How much the probabilities of the training pages depend on what is adapted.

Tuning may not forget what the network has learned, but the pages that it has learned from are not
in the package. What is: the curvature of the loss over them, as a square matrix with a line and a
column for each adapted number. Half of its quadratic form is, nearly, how much the probabilities of
these pages change. ``python -m training.curvature`` computes it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import IO

import numpy as np

from scrapy_cetr.extraction.methods.learned.weights import Network
from scrapy_cetr.extraction.tuning.gradients import Array, Style

CURVATURE = "curvature.npz"
# The matrix only fits weights whose other parts are the same.
_FIXED = ("hidden_weights", "projection_weights", "convolution_weights", "pooling_weights")


def fingerprint(network: Network) -> str:
    """Return a hash of the weights that are not adapted."""
    digest = sha256()
    for name in _FIXED:
        digest.update(getattr(network, name).tobytes())
    return digest.hexdigest()


def flat(style: Style) -> Array:
    """Return all numbers of a style in one column."""
    return np.concatenate([part.ravel() for part in style])


def unflat(numbers: Array, like: Style) -> Style:
    """Return a style with some numbers, in the shapes of another one."""
    bounds = np.cumsum([part.size for part in like])[:-1]
    parts = np.split(numbers, bounds.tolist())
    return Style(*(part.reshape(one.shape) for part, one in zip(parts, like, strict=True)))


def curvature_for(network: Network) -> Array | None:
    """Return the matrix of the package, or None if it is that of other weights."""
    known, matrix = _shipped()
    return matrix if known == fingerprint(network) else None


@cache
def _shipped() -> tuple[str, Array]:
    with (files(__package__) / CURVATURE).open("rb") as file, np.load(file) as arrays:
        triangle, known = arrays["triangle"].astype(np.float64), str(arrays["fingerprint"])
    size = int(np.sqrt(2 * len(triangle)))
    upper = np.zeros((size, size))
    upper[np.triu_indices(size)] = triangle
    return known, upper + np.triu(upper, 1).T


def save_curvature(file: IO[bytes], network: Network, matrix: Array) -> None:
    """Write the matrix of some weights."""
    triangle = matrix[np.triu_indices(len(matrix))].astype(np.float32)
    np.savez_compressed(file, triangle=triangle, fingerprint=np.array(fingerprint(network)))
