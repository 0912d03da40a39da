"""CetrSpiderMiddleware: which items get the article of a response."""

import gc
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

import scrapy_cetr
from scrapy_cetr import carrier, extract
from scrapy_cetr.carrier import Carrier
from scrapy_cetr.extraction import Article, article
from testkit.server import TEXT, Crawled, Reply, Site, crawl, page, spider_of


def loaded_items(crawled: Crawled) -> int:
    gc.collect()
    return len(Carrier.for_crawler(crawled.crawler)._loads)


class Dropping:
    def process_item(self, item: Any) -> Any:  # noqa: ARG002
        raise DropItem("not wanted")


class Copying:
    def process_item(self, item: Any) -> Any:
        return dict(item)


def before(pipeline: type) -> dict[Any, Any]:
    return {pipeline: 1}


def after(pipeline: type) -> dict[Any, Any]:
    return {pipeline: 300}


@deferred_f_from_coro_f
async def test_item_gets_the_article_of_its_own_page(site: Site) -> None:
    urls = [site.add(f"/{n}", Reply(page(f"This was page number {n} of all."))) for n in range(30)]

    def parse(response: Response) -> Any:
        for _ in range(3):
            yield {"n": response.url.rpartition("/")[2]}

    crawled = await crawl(spider_of(*urls, parse=parse))
    assert len(crawled.items) == 90
    for item in crawled.items:
        assert f"page number {item['n']} of all" in item["article_text"]
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_thousands_of_items_of_a_page_get_its_article(site: Site) -> None:
    def parse(response: Response) -> Any:
        for n in range(3000):
            yield {"n": n}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse), LOG_LEVEL="WARNING")
    assert [item["n"] for item in crawled.items] == list(range(3000))
    assert {item["article_text"] for item in crawled.items} == {TEXT}
    assert crawled.cetr("pages", "items") == (1, 3000)
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_items_of_an_asynchronous_callback_get_the_article(site: Site) -> None:
    async def parse(response: Response) -> AsyncIterator[Any]:
        yield {"n": 1}
        yield {"n": 2}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse))
    assert crawled.items == [{"n": n, "article_text": TEXT} for n in (1, 2)]


@deferred_f_from_coro_f
async def test_item_that_is_yielded_twice_is_stored_twice(site: Site) -> None:
    def parse(response: Response) -> Any:
        item = {"url": response.url}
        yield item
        yield item

    crawled = await crawl(spider_of(site.add("/1"), parse=parse))
    assert crawled.items == [{"url": f"{site.url}/1", "article_text": TEXT}] * 2
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_item_of_two_pages_keeps_the_first_article(site: Site) -> None:
    second = site.add("/2")

    async def parse(spider: Any, response: Response) -> AsyncIterator[Any]:
        item = {"first": response.url}
        yield item
        yield Request(second, spider.parse_more, cb_kwargs={"item": item})

    def parse_more(spider: Any, response: Response, item: Any) -> Any:
        item["second"] = response.url
        yield item

    body = {"parse": parse, "parse_more": parse_more}
    crawled = await crawl(type("S", (spider_of(site.add("/1")),), body))
    assert len(crawled.items) == 2
    assert crawled.items[0]["article_text"] == TEXT
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_none_and_requests_pass_the_spider_middleware(site: Site) -> None:
    second = site.add("/2")

    async def parse(spider: Any, response: Response) -> AsyncIterator[Any]:
        yield None
        yield Request(second, callback=spider.parse_more)
        yield None

    def parse_more(spider: Any, response: Response) -> Any:
        yield {"url": response.url}

    body = {"parse": parse, "parse_more": parse_more}
    crawled = await crawl(type("S", (spider_of(site.add("/1")),), body))
    assert crawled.items == [{"url": second, "article_text": TEXT}]
    assert loaded_items(crawled) == 0


