"""The forward pass of the network: from the features of rows to their scores.

The network judges a row by its features, by convolutions over its neighbours and by the page as a
whole. ``weights`` describes its shape. Nothing here is random, and numpy is all that it needs.
"""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Floats, chunks
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.methods.learned.weights import Network, Weights

# The distance, in rows, of the neighbours that each convolution reads on both sides.
DISTANCES = (1, 3, 9)
# BLAS computes a product with at most this many multiplications in one thread: it takes another
# for each 262,144 of them. Larger products would be a little faster on an idle machine. On a busy
# one, as in a crawl with workers, threads that wait for each other take five times as long.
_ONE_THREAD = 500_000
# BLAS works on this number of columns at once, and slows down where some are left over.
_ALIGNED = 8
# A row with its features and hidden units takes far more memory than a number of a column.
_ROW_WEIGHT = 64


def log_odds(features: Features, network: Network, favor: int) -> Floats:
    """Compute the log-odds of each row to be content; ``favor`` is an index into FAVORS."""
    channels, count = len(network.projection_weights), len(features.rows)
    if not count:
        return np.zeros(0)
    # Channels × rows. Zeros stand for the rows beyond the page.
    padding = DISTANCES[-1]
    padded = np.zeros((channels, count + 2 * padding), np.float32)
    state = padded[:, padding : padding + count]
    _project(features, network, favor, state)
    for layer, distance in enumerate(DISTANCES):
        bias = network.pooling_weights[layer] @ loops.summary(state)
        bias += network.channel_bias[favor, layer + 1]
        change = np.empty_like(state)
        for now in _parts(count):
            neighbors = _stack_neighbors(padded, now, distance)
            _product(network.convolution_weights[layer], neighbors, change[:, now])
        loops.add_rectified(state, change, bias)
    scores: Floats = (network.output_weights[favor] @ state).astype(np.float64)
    scores -= float(network.threshold[favor])
    return scores


def _parts(count: int) -> list[slice]:
    """Part the rows, to bound the memory that is taken by what is worked out of them."""
    return list(chunks(count, _ROW_WEIGHT))


def _stack_neighbors(padded: Weights, now: slice, distance: int) -> Weights:
    """Stack the states of the rows before, of the rows themselves and of the rows after them."""
    begin, end = now.start + DISTANCES[-1], now.stop + DISTANCES[-1]
    return np.concatenate(
        [padded[:, begin + shift : end + shift] for shift in (-distance, 0, distance)]
    )


def _project(features: Features, network: Network, favor: int, state: Weights) -> None:
    """Compute the hidden units from the features, and the channels from these, into ``state``."""
    rows = len(NAMES)
    low, high = network.feature_min, network.feature_max
    of_page = np.minimum(np.maximum(features.of_page, low[rows:]), high[rows:])
    hidden_bias = network.hidden_weights[:, rows:] @ of_page + network.hidden_bias
    for now in _parts(state.shape[1]):
        of_rows = loops.clipped(features.of_rows[:, now], low[:rows], high[:rows])
        hidden = np.empty((len(hidden_bias), of_rows.shape[1]), np.float32)
        _product(network.hidden_weights[:, :rows], of_rows, hidden)
        _product(network.projection_weights, _rectified(hidden, hidden_bias), state[:, now])
    _rectified(state, network.channel_bias[favor, 0])


def _rectified(block: Matrix, bias: Weights) -> Matrix:
    """Add a bias to each line of a block and replace negative elements by 0, in place."""
    loops.rectify(block, bias)
    return block


def _product(weights: Weights, columns: Weights, product: Weights) -> None:
    """Multiply matrices into ``product``, in slices of columns small enough for one thread."""
    width = max(_ONE_THREAD // weights.size // _ALIGNED, 1) * _ALIGNED
    for first in range(0, columns.shape[1], width):
        now = slice(first, first + width)
        np.matmul(weights, columns[:, now], out=product[:, now])
