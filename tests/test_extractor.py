"""Extractor: one per crawl, errors, statistics and the summary."""

import gc
import logging
import weakref
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import CetrDownloaderMiddleware, CetrPipeline, CetrSpiderMiddleware
from scrapy_cetr.extractor import Extractor
from scrapy_cetr.summary import summary
from testkit.article_pages import INDEX, article_page
from testkit.server import Reply, Site, crawl, ignore, page, spider_of


def test_extractor_is_shared_by_the_components_of_a_crawl() -> None:
    crawler = Crawler(spider_of(), Settings())
    components: list[Any] = [
        CetrDownloaderMiddleware.from_crawler(crawler),
        CetrSpiderMiddleware.from_crawler(crawler),
        CetrPipeline.from_crawler(crawler),
    ]
    shared = Extractor.for_crawler(crawler)
    assert all(component.extractor is shared for component in components)


@deferred_f_from_coro_f
async def test_extractor_is_not_shared_between_crawls(site: Site) -> None:
    first = await crawl(spider_of(site.add("/1")), CETR_FIELDS={"a": "text"})
    second = await crawl(spider_of(site.add("/1")), CETR_FIELDS={"b": "text"})
    assert [set(c.items[0]) for c in (first, second)] == [{"url", "a"}, {"url", "b"}]
    assert first.cetr("pages") == second.cetr("pages") == (1,)


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_extractor_does_not_keep_its_crawler_alive(site: Site, workers: int) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_WORKERS=workers)
    gone = weakref.ref(crawled.crawler)
    del crawled
    gc.collect()
    assert gone() is None


def test_extractor_is_not_configured_if_cetr_enabled_is_false() -> None:
    crawler = Crawler(spider_of(), Settings({"CETR_ENABLED": False}))
    with pytest.raises(NotConfigured, match="CETR_ENABLED is false"):
        Extractor.for_crawler(crawler)


@pytest.mark.parametrize(
    ("stats", "line"),
    [
        ({}, "Extracted 0 articles from 0 pages; removed 0% of 0 characters; 0 errors"),
        (
            {"cetr/pages": 2, "cetr/errors": 2},
            (
                "Extracted 0 articles from 2 pages (2 other pages);"
                " removed 0% of 0 characters; 2 errors"
            ),
        ),
        (
            {"cetr/pages": 1, "cetr/articles": 1, "cetr/chars_in": 3, "cetr/chars_out": 3},
            "Extracted 1 article from 1 page; removed 0% of 3 characters; 0 errors",
        ),
        (
            # Blank lines between short paragraphs can outweigh their tags.
            {"cetr/pages": 1, "cetr/articles": 1, "cetr/chars_in": 3, "cetr/chars_out": 5},
            "Extracted 1 article from 1 page; removed 0% of 3 characters; 0 errors",
        ),
    ],
)
def test_summary_is_one_line(stats: dict[str, Any], line: str) -> None:
    assert summary(stats) == line


# Errors


