"""weights_of_parts: by how much parts of the features change the scores of rows."""

import numpy as np

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.attribution import NEIGHBORS, weights_of_parts
from scrapy_cetr.extraction.methods.learned.features import NAMES, find_features
from scrapy_cetr.extraction.methods.learned.network import log_odds
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from testkit.article_pages import article_page, comments


def test_weights_are_differences_of_the_scores_of_the_network() -> None:
    features = find_features(read(article_page(), rows="blocks", with_class_names=True))
    network = shipped_network()
    keep = log_odds(features, network, 0) > 0
    found = weights_of_parts(features, network, 0, keep, {"all": range(len(NAMES)), "none": []})
    assert np.allclose(found["none"], 0, atol=1e-5)
    # Without any feature of their own, kept rows lose, and dropped rows gain.
    assert found["all"][keep].mean() > 0.5
    assert found["all"][~keep].mean() < -0.5


def test_weights_tell_what_speaks_against_comments() -> None:
    html = article_page(after=comments())
    features = find_features(read(html, rows="blocks", with_class_names=True))
    network = shipped_network()
    keep = log_odds(features, network, 0) > 0
    hint = NAMES.index("within class hint comment")
    parts = {"comment": [hint, NAMES.index("class hint comment")]}
    found = weights_of_parts(features, network, 0, keep, parts)
    inside = features.of_rows[hint] > 0
    assert found["comment"][inside].mean() < found["comment"][~inside].mean()
    assert set(found) == {"comment", NEIGHBORS}
