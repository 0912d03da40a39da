"""The 17 features, each by its definition in section 4."""

from __future__ import annotations

from math import hypot, log

import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.elements import ELEMENT_CODES, ELEMENT_NAMES
from scrapy_cetr.extraction.methods.clg.features import FEATURES, adjust, measure
from scrapy_cetr.extraction.methods.clg.tree import make_tree
from scrapy_cetr.extraction.methods.clg.weights import Perfect, Weights
from testkit.layouts import box, stamped_page

PERFECT = Perfect(0.2, 0.8, 0.1, 0.9, 0.5, 0.5, 0.25)
SCORES = [0.1] * len(ELEMENT_NAMES)
SCORES[ELEMENT_CODES["p"]] = 0.7
WEIGHTS = Weights(intercept=0, features={}, perfect=PERFECT, tag_scores=SCORES)


def values(body: str, name: str, *, width: int = 100, height: int = 200) -> Floats:
    """Return the values of a feature for all nodes after html and body."""
    page = stamped_page(body, width=width, height=height)
    assert page.layout is not None
    features = adjust(measure(page, make_tree(page.layout)), WEIGHTS)
    return features[FEATURES.index(name), 2:]


def test_paper_has_seventeen_features() -> None:
    assert len(FEATURES) == len(set(FEATURES)) == 17


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # A box from 10 to 60 of 100 pixels, and from 40 to 120 of 200.
        ("POS_LEFT", 1 - abs(0.2 - 0.1)),
        ("POS_RIGHT", 1 - abs(0.8 - 0.6)),
        ("POS_TOP", 1 - abs(0.1 - 0.2)),
        ("POS_BOTTOM", 1 - abs(0.9 - 0.6)),
        ("POS_CENTERX", 1 - abs(0.5 - 0.35)),
        ("POS_CENTERY", 1 - abs(0.5 - 0.4)),
        ("POS_DIST", hypot(0.35 - 0.5, 0.4 - 0.5)),
        ("AREA_SIZE", 50 * 80 / (100 * 200)),
        ("AREA_DIST", abs(log(0.2) - log(0.25))),
        ("TAG_SCORE", 0.7),
    ],
)
def test_positions_and_areas_are_compared_with_the_perfect_node(name: str, expected: float) -> None:
    assert values(box("p", 10, 40, 50, 80), name)[0] == pytest.approx(expected)


FONTS = (
    '<div data-cetr="0 0 100 100">'
    '<p data-cetr="0 0 50 10 t90 n6 f10 cff0000">redred</p>'
    '<p data-cetr="0 0 50 10 t90 n2 f20 c00ff00">gr</p>'
    '<p data-cetr="0 0 50 10 t90 n2 f30 cff0000">re</p></div>'
)


def test_font_colour_popularity_is_the_product_of_both_distributions() -> None:
    # The page has 8 red and 2 green characters of 10.
    expected = [0.8 * 0.8 + 0.2 * 0.2, 0.8, 0.2, 0.8]
    assert values(FONTS, "FONT_COLOR_POPULARITY") == pytest.approx(expected)


def test_font_size_is_relative_to_the_smallest_and_largest() -> None:
    # 10, 20 and 30 pixels are 0, 0.5 and 1.
    expected = [0.6 * 0 + 0.2 * 0.5 + 0.2 * 1, 0, 0.5, 1]
    assert values(FONTS, "FONT_SIZE") == pytest.approx(expected)


def test_font_size_popularity_is_the_product_of_both_distributions() -> None:
    expected = [0.6**2 + 0.2**2 + 0.2**2, 0.6, 0.2, 0.2]
    assert values(FONTS, "FONT_SIZE_POPULARITY") == pytest.approx(expected)


def test_fonts_are_inherited() -> None:
    inherited = (
        '<div data-cetr="0 0 9 9 t9 n1 f10 cff0000">a<b data-cetr="0 0 9 9 t9 n1">b</b></div>'
        '<p data-cetr="0 0 9 9 t9 n2 f20 c0000ff">cd</p>'
    )
    assert values(inherited, "FONT_SIZE") == pytest.approx([0, 0, 1])
    assert values(inherited, "FONT_COLOR_POPULARITY") == pytest.approx([0.5, 0.5, 0.5])


def test_visible_characters_are_a_share_of_the_page() -> None:
    assert values(FONTS, "VISIBLE_CHAR") == pytest.approx([1, 0.6, 0.2, 0.2])


def test_text_ratio_compares_the_areas_of_text_and_images() -> None:
    image = '<img data-cetr="0 0 10 20"><svg data-cetr="50 0 10 10"></svg>'
    text = '<p data-cetr="0 0 50 10 t99 n1">a</p>'
    expected = [99 / (99 + 200 + 100 + 1), 99 / (99 + 1)]
    assert values(f'<div data-cetr="0 0 50 50">{text}{image}</div>', "TEXT_RATIO") == pytest.approx(
        expected
    )


def test_images_that_overlap_are_counted_once() -> None:
    # 10 × 20 and the 10 × 20 that is half on it: 300.
    images = '<img data-cetr="0 0 10 20"><img data-cetr="5 0 10 20">'
    text = '<p data-cetr="0 30 50 10 t99 n1">a</p>'
    found = values(f'<div data-cetr="0 0 50 50">{text}{images}</div>', "TEXT_RATIO")
    assert found[0] == pytest.approx(99 / (99 + 300 + 1))


def test_tag_density_is_the_logarithm_of_tags_per_character() -> None:
    # The <div> has four tags with its own, a line break among them, and nine characters.
    body = box("div", 0, 0, 9, 9, '<p data-cetr="0 0 9 9 t9 n9">a<br>b<b>c</b></p>')
    assert values(body, "TAG_DENSITY")[0] == pytest.approx(log(4 / (9 + 1)))


def test_link_density_is_the_number_of_links_per_tag() -> None:
    body = box("div", 0, 0, 9, 9, "<a>x</a><p>y</p>") + box("p", 0, 0, 9, 9)
    assert values(body, "LINK_DENSITY") == pytest.approx([1 / (3 + 1), 1 / (1 + 1), 0, 0])
