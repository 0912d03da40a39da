"""What the components of one crawl share."""

import gc
import weakref
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import (
    Article,
    CetrDownloaderMiddleware,
    CetrPipeline,
    CetrSpiderMiddleware,
    extract,
)
from scrapy_cetr.extractor import Crawl, summary
from testkit.server import Site, crawl, spider_of


def crawl_of(**settings: Any) -> Crawl:
    crawler = Crawler(spider_of(), Settings(settings))
    return Crawl.of(crawler)


def crawl_with_pipeline() -> Crawl:
    return CetrPipeline.from_crawler(Crawler(spider_of(), Settings())).crawl


def test_components_of_one_crawl_share_it() -> None:
    crawler = Crawler(spider_of(), Settings())
    components: list[Any] = [
        CetrDownloaderMiddleware.from_crawler(crawler),
        CetrSpiderMiddleware.from_crawler(crawler),
        CetrPipeline.from_crawler(crawler),
    ]
    assert {id(component.crawl) for component in components} == {id(Crawl.of(crawler))}


@deferred_f_from_coro_f
async def test_crawls_do_not_share_anything(site: Site) -> None:
    first = await crawl(spider_of(site.add("/1")), CETR_FIELDS={"a": "text"})
    second = await crawl(spider_of(site.add("/1")), CETR_FIELDS={"b": "text"})
    assert [set(c.items[0]) for c in (first, second)] == [{"url", "a"}, {"url", "b"}]
    assert first.cetr("pages") == second.cetr("pages") == (1,)


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_nothing_of_a_crawl_is_kept_after_it(site: Site, workers: int) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_WORKERS=workers)
    gone = weakref.ref(crawled.crawler)
    del crawled
    gc.collect()
    assert gone() is None


def test_a_crawl_that_is_off_is_not_configured() -> None:
    with pytest.raises(NotConfigured, match="CETR_ENABLED is false"):
        crawl_of(CETR_ENABLED=False)


ARTICLE = Article(text="words", method="cetr")


def test_an_article_is_carried_once() -> None:
    shared = crawl_with_pipeline()
    response, item = HtmlResponse("http://example.com"), {"n": 1}
    shared.carry(item, ARTICLE, response)
    assert shared.unload({"n": 1}) is None
    assert shared.unload(item) == ARTICLE
    assert shared.unload(item) is None


def test_the_last_article_of_an_item_is_carried() -> None:
    shared = crawl_with_pipeline()
    pages = [HtmlResponse("http://example.com") for _ in range(2)]
    item = {"n": 1}
    other = extract("<p>other")
    shared.carry(item, ARTICLE, pages[0])
    shared.carry(item, other, pages[1])
    del pages[0]
    gc.collect()
    assert shared.unload(item) == other
    assert not shared._carried


def test_nothing_is_carried_where_no_pipeline_asks_for_it() -> None:
    shared = crawl_of()
    response, item = HtmlResponse("http://example.com"), {"n": 1}
    shared.carry(item, ARTICLE, response)
    assert shared.unload(item) is None
    assert not shared._carried
    assert not shared._ids


def test_what_is_carried_goes_with_the_response() -> None:
    shared = crawl_with_pipeline()
    response = HtmlResponse("http://example.com")
    for n in range(10):
        shared.carry({"n": n}, ARTICLE, response)
    assert len(shared._carried) == 10
    gone = weakref.ref(response)
    del response
    gc.collect()
    assert gone() is None
    assert not shared._carried
    assert not shared._ids


@pytest.mark.parametrize(
    ("stats", "line"),
    [
        ({}, "articles of 0 of 0 pages; 0 % of their 0 characters removed; 0 errors"),
        (
            {"cetr/pages": 2, "cetr/errors": 2},
            "articles of 0 of 2 pages; 0 % of their 0 characters removed; 2 errors",
        ),
        (
            {"cetr/pages": 1, "cetr/extracted": 1, "cetr/chars_in": 3, "cetr/chars_out": 3},
            "articles of 1 of 1 pages; 0 % of their 3 characters removed; 0 errors",
        ),
        (
            # Blank lines between short paragraphs can outweigh their tags.
            {"cetr/pages": 1, "cetr/extracted": 1, "cetr/chars_in": 3, "cetr/chars_out": 5},
            "articles of 1 of 1 pages; 0 % of their 3 characters removed; 0 errors",
        ),
    ],
)
def test_the_summary_is_one_line(stats: dict[str, Any], line: str) -> None:
    assert summary(stats) == line
