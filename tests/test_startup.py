"""Invalid settings end a crawl before it starts; settings without effect are warned of."""

import logging
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr.extractor import Extractor
from scrapy_cetr.startup import SettingsError
from testkit.processes import DEADLINE
from testkit.server import Site, crawl, spider_of

ADDON = {"ADDONS": {"scrapy_cetr.Addon": 500}}
PIPELINE = {"ITEM_PIPELINES": {"scrapy_cetr.CetrPipeline": 50}}
LINE = "scrapy-cetr: CETR_K must be a whole number from 2 to 100, not 1\n"
SPIDER = """\
import scrapy

class PageSpider(scrapy.Spider):
    name = "pages"
    start_urls = [{url!r}]
    custom_settings = {own!r}

    def parse(self, response):
        yield {{"url": response.url}}
"""
SCRIPT = """\
import sys
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
from spider import PageSpider

process = {kind}({settings!r})
process.crawl(PageSpider)
process.start()
sys.exit(3 if process.bootstrap_failed else 0)
"""
COMMANDS = {"crawl": ("crawl", "pages"), "runspider": ("runspider", "spider.py")}
LOGS: dict[str, dict[str, Any]] = {
    "loud": {},
    "disabled": {"LOG_ENABLED": False},
    "critical": {"LOG_LEVEL": "CRITICAL"},
}
# Where the mistake is: in the settings of the spider, or of the project.
PLACES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "project": ({}, {**ADDON, "CETR_K": 1}),
    "spider": ({"CETR_K": 1}, ADDON),
    "addon-of-spider": ({**ADDON, "CETR_K": 1}, {}),
    "by-hand": ({"CETR_K": 1}, PIPELINE),
}


def combinations(*axes: Iterable[str], quick: Iterable[tuple[str, ...]]) -> list[Any]:
    """Combine all values. Each test starts processes, so all but a few are left to the slow."""
    chosen = set(quick)
    return [
        pytest.param(*values, marks=() if values in chosen else pytest.mark.slow)
        for values in product(*axes)
    ]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


def make_project(folder: Path, *, url: str, own: dict[str, Any], **settings: Any) -> None:
    """Write a spider and a feed of an earlier crawl; ``own`` are the settings of the spider."""
    (folder / "spider.py").write_text(SPIDER.format(url=url, own=own))
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = project\n")
    lines = [f"{name} = {value!r}\n" for name, value in settings.items()]
    (folder / "project.py").write_text("".join((*lines, "SPIDER_MODULES = ['spider']\n")))
    (folder / "items.jsonl").write_text("of the last crawl")


@pytest.mark.parametrize(
    ("command", "log", "place"),
    combinations(
        COMMANDS,
        LOGS,
        PLACES,
        quick=[
            ("crawl", "loud", "project"),
            ("runspider", "disabled", "spider"),
            ("crawl", "disabled", "addon-of-spider"),
            ("runspider", "loud", "by-hand"),
        ],
    ),
)
def test_invalid_setting_ends_a_command_with_one_line_and_leaves_feeds(
    site: Site, tmp_path: Path, command: str, log: str, place: str
) -> None:
    (own, settings), quiet = PLACES[place], LOGS[log]
    make_project(tmp_path, url=site.add("/1"), own=own, **settings, **quiet)
    done = run(tmp_path, "-m", "scrapy", *COMMANDS[command], "-O", "items.jsonl")
    assert done.returncode == 1
    assert done.stderr.count("CETR_K must be") == 1
    assert LINE in done.stderr
    assert "Traceback" not in done.stderr
    if quiet:
        assert done.stderr == LINE
    assert (tmp_path / "items.jsonl").read_text() == "of the last crawl"
    assert site.hits == []


@pytest.mark.parametrize(
    ("kind", "log", "place"),
    combinations(
        ["CrawlerProcess", "AsyncCrawlerProcess"],
        LOGS,
        ["script", "spider"],
        quick=[
            ("CrawlerProcess", "loud", "spider"),
            ("AsyncCrawlerProcess", "disabled", "script"),
        ],
    ),
)
def test_invalid_setting_ends_a_script_and_leaves_feeds(
    site: Site, tmp_path: Path, kind: str, log: str, place: str
) -> None:
    mistake, is_own, quiet = {"CETR_K": 1}, place == "spider", LOGS[log]
    make_project(tmp_path, url=site.add("/1"), own=mistake if is_own else {})
    feeds = {"FEEDS": {"items.jsonl": {"format": "jsonlines", "overwrite": True}}}
    settings = {**ADDON, **feeds, **quiet, **({} if is_own else mistake)}
    (tmp_path / "script.py").write_text(SCRIPT.format(kind=kind, settings=settings))
    done = run(tmp_path, "script.py")
    assert done.returncode == (3 if is_own else 1)
    assert LINE in done.stderr
    if not is_own:
        assert done.stderr == LINE
    assert (tmp_path / "items.jsonl").read_text() == "of the last crawl"
    assert site.hits == []


def test_invalid_setting_is_in_the_log_file_too(site: Site, tmp_path: Path) -> None:
    make_project(tmp_path, url=site.add("/1"), own={**ADDON, "CETR_K": 1}, LOG_FILE="crawl.log")
    done = run(tmp_path, "-m", "scrapy", "crawl", "pages")
    assert (done.returncode, done.stderr) == (1, LINE)
    assert f"ERROR: {LINE}" in (tmp_path / "crawl.log").read_text()


def test_invalid_setting_can_be_caught_where_a_runner_is_made() -> None:
    with pytest.raises(ValueError, match="did you mean CETR_METHOD"):
        AsyncCrawlerRunner({**ADDON, "CETR_METHODS": "cetr"})
    AsyncCrawlerRunner({**ADDON, "CETR_METHODS": "cetr", "CETR_ENABLED": False})


def test_invalid_setting_in_one_crawl_does_not_end_another(site: Site, tmp_path: Path) -> None:
    make_project(tmp_path, url=site.add("/1"), own={})
    feeds = {"FEEDS": {"items.jsonl": {"format": "jsonlines", "overwrite": True}}}
    script = SCRIPT.format(kind="AsyncCrawlerProcess", settings={**ADDON, **feeds})
    bad = "type('Bad', (PageSpider,), {'custom_settings': {'CETR_K': 1, 'FEEDS': {}}})"
    script = script.replace("process.start()", f"process.crawl({bad})\nprocess.start()")
    (tmp_path / "script.py").write_text(script)
    done = run(tmp_path, "script.py")
    assert (done.returncode, done.stderr.count(LINE)) == (3, 1)
    assert "article_text" in (tmp_path / "items.jsonl").read_text()


def test_extractor_raises_for_an_invalid_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingsError, match="CETR_K must be"):
        Extractor.for_crawler(Crawler(spider_of(), Settings({"CETR_K": 1})))
    assert capsys.readouterr().err == LINE


@deferred_f_from_coro_f
async def test_setting_without_effect_is_warned_of_once(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    await crawl(spider_of(site.add("/1"), site.add("/2")), CETR_SHORT="drop")
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == [
        "CETR_SHORT has no effect: no article is short without CETR_MIN_WORDS"
    ]
