"""attach(): items that are begun on one page and yielded from the callback of another."""

import gc
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import pytest
from pydantic import BaseModel
from scrapy import Field, Item, Request, Spider
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import attach, carrier, extract, items
from scrapy_cetr.carrier import Carrier
from testkit.server import Crawled, Reply, Site, crawl, page, spider_of

FIELDS = {"text": "text", "title": "title", "page": "url"}
FIRST = page("This was the first page.")
# The second page has a title, which the first has not.
SECOND = page("This was the second page.").replace(b"<div>", b"<h1>Second</h1><div>")
MIDDLEWARE_OFF: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}
}


class ScrapyItem(Item):
    n = Field()
    text = Field()
    title = Field()
    page = Field()


@dataclass
class DataItem:
    n: int = 0
    text: str = ""
    title: str | None = None
    page: str | None = None


@attrs.define
class AttrsItem:
    n: int = 0
    text: str = ""
    title: str | None = None
    page: str | None = None


@attrs.define(weakref_slot=False)
class SlottedItem:
    n: int = 0
    text: str = ""
    title: str | None = None
    page: str | None = None


class PydanticItem(BaseModel):
    n: int = 0
    text: str = ""
    title: str | None = None
    page: str | None = None


KINDS = [dict, ScrapyItem, DataItem, AttrsItem, SlottedItem, PydanticItem]


def in_cb_kwargs(item: Any) -> dict[str, Any]:
    return {"cb_kwargs": {"item": item}}


def in_meta(item: Any) -> dict[str, Any]:
    return {"meta": {"item": item}}


def in_a_list(item: Any) -> dict[str, Any]:
    return {"cb_kwargs": {"item": [item]}}


class TwoPageSpider(Spider):
    """Begins an item on one page, and yields it from the callback of the second."""

    name = "two-pages"
    first = second = ""
    kind: Any = dict
    attached = True
    yields_first = False
    carry: Callable[[Any], dict[str, Any]] = staticmethod(in_cb_kwargs)

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self.first)

    def parse(self, response: Response) -> Any:
        item = self.kind(n=1)
        if self.attached:
            attach(item, response)
        if self.yields_first:
            yield item
        yield Request(self.second, self.parse_second, errback=self.fail, **type(self).carry(item))

    def parse_second(self, response: Response, item: Any = None) -> Any:
        item = response.meta.get("item", item)
        yield item[0] if isinstance(item, list) else item

    def fail(self, failure: Any) -> Any:
        yield failure.request.cb_kwargs["item"]


async def crawl_two(site: Site, settings: dict[str, Any], **attributes: Any) -> Crawled:
    urls = {"first": site.add("/1", Reply(FIRST)), "second": site.add("/2", Reply(SECOND))}
    spider = type("S", (TwoPageSpider,), {**urls, **attributes})
    # A class that is pickled must be found by its name.
    spider.__qualname__ = "TwoPageSpider"
    return await crawl(spider, **{"CETR_FIELDS": FIELDS, **settings})


def fields_of(item: Any) -> tuple[Any, ...]:
    if isinstance(item, dict | Item):
        return tuple(item.get(name) for name in FIELDS)
    return tuple(getattr(item, name) for name in FIELDS)


def remembered(crawled: Crawled) -> int:
    gc.collect()
    found = Carrier.for_crawler(crawled.crawler)
    return len(found.owners.attached) + len(found.owners.yielded) + len(found._loads)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF, {"CETR_WORKERS": 1}])
@deferred_f_from_coro_f
async def test_attached_item_gets_only_the_article_of_its_page(
    site: Site, kind: Any, settings: dict[str, Any]
) -> None:
    crawled = await crawl_two(site, settings, kind=kind)
    (item,) = crawled.items
    assert type(item) is kind
    assert fields_of(item) == (extract(FIRST).text, None, f"{site.url}/1")
    assert crawled.cetr("items", "items/refused") == (1, None)
    assert remembered(crawled) == 0
    assert not carrier._articles


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("carry", [in_cb_kwargs, in_meta, in_a_list])
@deferred_f_from_coro_f
async def test_attached_item_on_disk_gets_only_the_article_of_its_page(
    site: Site, tmp_path: Path, kind: Any, carry: Any
) -> None:
    crawled = await crawl_two(site, {"JOBDIR": str(tmp_path)}, kind=kind, carry=staticmethod(carry))
    assert crawled.stats["scheduler/enqueued/disk"] == 2
    (item,) = crawled.items
    assert fields_of(item) == (extract(FIRST).text, None, f"{site.url}/1")


@deferred_f_from_coro_f
async def test_item_without_attach_gets_the_article_of_its_callback(site: Site) -> None:
    (item,) = (await crawl_two(site, {}, attached=False)).items
    assert fields_of(item) == (extract(SECOND).text, "Second", f"{site.url}/2")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("queue", ["memory", "disk"])
