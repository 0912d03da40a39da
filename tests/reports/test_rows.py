"""The text of each row of a page, and the element it begins in."""

from pathlib import Path

import pytest

from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.output.text import write_text
from scrapy_cetr.reports.rows import row_elements, row_texts
from testkit.hostile import TRAPS
from testkit.invariants import without_markers

SITE = Path(__file__).parents[2] / "example_project/site"
PAGES = sorted(SITE.glob("news/*.html"))


def test_row_texts_together_are_the_text_of_the_page() -> None:
    for file in PAGES:
        page = read(file.read_text(encoding="utf-8"), rows="blocks")
        everything = without_markers(write_text(page, page.rows.chars > 0))
        rows = without_markers(" ".join(row_texts(page, longest=10**6)))
        assert rows.split() == everything.split()


def test_row_texts_are_cut_to_the_longest_length() -> None:
    page = read(f"<p>{'word ' * 1000}<br>more<p>{'x' * 50}", rows="blocks")
    texts = row_texts(page, longest=12)
    assert texts == ["word word wo…", "xxxxxxxxxxxx…"]
    assert row_texts(page, longest=12, count=1) == texts[:1]


def test_row_elements_name_the_element_that_the_text_begins_in() -> None:
    html = "<div><h1>A</h1><p>B<b>C</b></p>D<ul><li>E<li>F</ul></div>"
    page = read(html, rows="blocks")
    named = [
        (element, text)
        for element, text in zip(row_elements(page), row_texts(page, longest=9), strict=True)
        if text
    ]
    assert named == [("h1", "A"), ("p", "BC"), ("", "D"), ("li", "E"), ("li", "F")]


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("trap", TRAPS)
def test_hostile_page_has_one_text_and_one_element_per_row(trap: str, rows: RowKind) -> None:
    page = read(TRAPS[trap](5_000), rows=rows)
    assert len(row_texts(page, longest=100)) == len(row_elements(page)) == len(page.rows)
