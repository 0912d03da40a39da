"""Tag ratios and the signals of their relatives, weighed by a small network that learned how.

Rows are judged by what ``features`` sees of them, by convolutions over their neighbours and by what
is on the page as a whole. ``training`` in the repository has made the weights;
docs/explanation/learned.md tells how, and what came out. Nothing here is random, and numpy is all
that it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, chunks
from scrapy_cetr.extraction.methods.learned.declared_text import shares_in
from scrapy_cetr.extraction.methods.learned.features import NAMES, Block, Features, find_features
from scrapy_cetr.extraction.methods.learned.measurements import MAX_ROWS
from scrapy_cetr.extraction.methods.learned.selection import group
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.options import FAVORS, Options
from scrapy_cetr.extraction.page.page import Page

Weights = NDArray[np.float32]

WEIGHTS = "weights.npz"
# How far from a row each convolution looks, on both sides.
DISTANCES = (1, 3, 9)
# A product of so few multiplications is left to one thread by the library that numpy has for them.
# More would be a little faster on an idle machine; on a busy one, as in a crawl with workers,
# threads that wait for each other take five times as long.
_ONE_THREAD = 250_000
# Where a page states its text for programs, and so much of what would be kept is in that, what is
# not has worse odds, by so much in their logarithm; but for the headline, which is stated apart.
# A text of so many characters is no article.
_AGREEING, _NOT_STATED, _LONGEST_STATED = 0.7, 3.0, 200_000
# What would be kept is not compared if it is so many times as long: it cannot be in that, not even
# if all of it is there twice, and each ideograph counts for two characters.
_FAR_LONGER = 6
# A row with its features and hidden units takes far more memory than a number of a column.
_ROW_WEIGHT = 64
_LINKED, _IS_HEADLINE = map(NAMES.index, ("linked", "row of h1"))


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights of a small network.

    With H findings, C channels, F features of a row and P of the page, D distances and the favours
    S: features are taken as at least ``low`` and at most ``high``, both F + P; ``find`` is
    H × (F + P) and ``find_bias`` H, ``enter`` C × H, ``convolve`` D × C × 3C, ``survey``
    D × C × 2C, ``bias`` S × (D + 1) × C, ``leave`` S × C, ``threshold`` S, ``certainty`` one for
    each of the signs of an article, and one more.
    """

    low: Weights
    high: Weights
    find: Weights
    find_bias: Weights
    enter: Weights
    convolve: Weights
    survey: Weights
    bias: Weights
    leave: Weights
    threshold: Weights
    certainty: Weights


@cache
def shipped_network() -> Network:
    """Load the weights that come with the package, once."""
    with (files(__package__) / WEIGHTS).open("rb") as file, np.load(file) as arrays:
        return Network(**{name: arrays[name] for name in arrays.files})


def learned(page: Page, options: Options) -> Verdict:
    """Keep the rows that the network gives more than even odds, each text once."""
    features = find_features(page)
    network = shipped_network()
    scores = row_scores(features, network, FAVORS.index(options.favor))
    chances = probability(scores)
    keep = group(features, scores)
    signs = article_signs(features, chances, keep)
    certainty = float(network.certainty[:-1] @ signs + network.certainty[-1])
    # What is kept or dropped in spite of its score stands just on that side of zero.
    decided = np.where(keep, np.maximum(scores, 0.0), np.minimum(scores, -1e-9))
    return verdict_on(
        page,
        _for_all_rows(page, features, decided, -1.0),
        _for_all_rows(page, features, keep, 0.0) > 0,
        certainty=float(probability(certainty)),
        probability=_for_all_rows(page, features, chances, 0.0),
        features=features.of_rows.T,
        feature_names=NAMES,
        feature_rows=features.rows,
    )


def _for_all_rows(page: Page, features: Features, values: Floats | Bools, other: float) -> Floats:
    """Give the values of rows with text their places among all rows.

    Of far too many rows, those not looked at are judged as most of the shortest that were.
    """
    column = np.full(len(page.rows), other)
    if len(features.rows) >= MAX_ROWS:
        chars = page.rows.chars[features.rows]
        column[(page.rows.chars > 0) & ~page.rows.broken] = np.median(values[chars == chars.min()])
    column[features.rows] = values
    return column