@deferred_f_from_coro_f
async def test_item_that_was_yielded_gets_no_field_of_another_page(
    site: Site, tmp_path: Path, kind: Any, queue: str
) -> None:
    settings = {"JOBDIR": str(tmp_path)} if queue == "disk" else {}
    attributes = {"kind": kind, "attached": False, "yields_first": True}
    crawled = await crawl_two(site, settings, **attributes)
    assert len(crawled.items) == 2
    assert fields_of(crawled.items[0]) == (extract(FIRST).text, None, f"{site.url}/1")
    title = fields_of(crawled.items[1])[1]
    assert title is None
    assert remembered(crawled) == 0


@deferred_f_from_coro_f
async def test_attached_item_of_an_errback_has_the_article_of_its_page(site: Site) -> None:
    for reply in (Reply(status=404), None):
        site.pages.clear()
        second = site.url + "/2" if reply else "http://127.0.0.1:1/"
        spider = type(
            "S", (TwoPageSpider,), {"first": site.add("/1", Reply(FIRST)), "second": second}
        )
        (item,) = (await crawl(spider, CETR_FIELDS=FIELDS)).items
        assert fields_of(item) == (extract(FIRST).text, None, f"{site.url}/1")


@deferred_f_from_coro_f
async def test_attached_item_is_dropped_for_the_article_of_its_page(
    site: Site, tmp_path: Path
) -> None:
    settings = {"CETR_MIN_WORDS": 1000, "CETR_SHORT": "drop", "JOBDIR": str(tmp_path)}
    crawled = await crawl_two(site, settings)
    assert (crawled.items, crawled.dropped) == ([], [{"n": 1}])


@deferred_f_from_coro_f
async def test_attached_item_keeps_what_the_spider_filled(site: Site) -> None:
    def parse(response: Response) -> Any:
        item = {"text": "mine", "title": ""}
        attach(item, response)
        assert (item["text"], item["title"]) == ("mine", "Second")
        yield item

    crawled = await crawl(spider_of(site.add("/2", Reply(SECOND)), parse=parse), CETR_FIELDS=FIELDS)
    assert crawled.items == [{"text": "mine", "title": "Second", "page": f"{site.url}/2"}]


@deferred_f_from_coro_f
async def test_attached_item_belongs_to_the_first_page_that_it_was_attached_to(site: Site) -> None:
    def parse_second(spider: Any, response: Response, item: Any) -> Any:
        attach(item, response)
        yield item

    crawled = await crawl_two(site, {}, parse_second=parse_second)
    assert fields_of(crawled.items[0]) == (extract(FIRST).text, None, f"{site.url}/1")


@deferred_f_from_coro_f
async def test_attached_item_of_a_page_without_an_article_stays_empty(site: Site) -> None:
    site.add("/1", Reply(b"{}", type="application/json"))

    urls = {"first": f"{site.url}/1", "second": site.add("/2", Reply(SECOND))}
    crawled = await crawl(type("S", (TwoPageSpider,), urls), CETR_FIELDS=FIELDS)
    assert crawled.items == [{"n": 1}]


@deferred_f_from_coro_f
async def test_new_item_is_filled_though_the_meta_of_an_old_one_is_passed_on(site: Site) -> None:
    third = site.add("/3", Reply(SECOND))

    def parse_second(spider: Any, response: Response) -> Any:
        yield response.meta["item"]
        meta = {**response.meta, "item": {"n": 2}}
        yield Request(third, spider.parse_third, meta=meta)

    def parse_third(spider: Any, response: Response) -> Any:
        yield response.meta["item"]

    callbacks = {"parse_second": parse_second, "parse_third": parse_third}
    crawled = await crawl_two(site, {}, carry=staticmethod(in_meta), **callbacks)
    assert [item["page"] for item in crawled.items] == [f"{site.url}/1", third]


@pytest.mark.parametrize(
    "settings", [{"CETR_ENABLED": False}, {"ITEM_PIPELINES": {"scrapy_cetr.CetrPipeline": None}}]
)
@deferred_f_from_coro_f
async def test_attach_does_nothing_if_the_plugin_is_disabled(
    site: Site, settings: dict[str, Any]
) -> None:
    assert (await crawl_two(site, settings)).items == [{"n": 1}]


@deferred_f_from_coro_f
async def test_attached_items_are_not_kept_after_a_crawl(site: Site) -> None:
    def parse(response: Response) -> Any:
        for n in range(20_000):
            # Never yielded; and the item would keep its response alive.
            attach({"n": n, "response": response}, response)
        yield {"n": -1}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse), CETR_FIELDS={})
    assert remembered(crawled) == 0
    assert not carrier._articles
    assert not items._response_writers
