"""ArticleProvider: articles for callbacks and page objects with scrapy-poet."""

from typing import Any

import attrs
import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy_poet.api import DummyResponse
from web_poet import ItemPage, field
from zyte_common_items import Article as ZyteArticle
from zyte_common_items import Author

from scrapy_cetr import Article
from testkit.server import TEXT, Reply, Site, crawl

ADDONS = {"scrapy_poet.Addon": 300, "scrapy_cetr.Addon": 500}


class ArticleSpider(Spider):
    """Asks for an article in its callback, and for no response."""

    name = "poet"
    page = ""

    async def start(self) -> Any:
        yield Request(self.page, callback=self.parse_article)  # type: ignore[arg-type]

    def parse_article(self, response: DummyResponse, article: Article) -> Any:  # noqa: ARG002
        yield {"text": article.text, "title": article.title, "of": article.url}


@attrs.define
class StoryPage(ItemPage[dict[str, Any]]):
    """A page object made of an article."""

    article: Article

    @field
    def headline(self) -> str | None:
        return self.article.title


class PageSpider(Spider):
    """Asks for a page object that asks for an article."""

    name = "pages"
    page = ""

    async def start(self) -> Any:
        yield Request(self.page, callback=self.parse_page)

    async def parse_page(self, response: Response, page: StoryPage) -> Any:  # noqa: ARG002
        yield {"headline": page.headline}


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_callback_gets_an_article(site: Site, workers: int) -> None:
    url = site.add("/1")
    spider = type("S", (ArticleSpider,), {"page": url})
    crawled = await crawl(spider, ADDONS=ADDONS, CETR_WORKERS=workers)
    (item,) = crawled.items
    assert (item["text"], item["of"], item["article_text"]) == (TEXT, url, TEXT)
    assert crawled.stats["cetr/pages"] == 1  # the middleware does not extract it again


@deferred_f_from_coro_f
async def test_page_object_gets_an_article(site: Site) -> None:
    url = site.add("/1", Reply(b"<h1>Bridge closed</h1><p>It was a long day for all of them.</p>"))
    crawled = await crawl(type("S", (PageSpider,), {"page": url}), ADDONS=ADDONS)
    assert [item["headline"] for item in crawled.items] == ["Bridge closed"]


@deferred_f_from_coro_f
async def test_article_of_a_response_without_html_is_empty(site: Site) -> None:
    url = site.add("/data", Reply(b"{}", type="application/json"))
    crawled = await crawl(type("S", (ArticleSpider,), {"page": url}), ADDONS=ADDONS)
    assert [item["text"] for item in crawled.items] == [""]


# Zyte's Article


class ZyteSpider(Spider):
    """Asks for Zyte's Article in its callback."""

    name = "zyte"
    page = ""

    async def start(self) -> Any:
        yield Request(self.page, callback=self.parse_article)  # type: ignore[arg-type]

    def parse_article(self, response: DummyResponse, article: ZyteArticle) -> Any:  # noqa: ARG002
        yield article


@attrs.define
class ZytePage(ItemPage[dict[str, Any]]):
    """A page object made of Zyte's Article."""

    article: ZyteArticle

    @field
    def by(self) -> str | None:
        authors = self.article.authors or [Author(name="nobody")]
        return authors[0].name


class ZytePageSpider(PageSpider):
    """Asks for a page object that asks for Zyte's Article."""

    async def parse_page(self, response: Response, page: ZytePage) -> Any:  # type: ignore[override]  # noqa: ARG002
        yield {"by": page.by}


STORY = Reply(b"<h1>Bridge closed</h1><p>By Ann Lee</p><p>It was a long day for all of them.</p>")


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_callback_gets_an_article_of_zyte_common_items(site: Site, workers: int) -> None:
    url = site.add("/1", STORY)
    spider = type("S", (ZyteSpider,), {"page": url})
    settings: dict[str, Any] = {"ADDONS": ADDONS, "CETR_FIELDS": "zyte", "CETR_WORKERS": workers}
    (item,) = (await crawl(spider, **settings)).items
    assert isinstance(item, ZyteArticle)
    assert (item.url, item.headline) == (url, "Bridge closed")
    assert item.authors == [Author(name="Ann Lee", nameRaw="Ann Lee")]


@deferred_f_from_coro_f
async def test_page_object_gets_an_article_of_zyte_common_items(site: Site) -> None:
    url = site.add("/1", STORY)
    crawled = await crawl(type("S", (ZytePageSpider,), {"page": url}), ADDONS=ADDONS)
    assert [item["by"] for item in crawled.items] == ["Ann Lee"]


@deferred_f_from_coro_f
async def test_article_of_zyte_common_items_has_a_url_without_html(site: Site) -> None:
    url = site.add("/data", Reply(b"{}", type="application/json"))
    spider = type("S", (ZyteSpider,), {"page": url})
    (item,) = (await crawl(spider, ADDONS=ADDONS, CETR_FIELDS="zyte")).items
    assert item == ZyteArticle(url=url)