@pytest.mark.parametrize("thing", ["text", 5, ("a", "tuple"), ["list"]])
@deferred_f_from_coro_f
async def test_objects_that_are_no_items_pass_the_spider_middleware(
    site: Site, thing: object
) -> None:
    def parse(response: Response) -> Any:
        yield thing
        yield {"url": response.url}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse))
    assert crawled.items == [thing, {"url": f"{site.url}/1", "article_text": TEXT}]
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_start_item_has_no_article(site: Site) -> None:
    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield {"n": 1}
        yield Request(site.add("/1"))

    crawled = await crawl(spider_of(start=start))
    assert {"n": 1} in crawled.items
    assert {"url": f"{site.url}/1", "article_text": TEXT} in crawled.items


@deferred_f_from_coro_f
async def test_article_of_an_item_that_an_earlier_pipeline_drops_is_forgotten(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    # A captured log record would keep the exception, and thereby the response, alive.
    caplog.set_level(logging.ERROR, "scrapy.core.scraper")
    crawled = await crawl(spider_of(site.add("/1")), ITEM_PIPELINES=before(Dropping))
    assert crawled.dropped == [{"url": f"{site.url}/1"}]
    assert loaded_items(crawled) == 0
    assert not carrier._articles


@deferred_f_from_coro_f
async def test_article_of_an_item_that_an_earlier_pipeline_replaces_is_forgotten(
    site: Site,
) -> None:
    crawled = await crawl(spider_of(site.add("/1")), ITEM_PIPELINES=before(Copying))
    assert len(crawled.items) == 1
    assert loaded_items(crawled) == 0
    assert not carrier._articles


@deferred_f_from_coro_f
async def test_item_that_a_later_pipeline_replaces_has_its_article(site: Site) -> None:
    crawled = await crawl(spider_of(site.add("/1")), ITEM_PIPELINES=after(Copying))
    assert crawled.items == [{"url": f"{site.url}/1", "article_text": TEXT}]


@deferred_f_from_coro_f
async def test_articles_are_forgotten_after_an_error_in_a_callback(site: Site) -> None:
    def parse(response: Response) -> Any:
        yield {"url": response.url}
        raise RuntimeError("a mistake of the spider")

    crawled = await crawl(spider_of(site.add("/1"), parse=parse))
    assert crawled.items == [{"url": f"{site.url}/1", "article_text": TEXT}]
    assert crawled.stats["spider_exceptions/RuntimeError"] == 1
    assert loaded_items(crawled) == 0


@deferred_f_from_coro_f
async def test_items_are_not_kept_if_the_pipeline_is_disabled(
    site: Site,
) -> None:
    def parse(response: Response) -> Any:
        yield {"response": response}

    off: dict[str, Any] = {"ITEM_PIPELINES": {"scrapy_cetr.CetrPipeline": None}}
    crawled = await crawl(spider_of(site.add("/1"), parse=parse), **off)
    assert len(crawled.items) == 1
    assert loaded_items(crawled) == 0


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_page_is_released_after_its_callback_and_extracted_again_on_demand(
    site: Site, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    extracted: list[str] = []

    def extract_article(html: str, **options: Any) -> Article:
        extracted.append(html)
        return article.extract_article(html, **options)

    monkeypatch.setattr("scrapy_cetr.extractor.extract_article", extract_article)
    responses: list[Response] = []

    def parse(response: Response) -> Any:
        responses.append(response)
        yield {"title": scrapy_cetr.article(response).title}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse), CETR_WORKERS=workers)
    (response,) = responses
    # With a worker, the title was not among the attributes of the answer.
    assert len(extracted) == 1
    known = scrapy_cetr.article(response)
    assert known._lazy is not None
    assert known._lazy._html is None
    assert (known.text, known.title) == (TEXT, crawled.items[0]["title"])
    assert len(extracted) == 1
    assert known.markdown == extract(page()).markdown
    assert known.html == extract(page()).html
    assert len(extracted) == 2
