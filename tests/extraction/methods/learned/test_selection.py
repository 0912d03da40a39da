"""The selection of rows, given hand-made pages and scores."""

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.features import Features, find_features
from scrapy_cetr.extraction.methods.learned.selection import select_rows


def features_of(html: str) -> Features:
    return find_features(read(html, rows="blocks", with_class_names=True))


def floats(*numbers: float) -> Floats:
    return np.array(numbers, np.float64)


def test_rows_near_the_best_are_kept_if_all_are_below_zero() -> None:
    features = features_of("<p>One<p>two<p>three<p>four")
    assert select_rows(features, floats(-1, -2.5, -3.5, -9)).tolist() == [True, True, False, False]
    # Rows below -4 are hopeless.
    assert not select_rows(features, floats(-5, -5, -6, -9)).any()
    assert select_rows(features, floats(1, -1.5, -2, -9)).tolist() == [True, False, False, False]


def test_only_hopeless_rows_of_a_very_long_page_are_dropped() -> None:
    scores = floats(9, -3.9, -4.1)
    for chars, kept in (1_900_000, [True, False, False]), (2_000_000, [True, True, False]):
        assert (
            select_rows(features_of(f"<p>{'a' * chars}<p>{'b' * 60}<p>end"), scores).tolist()
            == kept
        )


# Fifty characters are a share of 0.05 of a thousand. An end is worth 0.04 of the article. So fifty
# characters are kept at odds of more than 0.05 / (0.05 + 0.04), whose logarithm is -0.588, and two
# hundred at odds of more than 0.2 / (0.2 + 0.04), whose logarithm is -0.182.
ARTICLE, NOTE, LONG_NOTE, LABEL = (f"<div>{'a' * chars}</div>" for chars in (1000, 50, 200, 39))


@pytest.mark.parametrize(
    ("after", "scores", "kept"),
    [
        (NOTE, [-0.58], [True]),
        (NOTE, [-0.6], [False]),
        (LONG_NOTE, [-0.18], [True]),
        (LONG_NOTE, [-0.2], [False]),
        (LABEL, [-0.1], [False]),
        (NOTE + LONG_NOTE, [-0.5, -0.1], [True, True]),
        (LABEL + NOTE, [-3, -0.5], [False, True]),
        (LABEL + LABEL + NOTE, [-3, -3, -0.5], [False, False, False]),
    ],
)
def test_possible_end_is_kept_if_losing_it_would_cost_more(
    after: str, scores: list[float], kept: list[bool]
) -> None:
    features = features_of(ARTICLE + after)
    assert select_rows(features, floats(9, *scores)).tolist() == [True, *kept]


def test_improbable_end_is_dropped_however_short_it_is() -> None:
    features = features_of(f"<div>{'a' * 100_000}</div>{NOTE}")
    assert select_rows(features, floats(9, -1.9)).tolist() == [True, True]
    assert select_rows(features, floats(9, -2.1)).tolist() == [True, False]


def test_links_after_the_article_are_kept_only_in_its_container() -> None:
    paragraph, source = f"<p>{'a' * 1000}</p>", f"<p><a href=x>{'a' * 50}</a></p>"
    inside, outside = f"<main>{paragraph}{source}</main>", f"<main>{paragraph}</main>{source}"
    assert select_rows(features_of(inside), floats(9, -0.5)).tolist() == [True, True]
    assert select_rows(features_of(outside), floats(9, -0.5)).tolist() == [True, False]


def test_row_of_repeated_sentences_is_dropped() -> None:
    one, two, three, four = (f"Sentence {name} has {'many ' * 12}words." for name in range(4))
    # The second row repeats all but two words, the third row only half.
    html = f"<p>{one} {two} {three}<p>{one} {two} Read on.<p>{one} {four}"
    features = features_of(html)
    assert select_rows(features, np.ones(3)).tolist() == [True, False, True]


LENGTHS = (200, 200, 30, 200, 200)


def test_nearly_kept_paragraph_is_kept_next_to_a_kept_one() -> None:
    story = "".join(f"<p>{letter * chars}" for letter, chars in zip("abcde", LENGTHS, strict=True))
    features = features_of(f"<main>{story}</main><p>end")
    nearly, far = floats(9, -0.9, -0.9, -0.9, 9, -9), floats(9, -1.1, -9, -9, 9, -9)
    # Neither a short paragraph is kept, nor one with a lower score.
    assert select_rows(features, nearly).tolist() == [True, True, False, True, True, False]
    assert select_rows(features, far).tolist() == [True, False, False, False, True, False]
