"""The forward pass of the network."""

from time import process_time, thread_time

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import Features, find_features
from scrapy_cetr.extraction.methods.learned.network import DISTANCES, log_odds
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from scrapy_cetr.extraction.options import FAVORS
from testkit.article_pages import STORY, article_page, comments, paragraphs


def features_of(html: str) -> Features:
    return find_features(read(html, rows="blocks", with_class_names=True))


def test_page_without_rows_has_no_scores() -> None:
    assert log_odds(features_of(""), shipped_network(), 0).tolist() == []


@pytest.mark.parametrize("size", [1, 4, 11])
def test_scores_do_not_depend_on_the_chunk_size(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    features = features_of(article_page(after=comments()))
    whole = log_odds(features, shipped_network(), 0)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 64 * size)
    # The products of matrices of other sizes may differ in the last digits.
    assert np.allclose(log_odds(features, shipped_network(), 0), whole, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("favor", range(len(FAVORS)))
def test_scores_are_those_computed_row_by_row(favor: int) -> None:
    html = article_page(story=paragraphs(*(f"{text} {n}" for n in range(20) for text in STORY)))
    features = features_of(html)
    scores = log_odds(features, shipped_network(), favor)
    assert scores == pytest.approx(by_hand(features.of_rows, features.of_page, favor), abs=1e-3)


def by_hand(of_rows: Matrix, of_page: Matrix, favor: int) -> Floats:
    """Compute the documented network, one row after the other."""
    net = shipped_network()
    count = of_rows.shape[1]
    inputs = np.concatenate((of_rows.T, np.tile(of_page, (count, 1))), axis=1)
    inputs = inputs.clip(net.feature_min, net.feature_max)
    hidden = np.maximum(inputs @ net.hidden_weights.T + net.hidden_bias, 0)
    state = np.maximum(hidden @ net.projection_weights.T + net.channel_bias[favor, 0], 0)
    for layer, distance in enumerate(DISTANCES):
        pooled = net.pooling_weights[layer] @ np.append(state.mean(0), state.max(0))
        zero = np.zeros(state.shape[1], np.float32)
        change = []
        for row in range(count):
            before = state[row - distance] if row >= distance else zero
            after = state[row + distance] if row + distance < count else zero
            neighbors = np.concatenate((before, state[row], after))
            change.append(net.convolution_weights[layer] @ neighbors + pooled)
        state = state + np.maximum(np.array(change) + net.channel_bias[favor, layer + 1], 0)
    return np.array(state @ net.output_weights[favor] - net.threshold[favor], np.float64)


def test_forward_pass_takes_one_thread() -> None:
    features = features_of(article_page() * 50)
    network = shipped_network()
    excess = 2.0
    # Threads of BLAS that other tests have used go on waiting for work for a while.
    for _ in range(100):
        everywhere, here = process_time(), thread_time()
        for _ in range(50):
            log_odds(features, network, 0)
        excess = (process_time() - everywhere) / (thread_time() - here)
        if excess < 1.2:
            break
    assert excess < 1.2
