"""CETR_HTML_FIELD: items that carry the HTML of their page."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from testkit.server import TEXT, Crawled, Site, crawl, page, spider_of


async def crawl_start(*items: Any, **settings: Any) -> Crawled:
    async def start(spider: Spider) -> AsyncIterator[Any]:
        for item in items:
            yield item

    return await crawl(spider_of(start=start), **settings)


@pytest.mark.parametrize("html", [page().decode(), page()])
@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_html_of_an_item_is_extracted(
    html: str | bytes, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The interval at which Scrapy checks whether a spider with start items is idle.
    monkeypatch.setattr(ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", 0.1)
    item = {"url": "http://example.com", "html": html}
    settings = {"CETR_HTML_FIELD": "html", "CETR_WORKERS": workers}
    crawled = await crawl_start(item, **settings, CETR_FIELDS={"text": "text", "of": "url"})
    assert crawled.items == [{**item, "text": TEXT, "of": "http://example.com"}]
    assert crawled.cetr("pages", "items") == (1, 1)


@pytest.mark.parametrize("html", [None, "", b"", 5, ["<p>"]])
@deferred_f_from_coro_f
async def test_item_without_html_is_unchanged(html: object) -> None:
    crawled = await crawl_start({"html": html}, {"n": 1}, CETR_HTML_FIELD="html")
    assert crawled.items == [{"html": html}, {"n": 1}]
    assert crawled.cetr("pages") == (None,)


@deferred_f_from_coro_f
async def test_html_of_an_item_is_ignored_without_cetr_html_field() -> None:
    crawled = await crawl_start({"html": page()})
    assert crawled.items == [{"html": page()}]


@pytest.mark.parametrize("url", [None, 5, ["http://example.com"]])
@deferred_f_from_coro_f
async def test_html_of_an_item_is_extracted_whatever_its_url_is(url: object) -> None:
    crawled = await crawl_start({"url": url, "html": page()}, CETR_HTML_FIELD="html")
    assert crawled.items[0]["article_text"] == TEXT


@deferred_f_from_coro_f
async def test_html_of_an_item_is_ignored_if_its_page_has_an_article(site: Site) -> None:
    def parse(response: Response) -> Any:
        yield {"html": "<p>something else</p>"}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse), CETR_HTML_FIELD="html")
    assert crawled.items[0]["article_text"] == TEXT
    assert crawled.cetr("pages") == (1,)


@deferred_f_from_coro_f
async def test_extraction_error_in_the_html_of_an_item_keeps_the_item(
    failing_extraction: None, caplog: pytest.LogCaptureFixture
) -> None:
    item = {"url": "http://example.com", "html": page()}
    crawled = await crawl_start(dict(item), CETR_HTML_FIELD="html")
    assert crawled.items == [{**item, "article_text": ""}]
    logged = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    assert logged == ["Cannot extract http://example.com: too deep"]
    assert crawled.cetr("errors") == (1,)
