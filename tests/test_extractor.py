"""Extractor: one per crawl, its lifetime and its summary."""

import gc
import weakref
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import CetrDownloaderMiddleware, CetrPipeline, CetrSpiderMiddleware
from scrapy_cetr.extractor import Extractor, summary
from testkit.server import Site, crawl, spider_of


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
        ({}, "Extracted articles from 0 of 0 pages; removed 0% of 0 characters; 0 errors"),
        (
            {"cetr/pages": 2, "cetr/errors": 2},
            "Extracted articles from 0 of 2 pages; removed 0% of 0 characters; 2 errors",
        ),
        (
            {"cetr/pages": 1, "cetr/extracted": 1, "cetr/chars_in": 3, "cetr/chars_out": 3},
            "Extracted articles from 1 of 1 pages; removed 0% of 3 characters; 0 errors",
        ),
        (
            # Blank lines between short paragraphs can outweigh their tags.
            {"cetr/pages": 1, "cetr/extracted": 1, "cetr/chars_in": 3, "cetr/chars_out": 5},
            "Extracted articles from 1 of 1 pages; removed 0% of 3 characters; 0 errors",
        ),
    ],
)
def test_summary_is_one_line(stats: dict[str, Any], line: str) -> None:
    assert summary(stats) == line
