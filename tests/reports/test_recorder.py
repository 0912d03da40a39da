"""CrawlReporter: CETR_REPORT writes a report after a crawl, and never disturbs the crawl."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr.reports.recorder import STATE, CrawlReporter
from scrapy_cetr.reports.survey import Survey
from testkit.server import Reply, Site, crawl, page, spider_of


def pages_of(site: Site) -> list[str]:
    """Serve ten articles and an empty page."""
    good = [site.add(f"/{number}", Reply(page("It rained. " * 20))) for number in range(10)]
    return [*good, site.add("/empty", Reply(b"<html><title>Nothing</title><body></body>"))]


def figures(file: Path) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_report_counts_all_pages_of_a_crawl(site: Site, tmp_path: Path, workers: int) -> None:
    file = tmp_path / "new" / "report.html"
    crawled = await crawl(spider_of(*pages_of(site)), CETR_REPORT=str(file), CETR_WORKERS=workers)
    assert len(crawled.items) == 11
    shown = figures(file)
    assert (shown["pages"], shown["empty"], shown["to inspect"]) == ("11", "1", "1")
    html = file.read_text(encoding="utf-8")
    assert "Crawl of pages" in html
    assert f"{site.url}/empty" in html
    assert "Nothing on this page was kept." in (tmp_path / "new/report-pages/1.html").read_text()


@deferred_f_from_coro_f
async def test_no_page_is_surveyed_without_cetr_report(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    added: list[object] = []
    monkeypatch.setattr(Survey, "add", lambda *args, **options: added.append((args, options)))
    await crawl(spider_of(*pages_of(site)))
    assert added == []
    assert list(tmp_path.iterdir()) == []


@deferred_f_from_coro_f
async def test_crawl_without_pages_does_not_overwrite_the_last_report(
    site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    file.write_text("of the last crawl")
    url = site.add("/x.json", Reply(b"{}", type="application/json"))
    await crawl(spider_of(url), CETR_REPORT=str(file))
    assert file.read_text() == "of the last crawl"


@deferred_f_from_coro_f
async def test_report_after_a_resume_covers_the_whole_crawl(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    settings: dict[str, Any] = {"CETR_REPORT": str(file), "JOBDIR": str(tmp_path / "job")}
    first = site.add("/first", Reply(page("It rained. " * 20))), site.add("/short", Reply(b"<p>x"))
    await crawl(spider_of(*first), **settings)
    await crawl(spider_of(*pages_of(site)), **settings)
    shown = figures(file)
    assert (shown["pages"], shown["empty"], shown["to inspect"]) == ("13", "1", "2")
    html = file.read_text(encoding="utf-8")
    assert f"{site.url}/short" in html
    assert html.count('class="why"') == 2


@pytest.mark.parametrize("damage", [b"", b"no gzip", None])
@deferred_f_from_coro_f
async def test_damaged_state_of_a_report_is_ignored_with_a_warning(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes | None
) -> None:
    settings: dict[str, Any] = {
        "CETR_REPORT": str(tmp_path / "report.html"),
        "JOBDIR": str(tmp_path / "job"),
    }
    await crawl(spider_of(site.add("/first")), **settings)
    state = tmp_path / "job" / STATE
    # None cuts the file.
    state.write_bytes(state.read_bytes()[:-20] if damage is None else damage)
    await crawl(spider_of(*pages_of(site)), **settings)
    assert f"The report starts again: cannot read {state}" in caplog.text
    assert figures(tmp_path / "report.html")["pages"] == "11"


@deferred_f_from_coro_f
async def test_report_includes_a_page_that_failed(site: Site, tmp_path: Path, traps: str) -> None:
    file = tmp_path / "report.html"
    url = site.add("/failing", Reply(page("FAIL")))
    crawled = await crawl(spider_of(url), CETR_REPORT=str(file), CETR_WORKERS=1)
    assert len(crawled.items) == 1
    assert figures(file)["failed"] == "1"
    assert "could not be extracted" in file.read_text(encoding="utf-8")
    assert not (tmp_path / "report-pages").exists()


@deferred_f_from_coro_f
async def test_report_that_cannot_be_written_is_only_logged(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "report.html"
    crawled = await crawl(spider_of(*pages_of(site)), CETR_REPORT=str(target))
    assert len(crawled.items) == 11
    assert crawled.stats["finish_reason"] == "finished"
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage().startswith(f"Cannot write the report to {target}: ")
    assert record.exc_info is None


@deferred_f_from_coro_f
async def test_error_in_the_survey_loses_no_item(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise ZeroDivisionError("a survey that fails")

    monkeypatch.setattr(Survey, "add", fail)
    crawled = await crawl(spider_of(*pages_of(site)), CETR_REPORT=str(tmp_path / "report.html"))
    assert all("article_text" in item for item in crawled.items)
    messages = [record.getMessage() for record in caplog.records if record.name == "scrapy_cetr"]
    assert f"The report does not include {site.url}/0: a survey that fails" in messages


def test_error_in_the_report_is_only_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reporter = CrawlReporter(tmp_path / "report.html")
    reporter._survey.total.pages = 1
    reporter._survey.chars_in = "many"  # type: ignore[assignment]
    reporter.write("news")
    assert f"Cannot write the report to {tmp_path / 'report.html'}: " in caplog.text
    assert caplog.records[-1].exc_info


def test_reports_are_imported_only_if_cetr_report_is_set() -> None:
    code = (
        "import sys\n"
        "from scrapy.crawler import Crawler\n"
        "from scrapy.settings import Settings\n"
        "from scrapy.spiders import Spider\n"
        "import scrapy_cetr\n"
        "for settings in ({}, {'CETR_REPORT': 'report.html'}):\n"
        "    crawler = Crawler(Spider, Settings(settings))\n"
        "    scrapy_cetr.CetrDownloaderMiddleware.from_crawler(crawler)\n"
        "    scrapy_cetr.CetrSpiderMiddleware.from_crawler(crawler)\n"
        "    scrapy_cetr.CetrPipeline.from_crawler(crawler)\n"
        "    print('scrapy_cetr.reports' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["False", "True"]
