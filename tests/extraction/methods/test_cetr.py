"""CETR as published: the behaviour described in sections 3 to 5 of the paper."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.methods.cetr import tag_ratios
from scrapy_cetr.extraction.methods.signal import derivative, smooth

CETR = ("cetr", "cetr-km", "cetr-tm")
EXAMPLE_1 = """\
<div id="topnav">
<div id="storyPageContent2">
<div id="author">James Smith</div>
OKLAHOMA CITY Police were told Sunday
The Oklahoman said. <br><br> Jones had an article.
</div></div>
"""


def ratios_of(html: str, rows: RowKind = "lines") -> list[float]:
    ratios: list[float] = tag_ratios(read(html, rows=rows)).tolist()
    return ratios


def lines(*ratios: int) -> str:
    """Write a page with one tag a line, so that the ratio of each line is its length."""
    return "\n".join("<b>" + "x" * ratio for ratio in ratios)


def judge(html: str, **options: Any) -> Verdict:
    chosen = Options(**{"method": "cetr", "rows": "lines", **options})
    return METHODS[chosen.method](read(html, rows="lines"), chosen)


def kept(ratios: tuple[int, ...], **options: Any) -> list[int]:
    """Judge a page of such lines, and give the ratios of those that are kept."""
    keep = judge(lines(*ratios), **options).keep.tolist()
    return [ratio for ratio, wanted in zip(ratios, keep, strict=True) if wanted]


# Section 3: tag ratios


def test_tag_ratios_of_the_worked_example_in_the_paper() -> None:
    page = read(EXAMPLE_1, rows="lines")
    assert page.rows.chars.tolist() == [0, 0, 11, 37, 41, 0]
    assert page.rows.tags.tolist() == [1, 1, 2, 0, 2, 2]
    assert tag_ratios(page).tolist() == [0, 0, 5.5, 37, 20.5, 0]


def test_tag_ratio_is_characters_divided_by_tags() -> None:
    assert ratios_of("<p>twelve <b>chars</b></p>\n<i>") == [12 / 4, 0]


def test_tag_ratio_without_tags_is_the_length_of_the_line() -> None:
    assert ratios_of("<p>\nfourteen chars\n</p>") == [0, 14, 0]


def test_characters_inside_of_tags_are_not_counted() -> None:
    assert ratios_of("<p class='a b c d e f' id=x>four\n<b>") == [4, 0]


@pytest.mark.parametrize(
    "removed",
    [
        "<script>var x = '<b>';</script>",
        "<style>p { color: red }</style>",
        "<!-- a remark with <b>tags</b> in it -->",
        "<SCRIPT src=x></SCRIPT>",
        "<script>\nmany();\nlines();\n</script>",
        "<!--\nmany\nlines\n-->",
    ],
)
def test_scripts_styles_and_comments_do_not_change_tag_ratios(removed: str) -> None:
    assert ratios_of(f"<p>four\n{removed}\n<i>fives") == [4, 5]
    assert ratios_of(f"<p>fo{removed}ur<br>\n<i>fives")[-1] == 5


def test_empty_lines_have_no_tag_ratio() -> None:
    assert ratios_of("<p>four\n\n   \n\t\n<i>fives\n\n") == [4, 5]


def test_lines_of_tags_alone_have_a_tag_ratio_of_zero() -> None:
    assert ratios_of("<p>four\n<br>\n</p>\n<i>fives") == [4, 0, 0, 5]


def test_tag_ratios_of_blocks_are_computed_like_those_of_lines() -> None:
    assert ratios_of("<p>twelve\n<b>chars</b></p><p>four", "blocks") == [12 / 4, 4]


# Section 4: threshold and smoothing


def test_cetr_tm_keeps_lines_that_reach_the_threshold() -> None:
    # The standard deviation of the ratios is 4.
    assert kept((0, 0, 8, 8), method="cetr-tm", sigma=0, lam=1) == [8, 8]


def test_cetr_tm_keeps_a_ratio_equal_to_the_threshold() -> None:
    assert kept((0, 0, 8, 8), method="cetr-tm", sigma=0, lam=2) == [8, 8]
    assert kept((0, 0, 8, 8), method="cetr-tm", sigma=0, lam=2.01) == []


def test_cetr_tm_threshold_is_lambda_times_the_deviation_of_smoothed_ratios() -> None:
    ratios = (*[2] * 20, *[40] * 20, *[2] * 20)
    verdict = judge(lines(*ratios), method="cetr-tm", sigma=3, lam=0.5)
    smoothed = smooth(np.array(ratios, np.float64), 3)
    assert verdict.score == pytest.approx(smoothed - smoothed.std() / 2)


def test_higher_lambda_never_adds_lines() -> None:
    ratios = (1, 3, 9, 27, 80, 2, 2, 70, 40, 60, 1, 1, 30, 5, 0)
    keeps = [judge(lines(*ratios), method="cetr-tm", lam=step / 4).keep for step in range(12)]
    for lower, higher in pairwise(keeps):
        assert (lower | ~higher).all()
    assert keeps[0].sum() > keeps[-1].sum()


@pytest.mark.parametrize("method", CETR)
def test_short_line_between_long_ones_is_lost_without_smoothing(method: str) -> None:
    ratios = (*[1] * 20, *[80] * 5, 3, *[80] * 5, *[1] * 20)
    assert 3 not in kept(ratios, method=method, sigma=0)
    assert 3 in kept(ratios, method=method, sigma=2)


@pytest.mark.parametrize("method", CETR)
def test_single_high_ratio_among_low_ones_is_smoothed_away(method: str) -> None:
    ratios = (*[1] * 10, 90, *[1] * 10, *[80] * 20, *[1] * 10)
    assert 90 in kept(ratios, method=method, sigma=0)
    assert 90 not in kept(ratios, method=method, sigma=5)


def test_smoothing_lowers_the_variance_of_the_ratios() -> None:
    trace = judge(lines(1, 90, 2, 80, 70, 1, 1, 60, 90, 3), method="cetr-tm", sigma="std").trace
    assert trace["smoothed"].var() < trace["ratio"].var()


def test_sigma_is_the_standard_deviation_of_the_ratios() -> None:
    ratios = (0, 0, 8, 8, 0, 0, 0, 0, 8, 8, 8, 8)
    trace = judge(lines(*ratios), method="cetr-tm", sigma="std").trace
    assert trace["smoothed"] == pytest.approx(smooth(np.array(ratios, np.float64), 4))


def test_sigma_grows_with_the_variance_of_the_ratios() -> None:
    def spread(high: int) -> int:
        """Count the lines that a single high one lends some of its height."""
        page = lines(*[0] * 50, high, *[0] * 50)
        smoothed: Floats = judge(page, method="cetr-tm", sigma="std").trace["smoothed"]
        return int(np.count_nonzero(smoothed))

    assert spread(10) < spread(30) < spread(90)


def test_sigma_given_as_a_number_is_at_most_a_tenth_of_the_rows() -> None:
    ratios = (*[2] * 10, *[40] * 10)
    trace = judge(lines(*ratios), method="cetr-tm", sigma=7).trace
    assert trace["smoothed"] == pytest.approx(smooth(np.array(ratios, np.float64), 2))


# Section 4.3: k-means


def test_cetr_km_drops_the_cluster_nearest_to_zero() -> None:
    ratios = (1, 2, 10, 11, 30, 31)
    verdict = judge(lines(*ratios), method="cetr-km", sigma=0, k=3)
    assert verdict.trace["centroids"].tolist() == [[1.5, 10.5, 30.5]]
    assert verdict.trace["cluster"].tolist() == [0, 0, 1, 1, 2, 2]
    assert verdict.keep.tolist() == [False, False, True, True, True, True]


def test_k_is_the_number_of_clusters() -> None:
    # With two clusters, the border is 15.5 at first and (6 + 30.5) / 2 in the end.
    assert kept((1, 2, 10, 11, 30, 31), method="cetr-km", sigma=0, k=2) == [30, 31]
    for k in (2, 3, 4, 5):
        trace = judge(lines(*range(1, 50)), method="cetr-km", sigma=0, k=k).trace
        assert trace["centroids"].shape == (1, k)
        assert set(trace["cluster"].tolist()) == set(range(k))


def test_cetr_km_ignores_the_order_of_ratios() -> None:
    ratios = (1, 30, 2, 10, 31, 11)
    assert kept(ratios, method="cetr-km", sigma=0) == [30, 10, 31, 11]
    assert kept(tuple(sorted(ratios)), method="cetr-km", sigma=0) == [10, 11, 30, 31]


# Section 5: the two-dimensional model

CONTENT = (*[1] * 30, *[80] * 30, *[1] * 30)


def test_cetr_second_dimension_is_the_absolute_smoothed_derivative() -> None:
    trace = judge(lines(*CONTENT), sigma=2, alpha=3).trace
    smoothed = smooth(np.array(CONTENT, np.float64), 2)
    assert trace["smoothed"] == pytest.approx(smoothed)
    assert trace["slope"] == pytest.approx(np.abs(smooth(derivative(smoothed, 3), 2)))


def test_derivative_peaks_at_the_beginning_and_end_of_the_content() -> None:
    slope = judge(lines(*CONTENT), sigma=2).trace["slope"]
    assert abs(int(slope[:45].argmax()) - 30) <= 3
    assert abs(int(slope[45:].argmax()) + 45 - 60) <= 3
    assert slope[10:20].max() < slope.max() / 100
    assert slope[40:50].max() < slope.max() / 100


def test_alpha_is_the_number_of_rows_in_the_derivative() -> None:
    for alpha in (1, 2, 5):
        trace = judge(lines(*CONTENT), sigma=0, alpha=alpha).trace
        assert np.flatnonzero(trace["slope"]).tolist() == [
            *range(30 - alpha, 30),
            *range(60 - alpha, 60),
        ]


def test_cetr_has_one_centroid_at_the_origin() -> None:
    for k in (2, 3, 5):
        trace = judge(lines(*CONTENT), k=k).trace
        assert trace["centroids"].shape == (2, k)
        assert trace["centroids"][:, 0].tolist() == [0, 0]


def test_cetr_drops_only_the_cluster_of_the_origin() -> None:
    verdict = judge(lines(*CONTENT), sigma=2)
    assert set(verdict.trace["cluster"].tolist()) == {0, 1, 2}
    assert (verdict.keep == (verdict.trace["cluster"] != 0)).all()


def test_cetr_keeps_content_and_drops_boilerplate() -> None:
    keep = judge(lines(*CONTENT), sigma=2).keep
    assert keep[30:60].all()
    assert not keep[:25].any()
    assert not keep[65:].any()


def test_cetr_prefers_rows_on_a_slope_to_rows_on_a_plateau() -> None:
    # Lines of 20 characters, alone on a plateau or on the slope to lines of 80.
    plateau = (*[1] * 20, *[20] * 20, *[1] * 20, 20, *[80] * 20, *[1] * 20)
    keep = judge(lines(*plateau), sigma=0).keep
    assert not keep[20:39].any()
    assert keep[60]


@pytest.mark.parametrize("method", CETR)
def test_all_content_sections_of_a_page_are_kept(method: str) -> None:
    section = [90] * 15
    ratios = (*[1] * 30, *section, *[1] * 30, *section, *[1] * 30)
    keep = judge(lines(*ratios), method=method, sigma=2).keep
    assert keep[30:45].all()
    assert keep[75:90].all()
    assert not keep[50:70].any()


def test_content_is_found_with_sigma_as_published() -> None:
    ratios = (*[1] * 200, *[80] * 100, *[1] * 200)
    for method in CETR:
        keep = judge(lines(*ratios), method=method, sigma="std").keep
        assert keep[210:290].all()
        assert not keep[:150].any()
        assert not keep[350:].any()


# Section 5.3: implementation details


@pytest.mark.parametrize("method", CETR)
def test_content_is_found_on_a_page_written_on_one_line(method: str) -> None:
    menu = "".join(f"<li><a href='/section/{n}'>Menu entry {n}</a></li>" for n in range(80))
    story = "It rained all day, and by night the river stood in the streets of the town. " * 40
    article = extract(f"<ul>{menu}</ul><p>{story}</p><ul>{menu}</ul>", method=method, rows="lines")
    assert article.text.count("It rained") == 40
    assert article.text.count("Menu entry") < 40


# Verdicts


@pytest.mark.parametrize("method", CETR)
def test_rows_without_text_are_never_kept(method: str) -> None:
    ratios = (*[80] * 20, 0, *[80] * 20, *[1] * 10)
    assert not judge(lines(*ratios), method=method, sigma=2).keep[20]


@pytest.mark.parametrize("method", CETR)
def test_kept_rows_have_scores_of_zero_or_more(method: str) -> None:
    verdict = judge(lines(*CONTENT), method=method, sigma=2)
    assert (verdict.keep == (verdict.score > 0)).all()


def test_very_long_row_does_not_hide_an_article() -> None:
    ratios = (*[1] * 20, *[90] * 30, *[1] * 20, 200_000, *[1] * 20)
    for method in CETR:
        assert kept(ratios, method=method).count(90) == 30


@pytest.mark.parametrize("method", ["cetr", "cetr-km"])
def test_book_in_one_element_is_kept_without_the_menu(method: str) -> None:
    menu = "".join(f"<li><a href=/{n}>Some section {n}</a></li>" for n in range(100))
    book = "The harbour was quiet that day and so was the town. " * 1200
    text = extract(f"<ul>{menu}</ul><pre>{book}</pre><ul>{menu}</ul>", method=method).text
    assert text.count("section") < 50
    assert text.count("harbour") == 1200
