"""StartItemsWaiter: a spider stays open for start items that wait for workers, and then closes."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy import Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import CetrPipeline
from testkit.processes import Script
from testkit.server import TEXT, crawl, page, spider_of

ASYNCIO = {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"}
SELECT = {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"}
NONE = {"TWISTED_REACTOR_ENABLED": False}


@pytest.mark.parametrize(
    ("settings", "is_used"),
    [
        ({}, False),
        ({"CETR_HTML_FIELD": "html"}, False),
        ({"CETR_WORKERS": 1}, False),
        ({"CETR_WORKERS": 1, "CETR_HTML_FIELD": "html"}, True),
    ],
)
def test_waiter_is_used_only_where_items_wait_for_workers(
    settings: dict[str, Any], is_used: bool
) -> None:
    pipeline = CetrPipeline.from_crawler(Crawler(spider_of(), Settings(settings)))
    assert (pipeline._start_items_waiter is not None) is is_used


@pytest.mark.parametrize("html", [None, page()])
def test_process_item_does_not_wait_without_workers(html: bytes | None) -> None:
    crawler = Crawler(spider_of(), Settings({"CETR_HTML_FIELD": "html"}))
    crawler.stats = StatsCollector(crawler)
    coroutine = CetrPipeline.from_crawler(crawler).process_item({"html": html})
    with pytest.raises(StopIteration) as finished:
        coroutine.send(None)
    assert finished.value.value.get("article_text") == (TEXT if html else None)


@deferred_f_from_coro_f
async def test_start_items_that_hang_or_fail_do_not_keep_the_crawl_open(
    traps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", 0.1)

    async def start(spider: Spider) -> AsyncIterator[Any]:
        for marker in ("HANG", "DIE", ""):
            yield {"html": page(marker).decode()}

    settings: dict[str, Any] = {"CETR_HTML_FIELD": "html", "CETR_WORKERS": 2, "CETR_TIMEOUT": 1}
    crawled = await crawl(spider_of(start=start), **settings)
    assert sorted(item["article_text"] for item in crawled.items) == ["", "", TEXT]
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [(True, ASYNCIO), (False, SELECT), (True, NONE)],
    ids=["asyncio", "select", "reactorless"],
)
def test_start_items_are_all_stored(
    tmp_path: Path, runs_async: bool, reactor: dict[str, Any], workers: int
) -> None:
    items = [{"url": f"http://example.com/{n}", "html": page().decode()} for n in range(20)]
    settings = {"CETR_HTML_FIELD": "html", "CETR_WORKERS": workers, **reactor}
    with Script(tmp_path, *items, runs_async=runs_async, **settings) as script:
        stats = script.stats()
    assert {item["url"] for item in script.items} == {item["url"] for item in items}
    assert [item["article_text"] for item in script.items] == [TEXT] * 20
    assert stats["finish_reason"] == "finished"
    assert (stats["item_scraped_count"], stats["cetr/items"]) == (20, 20)
    assert "ERROR" not in script.log


@pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [(True, ASYNCIO), (False, SELECT), (True, NONE)],
    ids=["asyncio", "select", "reactorless"],
)
def test_start_items_are_all_stored_before_a_stopped_crawl_ends(
    tmp_path: Path, runs_async: bool, reactor: dict[str, Any]
) -> None:
    items = [{"html": page().decode()}] * 20
    settings = {"CETR_HTML_FIELD": "html", "CETR_WORKERS": 2, "CLOSESPIDER_ITEMCOUNT": 1, **reactor}
    with Script(tmp_path, *items, runs_async=runs_async, **settings) as script:
        assert script.stats()["finish_reason"] == "closespider_itemcount"
    # Older versions of Scrapy close the feeds without waiting for start items.
    if scrapy.version_info >= (2, 18):
        assert [item["article_text"] for item in script.items] == [TEXT] * 20
        assert "ERROR" not in script.log