def row_scores(features: Features, network: Network, favor: int) -> Floats:
    """Compute the logarithm of each row's odds to be content."""
    channels, count, reach = len(network.enter), len(features.rows), DISTANCES[-1]
    if not count:
        return np.zeros(0)
    # Channels × rows; beyond the page are zeros.
    padded = np.zeros((channels, count + 2 * reach), np.float32)
    state = padded[:, reach : reach + count]
    _enter(features, network, favor, state)
    for place, distance in enumerate(DISTANCES):
        mean = np.add.reduce(state, axis=1) / np.float32(count)
        survey = np.concatenate((mean, np.maximum.reduce(state, axis=1)))
        bias = network.survey[place] @ survey + network.bias[favor, place + 1]
        change = np.empty_like(state)
        for now in _parts(count):
            _product(network.convolve[place], _near(padded, now, distance), change[:, now])
        state += _rectified(change, bias)
    scores = np.add.reduce(network.leave[favor][:, None] * state).astype(np.float64)
    scores -= float(network.threshold[favor])
    # Comments and captions are not in what is stated.
    return scores if FAVORS[favor] == "recall" else _with_stated(features, scores)


def _parts(count: int) -> list[slice]:
    """Part the rows, to bound the memory that is taken by what is worked out of them."""
    return list(chunks(count, _ROW_WEIGHT))


def _near(padded: Weights, now: slice, distance: int) -> Weights:
    """Put the states of the rows before and behind some rows above and below their own."""
    begin, end = now.start + DISTANCES[-1], now.stop + DISTANCES[-1]
    return np.concatenate(
        [padded[:, begin + shift : end + shift] for shift in (-distance, 0, distance)]
    )


def _enter(features: Features, network: Network, favor: int, state: Weights) -> None:
    """Weigh the features into findings, and these into channels."""
    rows = len(NAMES)
    of_page = np.minimum(np.maximum(features.of_page, network.low[rows:]), network.high[rows:])
    find_bias = network.find[:, rows:] @ of_page + network.find_bias
    for now in _parts(state.shape[1]):
        of_rows = loops.clipped(features.of_rows[:, now], network.low[:rows], network.high[:rows])
        found = np.empty((len(find_bias), of_rows.shape[1]), np.float32)
        _product(network.find[:, :rows], of_rows, found)
        _product(network.enter, _rectified(found, find_bias), state[:, now])
    _rectified(state, network.bias[favor, 0])


def _rectified(block: Block, bias: Weights) -> Block:
    """Add to each line of a block, and make what is below zero none, in the block itself."""
    loops.rectify(block, bias)
    return block


def _product(weights: Weights, columns: Weights, product: Weights) -> None:
    """Multiply matrices, so many columns at a time that it takes one thread."""
    at_once = _ONE_THREAD // weights.size
    for first in range(0, columns.shape[1], at_once):
        now = slice(first, first + at_once)
        np.matmul(weights, columns[:, now], out=product[:, now])


def _with_stated(features: Features, scores: Floats) -> Floats:
    """Lower the odds of rows that are not in the text that a page states for programs."""
    if not 0 < len(features.stated) < _LONGEST_STATED:
        return scores
    kept = np.flatnonzero((scores > 0) & (features.of_rows[_IS_HEADLINE] == 0))
    chars = np.expm1(features.of_rows[0, kept])
    if chars.sum() > _FAR_LONGER * len(features.stated):
        return scores
    shares = np.array(shares_in(features.stated, [features.texts[place] for place in kept]))
    if (chars * shares).sum() >= _AGREEING * chars.sum():
        scores[kept] -= _NOT_STATED * np.maximum(1 - 2 * shares, 0)
    return scores


def article_signs(features: Features, chances: Floats, keep: Bools) -> Floats:
    """Sum up what tells an article that is well extracted from other pages and from failures."""
    chars = np.expm1(features.of_rows[0]).astype(np.float64)
    linked = features.of_rows[_LINKED]
    kept, all_chars = chars[keep].sum(), max(chars.sum(), 1.0)
    certain = np.abs(2 * chances - 1) * chars
    paragraphs = (chars >= 80) & keep
    return np.array(
        (
            certain.sum() / all_chars,
            certain[keep].sum() / max(kept, 1),
            np.log1p(kept),
            kept / all_chars,
            (linked * chars)[keep].sum() / max(kept, 1),
            np.log1p(paragraphs.sum()),
            chars[paragraphs].sum() / max(kept, 1),
            *features.of_page,
        )
    )


def probability(log_odds: Floats | float) -> Floats:
    """Turn the logarithm of odds into a probability.

    >>> float(probability(0.0))
    0.5
    """
    chance: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(log_odds, -30), 30)))
    return chance
