"""How much each part of a row's features changes its score, for reports.

A part is occluded: its features get neutral values, the states of the other rows stay as they are,
and the network scores the row again. The difference is the weight of the part. Neutral values are
halfway between the means of kept and dropped rows of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.methods.learned.network import DISTANCES
from scrapy_cetr.extraction.methods.learned.weights import Network

NEIGHBORS = "neighbours"


@dataclass(frozen=True, slots=True)
class _States:
    """What the network computes for the rows: hidden × rows, and channels × rows by layer."""

    hidden: Matrix
    others: tuple[Matrix, ...]


def weights_of_parts(
    features: Features,
    network: Network,
    favor: int,
    keep: Bools,
    parts: Mapping[str, Sequence[int]],
) -> dict[str, Floats]:
    """Return for each part, a list of feature indices, by how much it raises each row's score.

    The part NEIGHBORS is added: the states of the rows around a row.
    """
    count = len(NAMES)
    low, high = network.feature_min[:count, None], network.feature_max[:count, None]
    clipped = np.minimum(np.maximum(features.of_rows, low), high)
    states = _run(features, clipped, network, favor)
    score = _score(states.hidden, states.others, network, favor)
    beyond = clipped - _neutral(clipped, keep)[:, None]
    weights = {}
    for name, indices in parts.items():
        chosen = list(indices)
        hidden = states.hidden - network.hidden_weights[:, chosen] @ beyond[chosen]
        weights[name] = score - _score(hidden, states.others, network, favor)
    others = tuple(
        np.broadcast_to(_neutral(other, keep)[:, None], other.shape) for other in states.others
    )
    weights[NEIGHBORS] = score - _score(states.hidden, others, network, favor)
    return weights


def _neutral(values: Matrix, keep: Bools) -> Matrix:
    """Return the values halfway between the means of kept and of dropped rows."""
    means = [values[:, rows].mean(axis=1) for rows in (keep, ~keep) if rows.any()]
    neutral: Matrix = sum(means) / np.float32(len(means))
    return neutral


def _run(features: Features, clipped: Matrix, network: Network, favor: int) -> _States:
    """Run the network, and keep what each layer adds to a row from outside of it."""
    rows, count = len(NAMES), clipped.shape[1]
    of_page = np.clip(features.of_page, network.feature_min[rows:], network.feature_max[rows:])
    bias = network.hidden_weights[:, rows:] @ of_page + network.hidden_bias
    hidden = network.hidden_weights[:, :rows] @ clipped + bias[:, None]
    state = _first(hidden, network, favor)
    others = []
    for layer, distance in enumerate(DISTANCES):
        before, own, after = np.split(network.convolution_weights[layer], 3, axis=1)
        pooled = np.concatenate((state.mean(axis=1), state.max(axis=1)))
        bias = network.pooling_weights[layer] @ pooled + network.channel_bias[favor, layer + 1]
        other = np.repeat(bias[:, None], count, axis=1)
        other[:, distance:] += before @ state[:, :-distance]
        other[:, :-distance] += after @ state[:, distance:]
        others.append(other)
        state = state + np.maximum(own @ state + other, 0)
    return _States(hidden, tuple(others))


def _first(hidden: Matrix, network: Network, favor: int) -> Matrix:
    channels = network.projection_weights @ np.maximum(hidden, 0)
    first: Matrix = np.maximum(channels + network.channel_bias[favor, 0][:, None], 0)
    return first


def _score(hidden: Matrix, others: Sequence[Matrix], network: Network, favor: int) -> Floats:
    """Score each row, with what comes from other rows given."""
    state = _first(hidden, network, favor)
    for layer, other in enumerate(others):
        _, own, _ = np.split(network.convolution_weights[layer], 3, axis=1)
        state = state + np.maximum(own @ state + other, 0)
    scores: Floats = (network.output_weights[favor] @ state).astype(np.float64)
    return scores - float(network.threshold[favor])
