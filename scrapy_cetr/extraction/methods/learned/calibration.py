"""Calibration: how likely the extracted text is a whole article and nothing else.

A logistic regression on a few features of the extraction. ``training`` fits its weights.
"""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.features import NAMES, PAGE_NAMES, Features

CALIBRATION_NAMES = (
    *("certainty of page", "certainty of kept rows", "kept chars", "kept share of page"),
    *("link share of kept rows", "kept paragraphs", "share of kept paragraphs", *PAGE_NAMES),
)
# A kept row with at least this many characters is a paragraph.
_PARAGRAPH_CHARS = 80
_CHARS, _LINK_SHARE = map(NAMES.index, ("chars", "link share"))


def calibration_features(features: Features, probabilities: Floats, keep: Bools) -> Floats:
    """Describe an extraction, given each row's probability and decision.

    Returns one number for each of CALIBRATION_NAMES.
    """
    chars = np.expm1(features.of_rows[_CHARS]).astype(np.float64)
    link_share = features.of_rows[_LINK_SHARE]
    kept_chars, all_chars = chars[keep].sum(), max(chars.sum(), 1.0)
    # Zero at even odds, and the length of the row where there is no doubt.
    certainty = np.abs(2 * probabilities - 1) * chars
    is_paragraph = (chars >= _PARAGRAPH_CHARS) & keep
    return np.array(
        (
            certainty.sum() / all_chars,
            certainty[keep].sum() / max(kept_chars, 1),
            np.log1p(kept_chars),
            kept_chars / all_chars,
            (link_share * chars)[keep].sum() / max(kept_chars, 1),
            np.log1p(is_paragraph.sum()),
            chars[is_paragraph].sum() / max(kept_chars, 1),
            *features.of_page,
        )
    )


def sigmoid(log_odds: Floats | float) -> Floats:
    """Turn log-odds into probabilities.

    >>> float(sigmoid(0.0))
    0.5
    """
    probability: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(log_odds, -30), 30)))
    return probability
