"""``meta["cetr"]``: options of the extraction for one request."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import extract
from testkit.server import DOUBTFUL, TEXT, Reply, Site, crawl, spider_of


def requesting(url: str, requested: object) -> type[Spider]:
    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield Request(url, meta={"cetr": requested})

    return spider_of(start=start)


@deferred_f_from_coro_f
async def test_meta_false_skips_the_page(site: Site) -> None:
    url = site.add("/1")
    crawled = await crawl(requesting(url, False))
    assert crawled.items == [{"url": url}]
    assert crawled.cetr("pages", "items") == (None, None)
    assert crawled.cetr("skipped/meta") == (1,)


@pytest.mark.parametrize("requested", [True, None, {}])
@deferred_f_from_coro_f
async def test_meta_without_options_extracts_the_page(site: Site, requested: object) -> None:
    crawled = await crawl(requesting(site.add("/1"), requested))
    assert crawled.items[0]["article_text"] == TEXT


@deferred_f_from_coro_f
async def test_meta_overrides_options_of_the_crawl(site: Site) -> None:
    other = {"method": "cetr-km", "min_words": 100_000}
    crawled = await crawl(
        requesting(site.add("/1"), other), CETR_FIELDS={"how": "method", "short": "short"}
    )
    assert crawled.items[0]["how"] == "cetr-km"
    assert crawled.items[0]["short"] is True


@deferred_f_from_coro_f
async def test_meta_threshold_decides_how_probable_rows_are(site: Site) -> None:
    url = site.add("/1", Reply(DOUBTFUL.encode()))
    texts = []
    for threshold in (0.01, 0.99):
        crawled = await crawl(requesting(url, {"threshold": threshold}))
        texts.append(crawled.items[0]["article_text"])
    assert texts == [extract(DOUBTFUL, threshold=threshold).text for threshold in (0.01, 0.99)]
    assert len(texts[0]) > len(texts[1])


@pytest.mark.parametrize(
    ("requested", "message"),
    [
        ("no", "must be a boolean or a dict"),
        (0, "must be a boolean or a dict"),
        (["cetr"], "must be a boolean or a dict"),
        ({"methods": "cetr"}, "unknown option 'methods'"),
        ({1: 2}, "unknown option 1"),
        ({"method": "magic"}, "method must be 'learned', 'cetr'"),
        ({"threshold": 50}, "threshold must be a number from 0.01 to 0.99"),
        ({"k": "3"}, "k must be a whole number"),
        ({"k": 10**400}, "k must be a whole number"),
    ],
)
@deferred_f_from_coro_f
async def test_invalid_meta_is_logged_and_ignored(
    site: Site, requested: object, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = site.add("/1")
    crawled = await crawl(requesting(url, requested))
    assert crawled.items == [{"url": url, "article_text": TEXT}]
    (error,) = (record for record in caplog.records if record.levelno >= logging.ERROR)
    assert error.getMessage().startswith(f"Ignored meta['cetr'] of the request for {url}: ")
    assert message in error.getMessage()
    assert crawled.cetr("pages", "errors", "errors/meta") == (1, 1, 1)
