"""The layout of a stamped page in its report, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from scrapy_cetr.extraction.options import Options
from scrapy_cetr.reports.explanation import Explanation, explain
from scrapy_cetr.reports.layout import layout_columns, layout_data
from testkit.browser import Window
from testkit.layouts import newspaper
from testkit.report_pages import focused, write
from testkit.server import page as plain_page


def explained(method: str = "clg") -> Explanation:
    return explain(newspaper(), url=None, options=Options(method=method))


def test_boxes_of_rows_are_those_of_the_browser() -> None:
    of = explained()
    data = layout_data(of.page, of.verdict, len(of.page.rows))
    assert data is not None
    assert (data["width"], data["height"]) == (1000, 1000)
    boxes = {row: box for row, *box in data["rows"]}
    first = next(row for row, text in enumerate(of.page.rows.start) if of.keep[row])
    assert boxes[first] in ([250, 90, 600, 40], [250, 150, 600, 40])
    assert len(boxes) == int((of.page.rows.chars > 0).sum())
    columns = layout_columns(of.page, len(of.page.rows))
    assert columns["left"][first] == 250
    assert columns["width"][first] == 600
    assert columns["font size"][first] in (10, 16)


def test_page_without_stamps_has_no_layout() -> None:
    of = explain(plain_page(), url=None, options=Options())
    assert layout_data(of.page, of.verdict, 99) is None
    assert layout_columns(of.page, 99) == {}


def test_report_draws_rows_candidates_and_the_selection(window: Window, tmp_path: Path) -> None:
    of = explained()

    def act(page: Page) -> None:
        assert page.locator("#layout .row.kept").count() == int(of.keep.sum())
        assert page.locator("#layout .candidate.best").count() >= 1
        assert page.locator("#layout rect.selected").count() == len(of.verdict.trace["selected"])
        # To scale: 600 of 1,000 pixels.
        whole, box = (
            page.locator(f"#layout {name}").last.bounding_box() for name in (".sheet", ".row.kept")
        )
        assert whole is not None
        assert box is not None
        assert abs(box["width"] / whole["width"] - 0.6) < 0.02

    window.show(write(tmp_path, of), act)


def test_box_and_row_lead_to_each_other(window: Window, tmp_path: Path) -> None:
    of = explained("learned")

    def act(page: Page) -> None:
        page.locator("#layout .row.kept").nth(2).click()
        row = focused(page)
        assert "picked" in (page.get_attribute(f"#{row}", "class") or "")
        assert page.locator("#layout .row.picked").count() == 1
        page.locator("#rows .dropped").first.click()
        assert "dropped" in (page.get_attribute("#layout .picked", "class") or "")
        assert page.locator("#layout .candidate").count() == 0

    window.show(write(tmp_path, of), act)
