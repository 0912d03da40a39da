"""attach() with articles that a callback made, outside of a crawl, and with what is not an item."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import article, attach, extract, join_articles
from testkit.server import Reply, Site, crawl, page, spider_of

FIELDS = {"text": "text", "title": "title", "page": "url"}
FIRST = page("This was the first page.")
# The second page has a title, which the first has not.
SECOND = page("This was the second page.").replace(b"<div>", b"<h1>Second</h1><div>")


@deferred_f_from_coro_f
async def test_attach_takes_a_response_that_a_callback_downloaded(site: Site) -> None:
    second = site.add("/2", Reply(SECOND))

    async def parse(spider: Any, response: Response) -> AsyncIterator[Any]:
        item: dict[str, Any] = {}
        attach(item, await spider.crawler.engine.download_async(Request(second)))
        yield item

    spider = type("S", (spider_of(site.add("/1", Reply(FIRST))),), {"parse": parse})
    crawled = await crawl(spider, CETR_FIELDS=FIELDS)
    assert crawled.items == [{"text": extract(SECOND).text, "title": "Second", "page": second}]


@pytest.mark.parametrize("settings", [{}, {"CETR_WORKERS": 1}])
@deferred_f_from_coro_f
async def test_attach_takes_an_article_of_several_pages(
    site: Site, settings: dict[str, Any]
) -> None:
    second = site.add("/2", Reply(SECOND))

    async def parse(spider: Any, response: Response) -> AsyncIterator[Any]:
        following = await spider.crawler.engine.download_async(Request(second))
        item: dict[str, Any] = {}
        attach(item, response, article=join_articles([article(response), article(following)]))
        yield item

    spider = type("S", (spider_of(site.add("/1", Reply(FIRST))),), {"parse": parse})
    fields = {**FIELDS, "markdown": "markdown", "short": "short"}
    # Each page has 53 words, most of which are the same.
    limit: dict[str, Any] = {"CETR_MIN_WORDS": 55, "CETR_SHORT": "drop"}
    crawled = await crawl(spider, CETR_FIELDS=fields, **limit, **settings)
    (item,) = crawled.items
    for text in (item["text"], item["markdown"]):
        assert text.index("This was the first page") < text.index("This was the second page")
    assert (item["page"], item["title"], item["short"]) == (f"{site.url}/1", None, False)


def test_attach_does_nothing_without_a_crawl() -> None:
    item = {"n": 1}
    attach(item, HtmlResponse("http://example.com", body=FIRST))
    assert item == {"n": 1}


def test_attach_names_what_is_not_an_item() -> None:
    response = HtmlResponse("http://example.com", body=FIRST)
    with pytest.raises(TypeError, match=r"takes an item first.* not <200 http://example.com>"):
        attach(response, response)
