"""Corrections in the page report: marks, the proposed rule, what it changes, and what is copied."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scrapy_cetr.extraction.article import extract
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import SiteRules
from scrapy_cetr.reports.explanation import explain
from testkit.browser import Window
from testkit.report_pages import write
from testkit.site_pages import BOX, STORIES, story_page, write_site
from tests.commands.test_cetr_command import call

URL = "https://www.courier.example/harbour.html"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Write the report of a page on which a box of related texts is kept."""
    explained = explain(story_page("harbour"), url=URL, options=Options())
    assert all(text in explained.article.text for text in BOX)
    return write(tmp_path, explained)


def row_of(page: Page, text: str) -> str:
    """Return the id of the row with some text."""
    found: str = page.locator("#rows > li", has_text=text).first.get_attribute("id") or ""
    return found


def rule_in(page: Page) -> dict[str, Any]:
    return tomllib.loads(page.inner_text("#rule"))


def test_mark_by_mouse_proposes_a_rule_that_mends_other_pages_too(
    window: Window, report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "sites.toml"

    def act(page: Page) -> dict[str, Any]:
        assert page.locator("#corrections").is_hidden()
        for text in BOX:
            row = page.locator(f"#{row_of(page, text)}")
            row.hover()
            row.locator(".mark").click()
        assert page.inner_text("#marked") == "0 marked as belonging, 2 as not belonging"
        assert page.inner_text("#others") == "The rule changes no other row of this page."
        with page.expect_download() as download:
            page.locator("#download-rule").click()
        download.value.save_as(rules)
        return rule_in(page)

    rule = window.show(report, act)
    assert rule == {"courier.example": {"drop": ["div.box-text.more"]}}
    # The downloaded file is used as it is, on the marked page and on two others of the site.
    files = write_site(tmp_path / "site")
    assert len(files) == 3
    for file in files:
        expected = "\n\n".join(STORIES[file.stem])
        assert call(str(file)) == 0
        assert capsys.readouterr().out.strip() != expected
        assert call(str(file), "--sites", str(rules)) == 0
        assert capsys.readouterr().out.strip() == expected


def test_mark_by_key_and_undo(window: Window, report: Path) -> None:
    def act(page: Page) -> None:
        row = row_of(page, BOX[0])
        page.locator(f"#{row} .t").click()
        page.keyboard.press("m")
        assert "not-belongs" in (page.get_attribute(f"#{row}", "class") or "")
        assert page.locator("#corrections").is_visible()
        page.keyboard.press("m")
        assert "not-belongs" not in (page.get_attribute(f"#{row}", "class") or "")
        assert page.locator("#corrections").is_hidden()

    window.show(report, act)


def test_rule_names_the_other_rows_that_it_would_change(window: Window, report: Path) -> None:
    def act(page: Page) -> None:
        # The second text of the box stays, but nothing tells it from the first.
        page.locator(f"#{row_of(page, BOX[0])} .t").click()
        page.keyboard.press("m")
        other = row_of(page, BOX[1])
        assert page.inner_text("#others").startswith("The rule would change 1 other row: ")
        page.locator("#others button").click()
        assert page.evaluate("document.activeElement.id") == other
        assert "ruled" in (page.get_attribute(f"#{other}", "class") or "")

    window.show(report, act)


def test_dropped_headline_can_be_marked_as_belonging(window: Window, report: Path) -> None:
    def act(page: Page) -> dict[str, Any]:
        page.locator("#rows > li:has-text('The harbour') .t").first.click()
        page.keyboard.press("m")
        return rule_in(page)

    rule = window.show(report, act)
    assert rule == {"courier.example": {"keep": ["h1.head"]}}
    found = extract(story_page("bridge"), url=URL, sites=SiteRules(rule))
    assert found.text.startswith("The bridge\n\n")


def test_gold_line_has_the_page_and_the_corrected_text(
    window: Window, report: Path, tmp_path: Path
) -> None:
    def act(page: Page) -> None:
        for text in BOX:
            page.locator(f"#{row_of(page, text)} .t").click()
            page.keyboard.press("m")
        for button, name in (("download-gold", "gold.jsonl"), ("download-rule", "sites.toml")):
            with page.expect_download() as download:
                page.locator(f"#{button}").click()
            assert download.value.suggested_filename == name
            download.value.save_as(tmp_path / name)

    window.show(report, act)
    gold = json.loads((tmp_path / "gold.jsonl").read_text("utf-8"))
    assert gold == {
        "url": URL,
        "html": story_page("harbour"),
        "text": "\n\n".join(STORIES["harbour"]),
    }
    assert "courier.example" in tomllib.loads((tmp_path / "sites.toml").read_text("utf-8"))


def test_clear_takes_all_marks_back(window: Window, report: Path) -> None:
    def act(page: Page) -> None:
        page.locator(f"#{row_of(page, BOX[0])} .t").click()
        page.keyboard.press("m")
        page.locator("#clear-marks").click()
        assert page.locator("#corrections").is_hidden()
        assert page.locator(".not-belongs").count() == 0

    window.show(report, act)


def test_hostile_class_names_are_escaped(window: Window, tmp_path: Path) -> None:
    html = (
        "<body>"
        + "<p>It rained all day, and the river rose by a metre in one night.</p>" * 2
        + "<div class='a:b x&quot;]{} &lt;/script&gt;'><p>A text that is long enough to be kept,"
        " in a box whose class names are hostile to a selector.</p></div>"
    )
    file = write(tmp_path, explain(html, url="https://x.example/", options=Options()))

    def act(page: Page) -> dict[str, Any]:
        page.locator(f"#{row_of(page, 'hostile')} .t").click()
        page.keyboard.press("m")
        return rule_in(page)

    rule = window.show(file, act)
    (values,) = rule.values()
    ((use, _),) = values.items()
    found = extract(html, url="https://x.example/", sites=SiteRules(rule)).text
    assert ("hostile" in found) == (use == "keep")
