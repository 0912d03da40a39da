"""The part of the network that is adapted: its forward pass, and the gradient of its weights.

The features, the convolutions and the pooling stay as they are. What is adapted are the numbers
that already differ between the favours: the biases of the channels, the weights of the output, and
its threshold. They say what counts as content; there are few of them, so that a few dozen pages are
enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.methods.learned.network import DISTANCES
from scrapy_cetr.extraction.methods.learned.weights import Network

Array = NDArray[np.float64]

# The most rows of a page that are learned from.
MAX_ROWS = 800


class Style(NamedTuple):
    """What is adapted: biases, layers × channels; output weights, channels; the threshold."""

    biases: Array
    output: Array
    threshold: Array


def style_of(network: Network, favor: int) -> Style:
    """Return what a network has for a favour."""
    return Style(
        network.channel_bias[favor].astype(np.float64),
        network.output_weights[favor].astype(np.float64),
        np.array([float(network.threshold[favor])]),
    )


def project(features: Features, network: Network) -> Array:
    """Return the channels of the first rows before their bias: channels × rows."""
    rows = len(NAMES)
    low, high = network.feature_min, network.feature_max
    of_page = np.clip(features.of_page, low[rows:], high[rows:])
    of_rows = np.clip(
        features.of_rows[:, :MAX_ROWS], low[:rows, np.newaxis], high[:rows, np.newaxis]
    )
    bias = network.hidden_weights[:, rows:] @ of_page + network.hidden_bias
    hidden = np.maximum(network.hidden_weights[:, :rows] @ of_rows + bias[:, np.newaxis], 0)
    return (network.projection_weights @ hidden).astype(np.float64)


class Pass:
    """A forward pass over a page; ``scores`` are the log-odds of its rows."""

    def __init__(self, projected: Array, network: Network, style: Style) -> None:
        self._network, self._style = network, style
        self._inputs: list[Array] = []
        self._active: list[NDArray[np.bool_]] = []
        first = projected + style.biases[0][:, np.newaxis]
        state = np.maximum(first, 0)
        self._first_active = first > 0
        for layer, distance in enumerate(DISTANCES):
            self._inputs.append(state)
            change = network.convolution_weights[layer] @ _neighbors(state, distance)
            pooled = np.concatenate((state.mean(1), state.max(1)))
            bias = network.pooling_weights[layer] @ pooled + style.biases[layer + 1]
            change += bias[:, np.newaxis]
            self._active.append(change > 0)
            state = state + np.maximum(change, 0)
        self._state = state
        self.scores: Array = style.output @ state - style.threshold[0]

    def gradient(self, of_scores: Array) -> Style:
        """Return the gradient of a loss by what is adapted, given that by the scores."""
        biases = np.zeros_like(self._style.biases)
        output = self._state @ of_scores
        of_state = np.outer(self._style.output, of_scores)
        for layer in range(len(DISTANCES) - 1, -1, -1):
            of_change = of_state * self._active[layer]
            of_bias = of_change.sum(1)
            biases[layer + 1] = of_bias
            convolution = self._network.convolution_weights[layer]
            of_state = of_state + _from_neighbors(convolution.T @ of_change, DISTANCES[layer])
            of_state += self._of_pooled(layer, of_bias)
        biases[0] = (of_state * self._first_active).sum(1)
        return Style(biases, output, np.array([-of_scores.sum()]))

    def _of_pooled(self, layer: int, of_bias: Array) -> Array:
        """Return the gradient by the state of what is pooled over the page."""
        state = self._inputs[layer]
        of_pooled = self._network.pooling_weights[layer].T @ of_bias
        channels, count = state.shape
        of_state = np.repeat(of_pooled[:channels, np.newaxis] / count, count, axis=1)
        of_state[np.arange(channels), state.argmax(1)] += of_pooled[channels:]
        return of_state


def _neighbors(state: Array, distance: int) -> Array:
    """Stack the states of the rows before, of the rows, and of the rows after them."""
    channels, count = state.shape
    stacked = np.zeros((3 * channels, count))
    stacked[:channels, distance:] = state[:, : max(count - distance, 0)]
    stacked[channels : 2 * channels] = state
    stacked[2 * channels :, : max(count - distance, 0)] = state[:, distance:]
    return stacked


def _from_neighbors(stacked: Array, distance: int) -> Array:
    """Add what concerns a row from the stacks of its neighbours; the reverse of the above."""
    channels, count = len(stacked) // 3, stacked.shape[1]
    state = stacked[channels : 2 * channels].copy()
    reach = max(count - distance, 0)
    state[:, :reach] += stacked[:channels, distance:]
    state[:, distance:] += stacked[2 * channels :, :reach]
    return state
