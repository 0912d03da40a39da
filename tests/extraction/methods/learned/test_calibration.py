"""Calibration: the features of an extraction, and probabilities."""

import numpy as np
import pytest

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.calibration import (
    CALIBRATION_NAMES,
    calibration_features,
    sigmoid,
)
from scrapy_cetr.extraction.methods.learned.features import PAGE_NAMES, find_features
from scrapy_cetr.extraction.methods.learned.weights import shipped_network


def test_sigmoid_is_finite_for_any_log_odds() -> None:
    assert sigmoid(np.array((-1e300, 0, 1e300))).tolist() == pytest.approx([0, 0.5, 1])


def test_calibration_features_sum_up_kept_rows() -> None:
    html = f"<p>{'x' * 100}<p><a href=/>{'y' * 60}</a><p>{'z' * 40}"
    features = find_features(read(html, rows="blocks", with_class_names=True))
    keep = np.array((True, True, False))
    values = calibration_features(features, np.array((1, 0.75, 0.5)), keep)
    assert dict(zip(CALIBRATION_NAMES[: -len(PAGE_NAMES)], values, strict=False)) == pytest.approx(
        {
            # Rows of 100, 60 and 40 characters are certain, half certain and uncertain.
            "certainty of page": (100 + 30) / 200,
            "certainty of kept rows": (100 + 30) / 160,
            "kept chars": np.log1p(160),
            "kept share of page": 160 / 200,
            "link share of kept rows": 60 / 160,
            # One kept row has 80 characters or more.
            "kept paragraphs": np.log1p(1),
            "share of kept paragraphs": 100 / 160,
        },
        rel=1e-5,
    )
    assert values[-len(PAGE_NAMES) :].tolist() == features.of_page.tolist()


def test_there_is_a_weight_for_each_calibration_feature_and_an_intercept() -> None:
    features = find_features(read("", rows="blocks"))
    values = calibration_features(features, np.zeros(0), np.zeros(0, np.bool_))
    assert len(values) == len(CALIBRATION_NAMES)
    assert len(shipped_network().calibration_weights) == len(CALIBRATION_NAMES) + 1
    assert np.isfinite(values).all()
