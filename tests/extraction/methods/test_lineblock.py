"""Line-Block as published: its line blocks, its three features and its thresholds."""

from typing import Any

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.methods.lineblock import line_blocks, title_keywords
from scrapy_cetr.extraction.page.words import words_of

TITLE = "<title>Bladder cancer: Exciting drug break</title>"


def judge(html: str, *, rows: RowKind = "blocks", **options: Any) -> Verdict:
    chosen = Options(method="lineblock", rows=rows, **options)
    return METHODS["lineblock"](read(html, rows=rows), chosen)


def kept(html: str, **options: Any) -> list[str]:
    text = extract(html, method="lineblock", **options).text
    return text.split("\n\n") if text else []


def apart(*blocks: str) -> str:
    """Put a line without text between blocks, so that each is a line block of its own."""
    return "\n<hr>\n".join(blocks)


# IV A: line blocks


def test_neighbouring_lines_with_text_form_a_line_block() -> None:
    page = read("<p>one\ntwo\n</p>\nthree\n<hr>\n<hr>\nfour", rows="lines")
    assert page.rows.chars.tolist() == [3, 3, 0, 5, 0, 0, 4]
    assert line_blocks(page).tolist() == [0, 0, 1, 2, 3, 4, 5]


def test_neighbouring_blocks_with_text_form_a_line_block() -> None:
    page = read("<h1>one</h1><p>two</p><hr><p>three", rows="blocks")
    assert page.rows.chars.tolist() == [3, 3, 0, 5]
    assert line_blocks(page).tolist() == [0, 0, 1, 2]


def test_lines_of_a_line_block_are_kept_or_dropped_together() -> None:
    html = apart(f"<p>{'x' * 200}</p>\n<b>y</b>\n<b>z</b>", "<b>y</b>")
    assert judge(html, rows="lines").keep.tolist() == [True, True, True, False, False]


# IV A: content features


def test_text_to_tag_ratio_is_text_divided_by_tags() -> None:
    html = apart("<p>twelve <b>chars</b></p>\nfour", "no tag")
    assert judge(html, rows="lines").trace["ttr"].tolist() == [(12 + 4) / 4, (12 + 4) / 4, 0, 6]


def test_anchor_text_ratio_is_linked_text_divided_by_text() -> None:
    html = "<p>four <a href=x>abcd</a> <a>ef gh</a>"
    # White space is not counted.
    assert judge(html).trace["attr"].tolist() == [8 / 12]


def test_anchor_text_needs_an_end_tag() -> None:
    assert judge("<p>four <a>abcd").trace["attr"].tolist() == [0]
    assert judge("<p>four <a>abcd<a>ef</a>").trace["attr"].tolist() == [2 / 10]


def test_title_keywords_of_the_example_in_the_paper() -> None:
    title = read(TITLE, rows="blocks").title
    assert words_of(title) == ["bladder", "cancer", "exciting", "drug", "break"]


def test_title_keyword_density_counts_the_keywords_in_a_block() -> None:
    html = f"{TITLE}<p>A drug for cancer, a new DRUG<p>Drugs and breaks<p>cancer<br>break"
    assert title_keywords(read(html, rows="blocks")).tolist() == [3, 0, 2]


def test_title_keywords_of_a_line_block_are_those_of_all_its_lines() -> None:
    html = f"{TITLE}<p>a drug\nfor cancer"
    assert judge(html, rows="lines").trace["tkd"].tolist() == [2, 2]


def test_title_keywords_include_ideographs() -> None:
    html = "<title>渔民</title><p>渔船和渔民"
    assert title_keywords(read(html, rows="blocks")).tolist() == [3]


def test_lineblock_drops_head_scripts_styles_and_comments() -> None:
    html = f"<head>{TITLE}<style>a</style></head><script>b</script><!-- c --><p>{'x' * 70}"
    assert kept(html) == ["x" * 70]


# IV B and step 4: thresholds


@pytest.mark.parametrize(("chars", "content"), [(59, False), (60, False), (61, True)])
def test_lineblock_keeps_a_ratio_above_30(chars: int, *, content: bool) -> None:
    assert bool(kept(f"<p>{'x' * chars}</p>")) == content


@pytest.mark.parametrize(("linked", "content"), [(39, True), (40, False), (41, False)])
def test_lineblock_keeps_a_link_share_below_a_fifth(linked: int, *, content: bool) -> None:
    html = f"<p>{'x' * (200 - linked)}<a>{'y' * linked}</a></p>"
    verdict = judge(html)
    assert verdict.trace["ttr"].tolist() == [200 / 4]
    assert verdict.trace["attr"].tolist() == [linked / 200]
    assert verdict.keep.tolist() == [content]


@pytest.mark.parametrize(("text", "content"), [("drug", False), ("drug break", True)])
def test_two_title_keywords_keep_a_line_block_with_many_tags(text: str, *, content: bool) -> None:
    assert bool(kept(f"{TITLE}<p>{text}</p>")) == content


def test_title_keywords_do_not_keep_links() -> None:
    assert kept(f"{TITLE}<p><a>Exciting drug break</a></p>") == []


def test_dense_line_block_needs_no_title_keywords() -> None:
    assert kept(f"{TITLE}<p>{'x' * 70}</p>") == ["x" * 70]


def test_lineblock_thresholds_are_options() -> None:
    html = f"{TITLE}<p>{'x' * 20} drug <a>yyyyy</a></p>"
    # 31 characters and 4 tags; 5 of 29 characters linked; one keyword.
    assert kept(html) == []
    assert kept(html, lineblock_ttr=7) != []
    assert kept(html, lineblock_tkd=1) != []
    assert kept(html, lineblock_ttr=7, lineblock_attr=0.17) == []


def test_lineblock_threshold_can_be_lambda_times_the_deviation() -> None:
    # The ratios are 10 and 20, so σ is 5.
    html = apart("<b>" + "x" * 10, "<b>" + "y" * 20)
    for lam, expected in ((1.9, [True, False, True]), (2, [False, False, True]), (4, [False] * 3)):
        keep = judge(html, rows="lines", lineblock_ttr="std", lam=lam).keep
        assert keep.tolist() == expected


def test_binary_row_belongs_to_no_line_block_with_text() -> None:
    page = read("<b>" + "\ufffd" * 50 + "\n<p>text", rows="lines")
    assert page.rows.broken.tolist() == [True, False]
    assert line_blocks(page).tolist() == [0, 1]
