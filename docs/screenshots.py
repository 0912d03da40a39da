"""Take the pictures of the reports that the documents show: ``make screenshots``.

They go to docs/images, or to a folder that is named.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from scrapy_cetr.extraction import Options, extract
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.survey import Survey

DOCS = Path(__file__).parent
SITE = DOCS.parent / "example_project" / "site"
STORY = SITE / "news" / "harbour-bridge.html"
ADDRESS = "https://courier.example"
CHROMIUM = "/usr/bin/chromium"


@dataclass(frozen=True, kw_only=True)
class Shot:
    """A picture: of which report, how large, and what was done before it."""

    name: str
    report: str
    width: int = 1400
    height: int = 900
    dark: bool = False
    action: str = ""


SHOTS = (
    Shot(name="report", report="page.html", action="toRow(57)"),
    Shot(
        name="report-dark",
        report="cetr.html",
        dark=True,
        action="sliders.sigma.value = 2; recompute(); toRow(75)",
    ),
    Shot(name="report-phone", report="page.html", width=390, height=844, action="toRow(57)"),
    Shot(name="crawl-report", report="crawl.html", width=1280, height=840),
)


def main(images: Path) -> int:
    """Write the reports of the bundled site, and take their pictures."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_reports(Path(folder))
        program = CHROMIUM if Path(CHROMIUM).exists() else None
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for shot in SHOTS:
            take(browser, shot, Path(folder), images / f"{shot.name}.png")
        browser.close()
    return 0


def write_reports(folder: Path) -> None:
    """Write the report of one page and that of all."""
    options, survey = Options(), Survey()
    for name, method in (("page", "learned"), ("cetr", "cetr")):
        chosen = Options(method=method)
        explained = explain(STORY.read_bytes(), url=_address(STORY), options=chosen)
        (folder / f"{name}.html").write_text(page_report(explained), encoding="utf-8")
    for file in sorted(SITE.rglob("*.html")):
        html = decode(file.read_bytes())
        survey.add(extract(html, url=_address(file)), html, options=options)
    write_crawl_report(survey, folder / "crawl.html", title="Crawl of courier.example")


def _address(file: Path) -> str:
    return f"{ADDRESS}/{file.relative_to(SITE)}"


def take(browser: Browser, shot: Shot, folder: Path, target: Path) -> None:
    """Take a picture of a report."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
    )
    page.goto((folder / shot.report).as_uri())
    if shot.action:
        page.evaluate(f"() => {{ {shot.action}; }}")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    target.parent.mkdir(exist_ok=True)
    page.screenshot(path=target)
    page.close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "images"))