@pytest.mark.parametrize(
    "settings",
    [{}, {"DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}}],
)
@deferred_f_from_coro_f
async def test_extraction_error_loses_no_item(
    site: Site,
    failing_extraction: None,
    caplog: pytest.LogCaptureFixture,
    settings: dict[str, Any],
) -> None:
    urls = [site.add("/1"), site.add("/2")]

    def parse(response: Response) -> Any:
        yield {"url": response.url}
        yield {"url": response.url}

    crawled = await crawl(spider_of(*urls, parse=parse), **settings)
    assert sorted(item["url"] for item in crawled.items) == sorted(urls * 2)
    assert {item["article_text"] for item in crawled.items} == {""}
    assert crawled.cetr("pages", "errors", "errors/RecursionError") == (2, 2, 2)
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert sorted(record.getMessage() for record in errors) == [
        f"Cannot extract {url}: too deep" for url in sorted(urls)
    ]
    assert all(record.exc_info for record in errors)


# Statistics


@deferred_f_from_coro_f
async def test_statistics_and_summary_count_all_pages(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    urls = [
        site.add("/1"),
        site.add("/2", Reply(b"<script>1</script>")),
        site.add("/3", Reply(page() * 3)),
        site.add("/4", Reply(b"{}", type="application/json")),
    ]
    crawled = await crawl(
        spider_of(*urls, parse=ignore),
        CETR_MIN_WORDS=10,
        CETR_MAX_SIZE=len(page()) * 2,
    )
    names = ("pages", "extracted", "empty", "short", "truncated", "skipped/not_html", "errors")
    assert crawled.cetr(*names) == (3, 2, 1, 1, 1, 1, None)
    chars_in, chars_out, spent = crawled.cetr("chars_in", "chars_out", "milliseconds")
    assert 0 < chars_out < chars_in
    assert 0 < spent < 10_000
    removed = f"{round(100 * (1 - chars_out / chars_in))}% of {chars_in} characters"
    assert [r.getMessage() for r in caplog.records if r.name == "scrapy_cetr"] == [
        f"Extracted 1 article from 3 pages (2 other pages); removed {removed}; 0 errors"
    ]


@deferred_f_from_coro_f
async def test_summary_of_a_crawl_without_pages(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    await crawl(spider_of())
    assert [r.getMessage() for r in caplog.records if r.name == "scrapy_cetr"] == [
        "Extracted 0 articles from 0 pages; removed 0% of 0 characters; 0 errors"
    ]


@deferred_f_from_coro_f
async def test_summary_does_not_count_index_pages_as_articles(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    urls = [
        site.add("/story", Reply(article_page().encode())),
        site.add("/index", Reply(INDEX.encode())),
    ]
    crawled = await crawl(spider_of(*urls))
    assert crawled.cetr("pages", "extracted", "articles") == (2, 2, 1)
    assert "Extracted 1 article from 2 pages (1 other page); " in caplog.text
    kinds = [value for name, value in crawled.stats.items() if name.startswith("cetr/kind/")]
    assert (crawled.cetr("kind/article"), sum(kinds)) == ((1,), 2)
    crawled = await crawl(spider_of(*urls), CETR_METHOD="cetr")
    assert crawled.cetr("articles") == (2,)
    assert not [name for name in crawled.stats if name.startswith("cetr/kind")]


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_item_of_an_index_page_is_dropped_by_its_kind(site: Site, workers: int) -> None:
    urls = [
        site.add("/story", Reply(article_page().encode())),
        site.add("/index", Reply(INDEX.encode())),
    ]
    crawled = await crawl(spider_of(*urls), CETR_NOT_ARTICLE="drop", CETR_WORKERS=workers)
    assert [item["url"] for item in crawled.items] == [urls[0]]
    assert crawled.stats["item_dropped_count"] == 1
    kinds = [value for name, value in crawled.stats.items() if name.startswith("cetr/kind/")]
    assert (crawled.cetr("kind/article"), sum(kinds)) == ((1,), 2)


@deferred_f_from_coro_f
async def test_error_in_the_kind_does_not_cost_the_text(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_cetr.extraction.lazy.find_kind", lambda *_, **__: 1 / 0)
    url = site.add("/story", Reply(article_page().encode()))
    crawled = await crawl(spider_of(url))
    assert crawled.items[0]["article_text"]
    assert crawled.cetr("pages", "errors/ZeroDivisionError") == (1, 2)


def url_item(response: Response) -> Any:
    return {"url": response.url}


class WholeNumbers(StatsCollector):
    """A collector in the way of that of scrapy-redis: adds whole numbers, returns strings."""

    def inc_value(self, key: str, count: int = 1, start: int = 0, spider: Any = None) -> None:  # noqa: ARG002
        assert type(count) is int
        super().inc_value(key, count, start)

    def get_stats(self, spider: Any = None) -> Any:  # noqa: ARG002
        return {key.encode(): str(value).encode() for key, value in super().get_stats().items()}


class Broken(StatsCollector):
    """A collector that cannot be reached."""

    def inc_value(self, key: str, count: int = 1, start: int = 0, spider: Any = None) -> None:  # noqa: ARG002
        if key.startswith("cetr/"):
            raise ConnectionError("the server is gone")
        super().inc_value(key, count, start)

    def get_stats(self, spider: Any = None) -> Any:  # noqa: ARG002
        raise ConnectionError("the server is gone")


@deferred_f_from_coro_f
async def test_summary_reads_what_any_collector_returns(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crawled = await crawl(spider_of(site.add("/1"), parse=url_item), STATS_CLASS=WholeNumbers)
    assert len(crawled.items) == 1
    assert "Extracted 1 article from 1 page; removed" in caplog.text


@deferred_f_from_coro_f
async def test_collector_that_fails_costs_no_item(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    urls = [site.add(f"/{n}") for n in range(3)]
    crawled = await crawl(spider_of(*urls, parse=url_item), STATS_CLASS=Broken)
    assert len(crawled.items) == 3
    assert all(item["article_text"] for item in crawled.items)
    logged = [r.getMessage() for r in caplog.records if r.name == "scrapy_cetr"]
    assert logged == [
        "Statistics are incomplete: the server is gone",
        "Statistics cannot be read: the server is gone",
    ]
