"""The crawl report in a real browser, and the screenshots of the documentation."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.survey import Survey
from testkit.browser import Window
from testkit.report_pages import HOSTILE

DOCS = Path(__file__).parents[2] / "docs"


def test_crawl_report_leads_to_the_page_reports_of_suspects(window: Window, tmp_path: Path) -> None:
    survey, options = Survey(), make_options({})
    for number in range(40):
        html = f"<title>{HOSTILE}</title>" + "<p>It rained all day. " * 20 if number else ""
        url = f'https://x.example/{number}?"><script>window.harm = 1</script>'
        survey.add(extract(html, url=url), html, options=options)
    file = tmp_path / "crawl.html"
    write_crawl_report(survey, file, title="Crawl of <script>window.harm = 2</script>")

    def act(page: Page) -> str:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("#plot-pages circle").count() == 39
        assert page.locator("#suspects tbody tr").count() == len(survey.suspects()) > 0
        assert page.evaluate("typeof window.harm") == "undefined"
        return page.get_attribute("#suspects .why", "href") or ""

    address = window.show(file, act, width=360, dark=True)
    assert address == "crawl-pages/1.html"
    assert window.show(tmp_path / address, lambda page: page.inner_text(".url")).startswith(
        "https://x.example/"
    )


@pytest.mark.slow
def test_screenshots_of_the_documentation_can_be_taken(window: Window, tmp_path: Path) -> None:
    subprocess.run(  # noqa: S603
        [sys.executable, DOCS / "screenshots.py", tmp_path], check=True, timeout=60
    )
    taken = {file.name: png_size(file) for file in tmp_path.glob("*.png")}
    assert taken == {file.name: png_size(file) for file in (DOCS / "images").glob("*.png")}


def png_size(file: Path) -> tuple[int, int]:
    """Read width and height, which have the same offset in every PNG."""
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height
