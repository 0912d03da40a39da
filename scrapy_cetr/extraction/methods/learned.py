"""Tag ratios and the signals of their relatives, weighed by a small network that learned how.

Rows are judged by what ``features`` sees of them, by convolutions over their neighbours and by what
is on the page as a whole. ``training`` in the repository has made the weights; docs/learned.md
tells how, and what came out. Nothing here is random, and numpy is all that it needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.features import MAX_ROWS, NAMES, Features, find_features
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.options import FAVORS, Options
from scrapy_cetr.extraction.page import Bools, Floats, Page

Weights = NDArray[np.float32]

WEIGHTS = "learned.npz"
# How far from a row each convolution looks, on both sides.
DISTANCES = (1, 2, 4, 8)
# Features count for no more than as many standard deviations.
CLIP = 4.0
# So many rows are weighed in one go: few enough for one thread, as waking up others takes longer.
_AT_ONCE = 128
# A row of so many characters in sentences that have nearly all been kept before is the same text
# once more.
_REPEATED_CHARS, _REPEATED_SHARE = 100, 0.8
_SENTENCE_CHARS, _STOPS = 20, ".。 "
# Where the network would keep less of a page's text, the best rows are kept: those that score
# nearly as high as the best, unless even that is hopeless.
_LEAST, _NEARLY, _HOPELESS = 0.05, 2.0, -4.0


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights of a few small networks, whose scores are averaged.

    With M networks of C channels, F features of a row and P of the page, D distances and the
    favours S: ``mean`` and ``scale`` F + P, ``enter`` M × C × (F + P), ``convolve`` D × M × C × 3C,
    ``survey`` D × M × C × 2C, ``bias`` (D + 1) × S × M × C, ``leave`` S × M × C, ``threshold`` S,
    ``certainty`` one for each of the signs of an article, and one more.
    """

    mean: Weights
    scale: Weights
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
        return Network(**{name: arrays[name].astype(np.float32) for name in arrays.files})


def learned(page: Page, options: Options) -> Verdict:
    """Keep the rows that the network gives more than even odds, each text once."""
    features = find_features(page)
    network = shipped_network()
    scores = row_scores(features, network, FAVORS.index(options.favor))
    keep = group(features, scores)
    signs = article_signs(features, scores, keep)
    certainty = network.certainty[:-1] @ signs + network.certainty[-1]
    # What is kept or dropped in spite of its score stands just on that side of zero.
    decided = np.where(keep, np.maximum(scores, 0.0), np.minimum(scores, -1e-9))
    verdict = verdict_on(
        page,
        _for_all_rows(page, features, decided, -1.0),
        _for_all_rows(page, features, keep, 0.0) > 0,
        probability=_for_all_rows(page, features, probability(scores), 0.0),
        features=features.of_rows.T,
        feature_names=NAMES,
        feature_rows=features.rows,
    )
    return replace(verdict, probability=float(probability(certainty)))


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
    if not len(features.rows):
        return np.zeros(0)
    # Networks × channels × rows, from here on.
    state = _enter(features, network, favor)
    for place, distance in enumerate(DISTANCES):
        survey = np.concatenate((state.mean(2), state.max(2)), axis=1)[..., None]
        bias = network.survey[place] @ survey + network.bias[place + 1, favor][..., None]
        change = _convolve(network.convolve[place], state, distance)
        change += bias
        state += np.maximum(change, 0, out=change)
    leave = network.leave[favor]
    scores: Floats = np.einsum("mc,mcn->n", leave, state).astype(np.float64) / len(leave)
    return scores - float(network.threshold[favor])


def _enter(features: Features, network: Network, favor: int) -> Weights:
    """Scale the features, and weigh them."""
    count, of_row = len(NAMES), network.enter[:, :, : len(NAMES)]
    of_page = (features.of_page - network.mean[count:]) * network.scale[count:]
    bias = network.enter[:, :, count:] @ of_page.clip(-CLIP, CLIP) + network.bias[0, favor]
    state = np.empty((*bias.shape, len(features.rows)), np.float32)
    for first in range(0, len(features.rows), _AT_ONCE):
        now = slice(first, first + _AT_ONCE)
        scaled = features.of_rows[:, now] - network.mean[:count, None]
        scaled *= network.scale[:count, None]
        state[:, :, now] = of_row @ scaled.clip(-CLIP, CLIP, out=scaled)
    state += bias[..., None]
    return np.maximum(state, 0, out=state)


def _convolve(weights: Weights, state: Weights, distance: int) -> Weights:
    """Weigh each row with the rows so far before and behind it; beyond the page are zeros."""
    networks, channels, count = state.shape
    padded = np.zeros((networks, channels, count + 2 * distance), np.float32)
    padded[:, :, distance:-distance] = state
    change = np.empty_like(state)
    for first in range(0, count, _AT_ONCE):
        last = min(first + _AT_ONCE, count)
        near = [padded[:, :, first + shift : last + shift] for shift in (0, distance, 2 * distance)]
        np.matmul(weights, np.concatenate(near, axis=1), out=change[:, :, first:last])
    return change


def group(features: Features, scores: Floats) -> Bools:
    """Decide on rows together: keep something of every page, and nothing of it twice."""
    keep = scores > 0
    chars = np.expm1(features.of_rows[0])
    if len(scores) and chars[keep].sum() < _LEAST * chars.sum():
        keep = scores > max(min(0.0, scores.max() - _NEARLY), _HOPELESS)
    seen: set[str] = set()
    for place in np.flatnonzero(keep & (chars >= _REPEATED_CHARS)).tolist():
        text = features.texts[place]
        stop = "。" if "。" in text else ". "
        sentences = [sentence.rstrip(_STOPS) for sentence in text.split(stop)]
        again = sum(len(sentence) for sentence in sentences if sentence in seen)
        if again >= _REPEATED_SHARE * len(text):
            keep[place] = False
        seen.update(sentence for sentence in sentences if len(sentence) >= _SENTENCE_CHARS)
    return keep


def article_signs(features: Features, scores: Floats, keep: Bools) -> Floats:
    """Sum up what tells an article that is well extracted from other pages and from failures."""
    chars = np.expm1(features.of_rows[0]).astype(np.float64)
    linked = features.of_rows[NAMES.index("linked")]
    kept, all_chars = chars[keep].sum(), max(chars.sum(), 1.0)
    certain = np.abs(2 * probability(scores) - 1)
    paragraphs = (chars >= 80) & keep
    return np.array(
        (
            (certain * chars).sum() / all_chars,
            (certain * chars)[keep].sum() / max(kept, 1),
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
    chance: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return chance
