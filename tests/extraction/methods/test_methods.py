"""What holds for the verdict of every method, whatever it tells content by."""

import numpy as np
import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import USE_CLASS_NAMES, Verdict
from scrapy_cetr.extraction.page.page import Page

MENU = "".join(f"<li><a href=/{n}>Entry {n}</a></li>\n" for n in range(20))
RAIN = "It rained all day, and by night the river stood in the streets of the old town"
STORY = "".join(f"<p>{RAIN}, said witness {n}.</p>\n" for n in range(12))
PAGE = f"<title>Rain</title><ul>\n{MENU}</ul>\n<hr>\n<hr>\n<hr>\n{STORY}<ul>\n{MENU}</ul>"


def judge(html: str, method: str, rows: RowKind) -> tuple[Page, Verdict]:
    page = read(html, rows=rows, with_class_names=method in USE_CLASS_NAMES)
    return page, METHODS[method](page, Options(method=method, rows=rows))


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "html",
    [
        "One line.",
        "A short line.\nAnd a line that is so long that it would be the only content.\nEnd.",
        "<script>x()</script>Only\nscripts and\n<!-- remarks --> in it.",
        "<title>Some title</title>5 < 6\nand 7 > 6",
        "...",
    ],
)
def test_pages_without_tags_are_all_content(html: str, method: str, rows: RowKind) -> None:
    page = read(html, rows="blocks")
    assert extract(html, method=method, rows=rows).text == " ".join(page.text.split())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize(
    "html",
    [
        *("", "<p>", "<p>a", "<p>a<p>b", "a\n<b>b\n\n<p>", "<br>" * 50, "<title>a</title><p>..."),
        *("<a>", "<a>a", "<p><a>a</a>", "<form>a", "<div class=nav>a", "<div class=nav>a</div>"),
    ],
)
def test_a_verdict_has_one_element_a_row(html: str, rows: RowKind, method: str) -> None:
    page, verdict = judge(html, method, rows)
    assert verdict.keep.shape == verdict.score.shape == (len(page.rows),)
    assert verdict.keep.dtype == np.bool_
    assert np.isfinite(verdict.score).all()


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
def test_rows_without_text_and_rows_below_zero_are_never_kept(method: str, rows: RowKind) -> None:
    page, verdict = judge(PAGE, method, rows)
    assert verdict.keep.any()
    assert not verdict.keep[page.rows.chars == 0].any()
    assert (verdict.score[verdict.keep] >= 0).all()


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
def test_the_verdict_is_the_same_every_time(method: str, rows: RowKind) -> None:
    (_, first), (_, second) = (judge(PAGE, method, rows) for _ in range(2))
    assert first.keep.tolist() == second.keep.tolist()
    assert first.score.tolist() == second.score.tolist()
