"""Smoothing, derivative and k-means: arrays in, arrays out, no word about pages."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import numpy as np

from scrapy_cetr.extraction.columns import Floats, chunks

# A kernel so narrow has no weight beside its middle.
_NARROWEST = 0.02
# With a wider kernel and so many multiplications, the Fourier transform convolves faster; with
# a narrower one, it would only take more memory.
_WIDE, _MANY = 128, 2_000_000
_MAX_ROUNDS = 100
# A point takes more memory than a number of a column.
_POINT_WEIGHT = 4


@lru_cache(maxsize=64)
def gaussian_kernel(sigma: float) -> Floats:
    """Weights of ``exp(-j²/2σ²)`` for j from -⌈σ⌉ to ⌈σ⌉, with sum 1.

    >>> gaussian_kernel(1).round(3).tolist()
    [0.274, 0.452, 0.274]
    """
    if sigma < _NARROWEST:
        return np.ones(1)
    radius = ceil(sigma)
    distance = np.arange(-radius, radius + 1)
    weights = np.exp(-(distance**2) / (2 * sigma**2))
    kernel: Floats = weights / weights.sum()
    return kernel


def smooth(values: Floats, sigma: float) -> Floats:
    """Convolve with a Gaussian kernel, as if zeros stood before and after the values."""
    kernel = gaussian_kernel(sigma)
    radius, size = len(kernel) // 2, len(values)
    if not radius or not size:
        return values
    if len(kernel) <= _WIDE or size * len(kernel) <= _MANY:
        return np.convolve(values, kernel)[radius : radius + size]
    length = 1 << (size + len(kernel) - 2).bit_length()
    product = np.fft.rfft(values, length) * np.fft.rfft(kernel, length)
    smoothed: Floats = np.fft.irfft(product, length)[radius : radius + size]
    return smoothed


def derivative(values: Floats, alpha: int) -> Floats:
    """Subtract each value from the mean of the next ``alpha``, or of as many as there are.

    >>> derivative(np.array([1.0, 2, 3, 4, 10]), 2).tolist()
    [1.5, 1.5, 4.0, 6.0, 0.0]
    """
    size = len(values)
    sums, slope = np.zeros((2, size + 1))
    np.cumsum(values, out=sums[1:])
    whole = max(size - alpha, 0)
    slope[:whole] = (sums[alpha + 1 :] - sums[1 : whole + 1]) / alpha - values[:whole]
    for place in range(whole, size - 1):
        slope[place] = (sums[size] - sums[place + 1]) / (size - 1 - place) - values[place]
    return slope[:-1]


def k_means(points: Floats, centroids: Floats, *, pinned: int = 0) -> tuple[Floats, Floats]:
    """Cluster points, an array of dimensions × points, from the given centroids on.

    The first ``pinned`` centroids never move; one that loses all its points stays where it is.
    Returns the centroids, dimensions × clusters, and the closeness of each point to each of them,
    clusters × points. A point belongs to the closest; one between two of them moves both.
    """
    dimensions, count = points.shape
    # With a row of ones below the points, one product gives sums and sizes of all clusters, and
    # another the closeness to all centroids: half the negative square of the distance, less what
    # is the same for all of them.
    extended = np.ones((dimensions + 1, count))
    extended[:-1] = points
    parts = [extended[:, now] for now in chunks(max(count, 1), _POINT_WEIGHT)]
    weights = np.empty((centroids.shape[1], dimensions + 1))
    places = weights[:, :-1]
    places[:] = centroids.T
    before = places.tobytes()
    for _ in range(_MAX_ROUNDS):
        weights[:, -1] = _half_squares(places)
        sums = _cluster_sums(weights, parts[0])
        for part in parts[1:]:
            sums += _cluster_sums(weights, part)
        sizes = sums[pinned:, -1:]
        np.divide(sums[pinned:, :-1], sizes, out=places[pinned:], where=sizes > 0)
        # As bytes, since so few numbers are compared faster that way.
        now = places.tobytes()
        if now == before:
            break
        before = now
    weights[:, -1] = _half_squares(places)
    return places.T, weights @ extended


def _half_squares(places: Floats) -> Floats:
    squares: Floats = np.add.reduce(places * places, axis=1)
    return -0.5 * squares


def _cluster_sums(weights: Floats, points: Floats) -> Floats:
    """Sum the points of each cluster; one that is as close to two of them counts for both."""
    closeness = weights @ points
    members = (closeness == np.maximum.reduce(closeness, axis=0)).astype(np.float64)
    sums: Floats = members @ points.T
    return sums
