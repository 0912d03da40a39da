"""The learned method: the signals of all the papers, weighed by a small network.

The network scores the rows, ``selection`` decides on them together, and ``calibration`` says how
likely the result is an article. ``training`` in the repository makes the weights;
docs/explanation/learned.md describes how, and the results.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.calibration import calibration_features, sigmoid
from scrapy_cetr.extraction.methods.learned.declared_text import shares_in
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features, find_features
from scrapy_cetr.extraction.methods.learned.network import log_odds
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import Network, network_of
from scrapy_cetr.extraction.methods.verdict import Verdict, make_verdict
from scrapy_cetr.extraction.options import FAVORS, Options
from scrapy_cetr.extraction.page.page import MAX_MEASURED, Page

# If at least this share of the rows that would be kept is in the page's declared text, rows that
# are not in it lose up to this much of their log-odds. Headlines do not, as they are declared
# separately. A longer declared text is not an article.
_AGREEING_SHARE, _PENALTY, _LONGEST_DECLARED = 0.7, 3.0, 200_000
# Rows that are this many times as long as the declared text are not compared with it. They cannot
# agree, not even if the page has the text twice and each ideograph counts for two characters.
_FAR_LONGER = 6
# The score of rows that are kept or dropped against their log-odds is just on their side of zero.
_BELOW_ZERO = -1e-9
_CHARS, _IS_HEADLINE = map(NAMES.index, ("chars", "row of h1"))


# What other pages of the site say about the rows of a page, as a change of their log-odds.
Evidence = Callable[[Page, Features, Floats], Floats]


def learned_method(page: Page, options: Options, evidence: Evidence | None = None) -> Verdict:
    """Keep the rows whose probability is above the threshold, each text once."""
    features = find_features(page)
    network = network_of(options.model)
    scores = row_scores(features, network, FAVORS.index(options.favor))
    if evidence is not None:
        scores = scores + evidence(page, features, scores)
    probabilities = sigmoid(scores)
    # Zero for the default, even odds. All rules of the selection count from the threshold.
    scores = scores - log(options.threshold / (1 - options.threshold))
    keep = select_rows(features, scores)
    weights = network.calibration_weights
    calibration = calibration_features(features, probabilities, keep)
    article_log_odds = float(weights[:-1] @ calibration + weights[-1])
    decided = np.where(keep, np.maximum(scores, 0.0), np.minimum(scores, _BELOW_ZERO))
    return make_verdict(
        page,
        _spread(page, features, decided, -1.0),
        _spread(page, features, keep, 0.0) > 0,
        article_probability=float(sigmoid(article_log_odds)),
        calibration=calibration,
        probability=_spread(page, features, probabilities, 0.0),
        features=features.of_rows.T,
        feature_names=NAMES,
        feature_rows=features.rows,
    )


def row_scores(features: Features, network: Network, favor: int) -> Floats:
    """Compute the log-odds of each row to be content, with regard to the declared text."""
    return regard_declared(features, log_odds(features, network, favor), favor)


def regard_declared(features: Features, scores: Floats, favor: int) -> Floats:
    """Lower the scores of rows that are not in the page's declared text, if most rows are."""
    declared = features.declared_body
    # Comments and captions are not in the declared text.
    if FAVORS[favor] == "recall" or not 0 < len(declared) < _LONGEST_DECLARED:
        return scores
    kept = np.flatnonzero((scores > 0) & (features.of_rows[_IS_HEADLINE] == 0))
    chars = np.expm1(features.of_rows[_CHARS, kept])
    if chars.sum() > _FAR_LONGER * len(declared):
        return scores
    shares = np.array(shares_in(declared, [features.texts[row] for row in kept.tolist()]))
    if (chars * shares).sum() >= _AGREEING_SHARE * chars.sum():
        scores[kept] -= _PENALTY * np.maximum(1 - 2 * shares, 0)
    return scores


def _spread(page: Page, features: Features, values: Floats | Bools, default: float) -> Floats:
    """Spread the values of measured rows over all rows of the page.

    If there were too many rows to measure, the others get the median of the shortest measured rows.
    """
    column = np.full(len(page.rows), default)
    if len(features.rows) >= MAX_MEASURED:
        chars = page.rows.chars[features.rows]
        column[(page.rows.chars > 0) & ~page.rows.broken] = np.median(values[chars == chars.min()])
    column[features.rows] = values
    return column
