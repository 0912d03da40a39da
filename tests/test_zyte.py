"""The preset CETR_FIELDS = "zyte" with the classes of zyte-common-items."""

from typing import Any

import attrs
import pytest
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f
from zyte_common_items import Article, ArticleMetadata, Author, Breadcrumb, Image

from scrapy_cetr import extract, zyte
from testkit.server import Reply, Site, crawl, page, spider_of

SCRIPT = """{"@context": "https://schema.org", "@graph": [
 {"@type": "NewsArticle", "headline": "Flood", "author": [{"@type": "Person", "name": "Ann Lee"}],
  "datePublished": "2025-03-01"},
 {"@type": "BreadcrumbList", "itemListElement": [
  {"@type": "ListItem", "name": "News", "item": "/news"}]}]}"""
HEAD = f"""<meta property="og:image" content="/flood.jpg">
<script type="application/ld+json">{SCRIPT}</script>"""
PAGE = HEAD.encode() + page().replace(b"</p>", b'<img src="/boat.jpg"></p>', 1)


@attrs.define(kw_only=True)
class OwnArticle(Article):
    """A subclass with a field of its own."""

    rating: int


def yielding(kind: Any, **values: Any) -> Any:
    def parse(response: Response) -> Any:
        yield kind(url=response.url, **values)

    return parse


@pytest.mark.parametrize(("kind", "values"), [(Article, {}), (OwnArticle, {"rating": 5})])
@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_zyte_item_gets_the_classes_of_its_library(
    site: Site, workers: int, kind: Any, values: Any
) -> None:
    url = site.add("/1", Reply(PAGE))
    spider = spider_of(url, parse=yielding(kind, **values))
    crawled = await crawl(spider, CETR_FIELDS="zyte", CETR_WORKERS=workers)
    (item,) = crawled.items
    assert type(item) is kind
    assert item.authors[0].name == "Ann Lee"
    assert item.authors == [Author(name="Ann Lee", nameRaw="Ann Lee")]
    assert item.breadcrumbs == [Breadcrumb(name="News", url=f"{site.url}/news")]
    assert item.mainImage == Image(url=f"{site.url}/flood.jpg")
    assert item.images == [Image(url=f"{site.url}/flood.jpg"), Image(url=f"{site.url}/boat.jpg")]
    article = extract(PAGE, url=url)
    assert item.metadata == ArticleMetadata(probability=article.probability)
    assert (item.articleBody, item.articleBodyHtml) == (article.text, article.html)
    assert crawled.cetr("items", "items/refused") == (1, None)


@deferred_f_from_coro_f
async def test_zyte_item_keeps_what_the_spider_filled(site: Site) -> None:
    authors = [Author(name="Bob")]
    parse = yielding(Article, authors=authors, headline="Mine")
    crawled = await crawl(spider_of(site.add("/1", Reply(PAGE)), parse=parse), CETR_FIELDS="zyte")
    (item,) = crawled.items
    assert item.authors is authors
    assert (item.headline, item.datePublished) == ("Mine", "2025-03-01T00:00:00")


@deferred_f_from_coro_f
async def test_dict_item_gets_plain_dicts(site: Site) -> None:
    url = site.add("/1", Reply(PAGE))
    crawled = await crawl(spider_of(url, parse=yielding(dict)), CETR_FIELDS="zyte")
    (item,) = crawled.items
    assert item["authors"] == [{"name": "Ann Lee", "nameRaw": "Ann Lee"}]
    assert type(item["mainImage"]) is dict
    assert type(item["metadata"]) is dict


def test_as_item_makes_an_item_of_an_article_without_a_url() -> None:
    item = zyte.as_item(extract(PAGE), url="http://x.example/")
    assert (item.url, item.headline) == ("http://x.example/", "Flood")
