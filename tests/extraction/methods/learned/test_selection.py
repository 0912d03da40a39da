"""Which rows are kept, given their odds: hand-made pages and scores."""

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.features import Features, find_features
from scrapy_cetr.extraction.methods.learned.selection import group


def blocks(html: str) -> Features:
    return find_features(read(html, rows="blocks", with_class_names=True))


def floats(*numbers: float) -> Floats:
    return np.array(numbers, np.float64)


def test_where_every_row_is_below_zero_those_near_the_best_are_kept() -> None:
    features = blocks("<p>One<p>two<p>three<p>four")
    assert group(features, floats(-1, -2.5, -3.5, -9)).tolist() == [True, True, False, False]
    # Below -4, nothing is worth keeping.
    assert not group(features, floats(-5, -5, -6, -9)).any()
    assert group(features, floats(1, -1.5, -2, -9)).tolist() == [True, False, False, False]


def test_of_a_page_with_more_text_than_any_other_only_what_is_hopeless_is_dropped() -> None:
    scores = floats(9, -3.9, -4.1)
    for chars, kept in (1_900_000, [True, False, False]), (2_000_000, [True, True, False]):
        assert group(blocks(f"<p>{'a' * chars}<p>{'b' * 60}<p>end"), scores).tolist() == kept


# Of a thousand characters, fifty are a twentieth. An end is worth a twenty-fifth of the article, so
# these fifty are kept at odds of more than 0.05 / (0.05 + 0.04), whose logarithm is -0.588; two
# hundred at more than 0.2 / (0.2 + 0.04), whose logarithm is -0.182.
ARTICLE, NOTE, LONG_NOTE, LABEL = (f"<div>{'a' * chars}</div>" for chars in (1000, 50, 200, 39))


@pytest.mark.parametrize(
    ("behind", "scores", "kept"),
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
def test_what_may_be_the_end_is_kept_where_losing_it_would_cost_more(
    behind: str, scores: list[float], kept: list[bool]
) -> None:
    features = blocks(ARTICLE + behind)
    assert group(features, floats(9, *scores)).tolist() == [True, *kept]


def test_however_short_it_is_what_is_hardly_the_end_is_dropped() -> None:
    features = blocks(f"<div>{'a' * 100_000}</div>{NOTE}")
    assert group(features, floats(9, -1.9)).tolist() == [True, True]
    assert group(features, floats(9, -2.1)).tolist() == [True, False]


def test_links_behind_the_article_are_kept_if_they_are_among_its_paragraphs() -> None:
    paragraph, source = f"<p>{'a' * 1000}</p>", f"<p><a href=x>{'a' * 50}</a></p>"
    inside, outside = f"<main>{paragraph}{source}</main>", f"<main>{paragraph}</main>{source}"
    assert group(blocks(inside), floats(9, -0.5)).tolist() == [True, True]
    assert group(blocks(outside), floats(9, -0.5)).tolist() == [True, False]


def test_what_is_nearly_all_there_already_is_kept_no_second_time() -> None:
    one, two, three, four = (f"Sentence {name} has {'many ' * 12}words." for name in range(4))
    # Of the second, all but the last two words; of the third, half.
    html = f"<p>{one} {two} {three}<p>{one} {two} Read on.<p>{one} {four}"
    features = blocks(html)
    assert group(features, np.ones(3)).tolist() == [True, False, True]


LENGTHS = (200, 200, 30, 200, 200)


def test_a_paragraph_that_was_nearly_kept_is_kept_beside_one_that_is() -> None:
    story = "".join(f"<p>{letter * chars}" for letter, chars in zip("abcde", LENGTHS, strict=True))
    features = blocks(f"<main>{story}</main><p>end")
    nearly, far = floats(9, -0.9, -0.9, -0.9, 9, -9), floats(9, -1.1, -9, -9, 9, -9)
    # Neither a short one is, nor one with worse odds.
    assert group(features, nearly).tolist() == [True, True, False, True, True, False]
    assert group(features, far).tolist() == [True, False, False, False, True, False]
