"""Content extraction via tag ratios.

T. Weninger, W. H. Hsu, J. Han: CETR - Content Extraction via Tag Ratios. WWW 2010. Section and
equation numbers below are the paper's. Its rows are source lines; here they can also be blocks.
"""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.signal import derivative, k_means, smooth
from scrapy_cetr.extraction.methods.verdict import Verdict, make_verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page

# Larger ratios are clipped. One such row, for example a whole book in one element, would attract a
# cluster of its own and leave the article with the boilerplate.
_LARGEST_RATIO = 5000.0
# The ratio of a long paragraph: larger ratios are clipped to this if no other row has a larger one.
_LONG_PARAGRAPH = 200.0
# A σ given as a number is at most this part of the rows. On a page of few rows, a wide kernel would
# leave no difference between them.
_ROWS_PER_SIGMA = 10


def cetr(page: Page, options: Options) -> Verdict:
    """Cluster rows by ratio and its absolute derivative, one centroid at the origin (5.2)."""
    ratios, smoothed, sigma = _histogram(page, options)
    slope = smooth(derivative(smoothed, options.alpha), sigma)
    return _clusters(page, ratios, np.stack((smoothed, np.abs(slope))), options.k, pinned=1)


def cetr_km(page: Page, options: Options) -> Verdict:
    """Cluster rows by ratio alone; the cluster nearest to zero is boilerplate (4.3)."""
    ratios, smoothed, _ = _histogram(page, options)
    return _clusters(page, ratios, smoothed[None], options.k, pinned=0)


def cetr_tm(page: Page, options: Options) -> Verdict:
    """Keep rows whose ratio reaches λ times the standard deviation of the histogram (4.2)."""
    ratios, smoothed, _ = _histogram(page, options)
    threshold = options.lam * _deviation(smoothed)
    keep = smoothed >= threshold
    return make_verdict(page, smoothed - threshold, keep, ratio=ratios, smoothed=smoothed)


def tag_ratios(page: Page) -> Floats:
    """Divide each row's characters by its tags, by one if it has none (Algorithm 1)."""
    return page.rows.chars / np.maximum(page.rows.tags, 1)


def clipped_ratios(ratios: Floats) -> Floats:
    """Clip very large ratios to the largest of the others."""
    clipped: Floats = np.minimum(
        ratios, ratios[ratios <= _LARGEST_RATIO].max(initial=_LONG_PARAGRAPH)
    )
    return clipped


def kernel_width(clipped: Floats, options: Options) -> float:
    """Return the σ, in rows, of the kernel that smooths the ratios."""
    if options.sigma == "std":
        return _deviation(clipped)
    return min(float(options.sigma), len(clipped) / _ROWS_PER_SIGMA)


def _histogram(page: Page, options: Options) -> tuple[Floats, Floats, float]:
    """Return the ratios, the smoothed ratios, and the σ of the kernel (4.1)."""
    ratios = tag_ratios(page)
    clipped = clipped_ratios(ratios)
    sigma = kernel_width(clipped, options)
    return ratios, smooth(clipped, sigma), sigma


def _clusters(page: Page, ratios: Floats, points: Floats, k: int, *, pinned: int) -> Verdict:
    """Keep the rows that are not in the cluster nearest to the origin."""
    # The seeds are not random: equal steps from the origin to the far corner of the data.
    seeds = points.max(axis=1, initial=0.0)[:, None] * (np.arange(k) / (k - 1))
    centroids, closeness = k_means(points, seeds, pinned=pinned)
    boilerplate = int((centroids**2).sum(0).argmin())
    cluster = closeness.argmax(0)
    score = -closeness[boilerplate]
    closeness[boilerplate] = -np.inf
    score += closeness.max(0)
    trace = {"cluster": cluster, "centroids": centroids, "smoothed": points[0]}
    if len(points) > 1:
        trace["slope"] = points[1]
    return make_verdict(page, score, cluster != boilerplate, ratio=ratios, **trace)


def _deviation(values: Floats) -> float:
    return float(values.std()) if len(values) else 0.0
