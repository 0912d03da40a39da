"""A judged page: what extract() does, with everything that it forgets."""

from pathlib import Path

import numpy as np
import pytest

from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.analysis import judge, row_elements, row_texts
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.extraction.output.text import render_text
from testkit.hostile import TRAPS

SITE = Path(__file__).parents[2] / "example_project/site"
PAGES = sorted(SITE.glob("news/*.html"))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_the_kept_rows_make_the_text_of_the_article(file: Path, method: str) -> None:
    html = file.read_bytes()
    judged = judge(html, url="https://x.example", options=make_options({"method": method}))
    assert judged.article == extract(html, url="https://x.example", method=method)
    assert render_text(judged.page, judged.keep) == judged.article.text
    assert int(judged.page.words[judged.keep].sum()) == judged.article.words


def test_the_texts_of_the_rows_are_the_text_of_the_page() -> None:
    for file in PAGES:
        page = read(file.read_text(encoding="utf-8"), rows="blocks")
        everything = render_text(page, page.rows.chars > 0)
        assert " ".join(" ".join(row_texts(page, longest=10**6)).split()) == " ".join(
            everything.split()
        )


def test_a_row_is_cut_where_it_is_too_long() -> None:
    page = read(f"<p>{'word ' * 1000}<br>more<p>{'x' * 50}", rows="blocks")
    texts = row_texts(page, longest=12)
    assert texts == ["word word wo…", "xxxxxxxxxxxx…"]
    assert row_texts(page, longest=12, count=1) == texts[:1]


def test_rows_are_named_by_the_element_their_text_begins_in() -> None:
    html = "<div><h1>A</h1><p>B<b>C</b></p>D<ul><li>E<li>F</ul></div>"
    page = read(html, rows="blocks")
    named = [
        (element, text)
        for element, text in zip(row_elements(page), row_texts(page, longest=9), strict=True)
        if text
    ]
    assert named == [("h1", "A"), ("p", "BC"), ("", "D"), ("li", "E"), ("li", "F")]


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_as_many_texts_and_elements_as_rows(trap: str) -> None:
    for rows in ("blocks", "lines"):
        judged = judge(TRAPS[trap](5_000), url=None, options=make_options({"rows": rows}))
        count = len(judged.page.rows)
        texts = row_texts(judged.page, longest=100)
        assert len(texts) == len(row_elements(judged.page)) == len(judged.keep) == count
        by_cetr = judge(
            TRAPS[trap](5_000), url=None, options=make_options({"method": "cetr", "rows": rows})
        )
        assert by_cetr.cetr is by_cetr.verdict
        assert np.array_equal(judged.cetr.score, by_cetr.verdict.score)
