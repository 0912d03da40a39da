"""The fit of the adapted weights: gradient descent that is pulled towards the shipped weights.

The pull is strong where the pages that the network was trained on depend on a weight, and weak
elsewhere: see ``curvature``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrapy_cetr.extraction.methods.learned.calibration import sigmoid
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import Network
from scrapy_cetr.extraction.options import FAVORS
from scrapy_cetr.extraction.tuning.curvature import curvature_for, flat, unflat
from scrapy_cetr.extraction.tuning.gold import GoldPage
from scrapy_cetr.extraction.tuning.gradients import MAX_ROWS, Array, Pass, Style, project, style_of

ARTICLE, PRECISION = FAVORS.index("article"), FAVORS.index("precision")
STEPS, RATE = 150, 0.02
# The pages of a step: gold pages, and bundled ones, whose rows should keep their probabilities.
GOLD_PAGES, BUNDLED_PAGES = 8, 3
# The weight of the bundled pages. The pages that the network was trained on count as many as these;
# the curvature stands for them. The weight of the squared distance to the shipped weights, with and
# without the curvature.
BUNDLED_WEIGHT, TRAINED_PAGES = 2.0, 60
PULL, PULL_ALONE = 0.002, 0.02
# The weight of the F1 of a page against the cross-entropy of its rows.
_F1_WEIGHT = 0.5
_DECAY, _DECAY_OF_SQUARES, _TINY = 0.9, 0.99, 1e-8


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """A page to learn from: its channels, and for each row a target, a weight and its words.

    ``gold`` is the number of words of the gold text, 0 if the F1 does not count.
    """

    projected: Array
    target: Array
    weight: Array
    words: Array
    matched: Array
    gold: float

    def of_scores(self, scores: Array) -> Array:
        """Return the gradient of the loss by the scores of the rows."""
        probability = sigmoid(scores)
        gradient: Array = self.weight * (probability - self.target)
        if self.gold:
            shared = 2 * (probability * self.matched).sum()
            total = (probability * self.words).sum() + self.gold
            by_probability = -(2 * self.matched * total - shared * self.words) / total**2
            gradient += _F1_WEIGHT * by_probability * probability * (1 - probability)
        return gradient


def gold_sample(page: GoldPage, network: Network) -> Sample:
    """Make a sample whose targets are the shares of gold words."""
    words, matched = page.words[:MAX_ROWS], page.matched[:MAX_ROWS]
    return Sample(
        projected=project(page.features, network),
        target=matched / np.maximum(words, 1),
        weight=row_weights(words),
        words=words,
        matched=matched,
        gold=float(max(page.gold.total(), 1)),
    )


def known_sample(page: GoldPage, network: Network) -> Sample:
    """Make a sample whose targets are the probabilities by the shipped weights."""
    projected, words = project(page.features, network), page.words[:MAX_ROWS]
    scores = Pass(projected, network, style_of(network, ARTICLE)).scores
    return Sample(
        projected=projected,
        target=sigmoid(scores),
        weight=BUNDLED_WEIGHT * row_weights(words),
        words=words,
        matched=words,
        gold=0.0,
    )


def row_weights(words: Array) -> Array:
    """Weigh rows by their length, but less than in proportion; the sum over a page is one."""
    counted = np.maximum(words, 1)
    roots = np.sqrt(counted)
    weights: Array = (counted / counted.sum() + roots / roots.sum()) / 2
    return weights


def tune(
    network: Network,
    gold: Sequence[Sample],
    known: Sequence[Sample],
    *,
    curvature: Array | None = None,
) -> Network:
    """Return a network adapted to gold pages; the same pages give the same weights.

    ``curvature`` is that of the network, by default the one of the package, if it fits.
    """
    if curvature is None:
        curvature = curvature_for(network)
    start = style_of(network, ARTICLE)
    style = Style(*(part.copy() for part in start))
    momentum, squares = (Style(*(np.zeros_like(part) for part in start)) for _ in range(2))
    random = np.random.default_rng(0)
    for step in range(STEPS):
        chosen = [gold[index] for index in _choice(random, len(gold), GOLD_PAGES)]
        chosen += [known[index] for index in _choice(random, len(known), BUNDLED_PAGES)]
        gradient = _pull(style, start, curvature, pages=len(gold))
        for sample in chosen:
            done = Pass(sample.projected, network, style)
            found = done.gradient(sample.of_scores(done.scores))
            for total, part in zip(gradient, found, strict=True):
                total += part / len(chosen)
        rate = RATE * (1 - step / STEPS)
        for now, part, mean, square in zip(style, gradient, momentum, squares, strict=True):
            mean *= _DECAY
            mean += (1 - _DECAY) * part
            square *= _DECAY_OF_SQUARES
            square += (1 - _DECAY_OF_SQUARES) * part**2
            size = square / (1 - _DECAY_OF_SQUARES ** (step + 1))
            now -= rate * mean / (1 - _DECAY ** (step + 1)) / (np.sqrt(size) + _TINY)
    return _with_style(network, style, start)


def _pull(style: Style, start: Style, curvature: Array | None, *, pages: int) -> Style:
    """Return the gradient of what keeps the weights near the shipped ones.

    A gold page counts as much as a page that the network was trained on.
    """
    distance = flat(style) - flat(start)
    if curvature is None:
        return unflat(PULL_ALONE * distance, start)
    weight = TRAINED_PAGES / max(pages, 1)
    return unflat(PULL * distance + weight * (curvature @ distance), start)


def _choice(random: np.random.Generator, count: int, most: int) -> list[int]:
    chosen: list[int] = random.permutation(count)[:most].tolist()
    return chosen


def _with_style(network: Network, style: Style, start: Style) -> Network:
    """Return a network with another style for articles; the favour for precision moves with it."""
    channel_bias, output = network.channel_bias.copy(), network.output_weights.copy()
    threshold = network.threshold.copy()
    for favor in (ARTICLE, PRECISION):
        channel_bias[favor] += (style.biases - start.biases).astype(np.float32)
        output[favor] += (style.output - start.output).astype(np.float32)
        threshold[favor] += np.float32(style.threshold[0] - start.threshold[0])
    return replace(network, channel_bias=channel_bias, output_weights=output, threshold=threshold)


def mean_f1(pages: Sequence[GoldPage], network: Network) -> float:
    """Return the mean F1 of the rows that a network keeps, with those of all roles."""
    return float(np.mean([page_f1(page, network) for page in pages])) if pages else float("nan")


def page_f1(page: GoldPage, network: Network) -> float:
    """Return the F1 of the rows of a page that a network keeps."""
    scores = row_scores(page.features, network, ARTICLE)
    return page.f1(select_rows(page.features, scores))
