"""The training of CLG: labels of nodes, the regression, and the measures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.corpus import Page
from testkit.layouts import box
from training.clg.examples import NEGATIVE, NEUTRAL, POSITIVE, make_example, word_f1
from training.clg.figures import line_chart
from training.clg.fitting import fit, fit_logistic
from training.clg.rendering import choose_pages
from training.clg.results import measure_page

# Figure 4: v2 is selected, v4 inside of it is not; v5 and v6 are the top nodes of the ground truth.
TEXT = "one two three four five six seven eight"
V4 = box("div", 0, 20, 50, 20, "nine ten eleven")
V3 = box("div", 0, 20, 100, 20, V4 + box("p", 50, 20, 50, 20, "one two three four"))
V2 = box("section", 0, 20, 100, 60, V3 + box("p", 0, 40, 100, 40, "five six seven eight"))
MENU = box("nav", 0, 0, 100, 20, "menu home news")
HTML = f'<html data-cetr="1 100 100 100 100"><body data-cetr="0 0 100 100">{MENU}{V2}</body></html>'
EXAMPLE = make_example(
    ("made", Page(id="1", url="http://a.example/", type=None, html=HTML, text=TEXT))
)


def test_nodes_are_labelled_as_in_figure_4() -> None:
    assert EXAMPLE is not None
    # html, body, nav, section (v2), div (v3), div (v4), p (v5), p (v6)
    expected = [NEUTRAL, NEUTRAL, NEGATIVE, NEUTRAL, NEUTRAL, NEGATIVE, POSITIVE, POSITIVE]
    assert EXAMPLE.label.tolist() == expected
    assert np.flatnonzero(EXAMPLE.top).tolist() == [6, 7]


def test_words_and_areas_are_compared_with_the_ground_truth() -> None:
    assert EXAMPLE is not None
    assert word_f1(EXAMPLE, [6, 7]) == pytest.approx((1, 1, 1))
    assert word_f1(EXAMPLE, [3])[:2] == pytest.approx((8 / 11, 1))
    # Figure 10: 50 × 20 and 100 × 40 are the truth; v2 is 100 × 60.
    precision, recall, _ = measure_page(EXAMPLE, [3]).areas
    assert (precision, recall) == pytest.approx((5000 / 6000, 1))


def test_perfect_node_and_tag_scores_are_averages() -> None:
    assert EXAMPLE is not None
    weights = fit([EXAMPLE])
    assert weights.perfect.left == pytest.approx((0.5 + 0) / 2)
    assert weights.perfect.area == pytest.approx((0.1 + 0.4) / 2)


def test_regression_finds_the_weights_of_its_data() -> None:
    random = np.random.default_rng(1)
    features = random.normal(size=(2, 20_000)) * [[1], [5]]
    odds = 1 + 2 * features[0] - 0.5 * features[1]
    intercept, beta = fit_logistic(features, random.random(20_000) < 1 / (1 + np.exp(-odds)))
    assert (intercept, *beta) == pytest.approx((1, 2, -0.5), abs=0.15)


def test_page_without_stamps_is_no_example() -> None:
    plain = Page(id="1", url=None, type=None, html="<p>one two", text="one")
    assert make_example(("made", plain)) is None


def test_figure_has_a_point_for_each_value() -> None:
    drawn = line_chart("CLG", "threshold", (0.1, 0.5, 0.9), {"P": (0.1, 0.2, 0.3), "R": (1, 1, 0)})
    assert drawn.count("<circle") == 6
    assert "P 0.200" in drawn


def test_pages_of_some_types_are_chosen_evenly(tmp_path: Path) -> None:
    corpus = tmp_path / "some.jsonl"
    kinds = ("article", "forum", None)
    lines = [
        {"id": str(number), "url": None, "type": kinds[number % 3], "html": "", "text": ""}
        for number in range(12)
    ]
    corpus.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    articles = choose_pages(corpus, limit=2, types=("article",))
    assert [page.id for page in articles] == ["0", "6"]
    assert len(choose_pages(corpus, limit=None, types=None)) == 12
