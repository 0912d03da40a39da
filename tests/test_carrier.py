"""Carrier: articles by response and by item, and how long they are kept."""

import gc
import weakref
from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import Article, CetrPipeline, CetrSpiderMiddleware, article, carrier, extract
from scrapy_cetr.carrier import Carrier, response_article, response_options, set_response_options
from scrapy_cetr.extraction import Options
from testkit.server import Site, crawl, ignore, page, spider_of

ARTICLE = Article(text="words", method="cetr")


# Articles of responses


def test_response_article_is_none_before_extraction() -> None:
    response = HtmlResponse("http://example.com", body=page())
    assert response_article(response) is None
    found = article(response)
    assert response_article(response) is found


def test_response_article_is_forgotten_with_its_response() -> None:
    response = HtmlResponse("http://example.com", body=page())
    article(response)
    gc.collect()  # those of other tests
    before = len(carrier._articles)
    del response
    gc.collect()
    assert len(carrier._articles) == before - 1


def test_response_options_are_the_defaults_without_a_crawl() -> None:
    response = HtmlResponse("http://example.com")
    assert response_options(response) == (Options(), None)
    set_response_options(response, Options(method="cetr"))
    assert response_options(response) == (Options(method="cetr"), None)


@deferred_f_from_coro_f
async def test_response_articles_and_options_are_all_forgotten_after_a_crawl(site: Site) -> None:
    urls = [site.add(f"/{n}") for n in range(5)]

    async def parse(spider: Spider, response: Response) -> AsyncIterator[Any]:
        yield {"url": response.url}
        yield None
        yield Request(f"{response.url}/more", callback=ignore)

    await crawl(type("S", (spider_of(*urls),), {"parse": parse}))
    gc.collect()
    assert not carrier._articles
    assert not carrier._options


# Articles of items


def test_carrier_is_shared_by_middleware_and_pipeline() -> None:
    crawler = Crawler(spider_of(), Settings())
    middleware = CetrSpiderMiddleware.from_crawler(crawler)
    before = middleware.carrier.has_pipeline
    pipeline = CetrPipeline.from_crawler(crawler)
    assert pipeline.carrier is middleware.carrier
    assert (before, middleware.carrier.has_pipeline) == (False, True)
    other = Crawler(spider_of(), Settings())
    assert Carrier.for_crawler(other) is not middleware.carrier


def test_carrier_unloads_an_article_once() -> None:
    loaded = Carrier()
    response, item = HtmlResponse("http://example.com"), {"n": 1}
    loaded.load(item, ARTICLE, response)
    assert loaded.unload({"n": 1}) is None
    assert loaded.unload(item) == ARTICLE
    assert loaded.unload(item) is None


def test_carrier_unloads_the_last_article_that_was_loaded_for_an_item() -> None:
    loaded = Carrier()
    pages = [HtmlResponse("http://example.com") for _ in range(2)]
    item = {"n": 1}
    other = extract("<p>other")
    loaded.load(item, ARTICLE, pages[0])
    loaded.load(item, other, pages[1])
    del pages[0]
    gc.collect()
    assert loaded.unload(item) == other
    assert not loaded._loads


def test_carrier_forgets_the_items_of_a_response_with_the_response() -> None:
    loaded = Carrier()
    response = HtmlResponse("http://example.com")
    for n in range(10):
        loaded.load({"n": n}, ARTICLE, response)
    assert len(loaded._loads) == 10
    gone = weakref.ref(response)
    del response
    gc.collect()
    assert gone() is None
    assert not loaded._loads
    assert not loaded._ids
