"""CetrPipeline: items of all types, item fields, own HTML of items."""

import logging
from dataclasses import dataclass, field
from typing import Any

import attrs
import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict
from scrapy import Field, Item
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from testkit.server import TEXT, Reply, Site, crawl, page, spider_of


class ScrapyItem(Item):
    url = Field()
    article_text = Field()


@dataclass
class DataItem:
    url: str
    article_text: str | None = None


@attrs.define
class AttrsItem:
    url: str
    article_text: str = ""


class PydanticItem(BaseModel):
    url: str
    article_text: str | None = None


@dataclass
class UnsetDataItem:
    url: str
    article_text: str = field(init=False)


class BareScrapyItem(Item):
    url = Field()


@dataclass
class BareDataItem:
    url: str


@attrs.define
class BareAttrsItem:
    url: str


class BarePydanticItem(BaseModel):
    url: str


@dataclass(frozen=True)
class FrozenDataItem:
    url: str
    article_text: str | None = None


@attrs.frozen
class FrozenAttrsItem:
    url: str
    article_text: str | None = None


class FrozenPydanticItem(BaseModel):
    model_config = ConfigDict(frozen=True)
    url: str
    article_text: str | None = None


def yielding(kind: Any, **values: Any) -> Any:
    def parse(response: Response) -> Any:
        yield kind(url=response.url, **values)
        yield kind(url=response.url, **values)

    return parse


def yielding_only(item: Any) -> Any:
    def parse(response: Response) -> Any:
        yield item

    return parse


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.parametrize("kind", [dict, ScrapyItem, DataItem, AttrsItem, PydanticItem])
@deferred_f_from_coro_f
async def test_item_of_any_type_gets_its_article(
    site: Site, kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url, parse=yielding(kind)))
    assert crawled.items == [kind(url=url, article_text=TEXT)] * 2
    assert crawled.cetr("items", "items/refused") == (2, None)
    assert warnings_in(caplog) == []


@pytest.mark.parametrize(
    "kind",
    [
        BareScrapyItem,
        BareDataItem,
        BareAttrsItem,
        BarePydanticItem,
        FrozenDataItem,
        FrozenAttrsItem,
        FrozenPydanticItem,
    ],
)
@deferred_f_from_coro_f
async def test_item_that_refuses_the_field_is_unchanged(
    site: Site, kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url, parse=yielding(kind)))
    assert crawled.items == [kind(url=url)] * 2
    assert crawled.cetr("items", "items/refused") == (None, 2)
    (warning,) = warnings_in(caplog)
    assert warning.startswith(f"{kind.__name__} does not accept the field 'article_text'")


@pytest.mark.parametrize("kind", [dict, ScrapyItem, DataItem, AttrsItem, PydanticItem])
@deferred_f_from_coro_f
async def test_field_that_the_spider_has_filled_is_kept(site: Site, kind: Any) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url, parse=yielding(kind, article_text="mine")))
    assert crawled.items == [kind(url=url, article_text="mine")] * 2
    assert crawled.cetr("items") == (None,)


@pytest.mark.parametrize("empty", [None, "", " \n", b"", [], (), {}, set(), frozenset()])
@deferred_f_from_coro_f
async def test_field_that_the_spider_has_left_empty_is_filled(site: Site, empty: object) -> None:
    crawled = await crawl(spider_of(site.add("/1"), parse=yielding(dict, article_text=empty)))
    assert [item["article_text"] for item in crawled.items] == [TEXT, TEXT]


@pytest.mark.parametrize("value", [0, 0.0, False, ["a"], [None], {"a": 1}, ("",), {0}, b"0"])
@deferred_f_from_coro_f
async def test_false_value_of_the_spider_is_kept(site: Site, value: object) -> None:
    crawled = await crawl(spider_of(site.add("/1"), parse=yielding(dict, article_text=value)))
    assert [item["article_text"] for item in crawled.items] == [value, value]


class Incomparable:
    """Refuses what every object can do."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    def __bool__(self) -> bool:
        raise RuntimeError("converted")

    def __len__(self) -> int:
        raise RuntimeError("measured")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("value", [np.arange(3), np.zeros(0), np.zeros(1), Incomparable()])
@deferred_f_from_coro_f
async def test_array_of_the_spider_is_kept(site: Site, value: object) -> None:
    crawled = await crawl(spider_of(site.add("/1"), parse=yielding(dict, article_text=value)))
    assert [item["article_text"] is value for item in crawled.items] == [True, True]


class ListScrapyItem(Item):
    url = Field()
    authors = Field()
    title = Field()


@dataclass
class ListDataItem:
    url: str
    authors: list[str] = field(default_factory=list)
    title: str = ""


@attrs.define
class ListAttrsItem:
    url: str
    authors: list[str] = attrs.Factory(list)
    title: str = ""


class ListPydanticItem(BaseModel):
    model_config = ConfigDict(validate_assignment=True)
    url: str
    authors: list[str] = []
    title: str = ""


LIST_ITEMS = [ListScrapyItem, ListDataItem, ListAttrsItem, ListPydanticItem]


@pytest.mark.parametrize("kind", LIST_ITEMS)
@deferred_f_from_coro_f
async def test_default_of_an_item_class_is_filled(site: Site, kind: Any) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><div>")
    url = site.add("/1", Reply(story))
    crawled = await crawl(
        spider_of(url, parse=yielding(kind)), CETR_FIELDS={"authors": "authors", "title": "title"}
    )
    assert crawled.items == [kind(url=url, authors=["Ann Lee"], title="Flood")] * 2
    assert crawled.cetr("items/refused") == (None,)


@pytest.mark.parametrize("kind", LIST_ITEMS[1:])
@deferred_f_from_coro_f
async def test_default_of_an_item_class_is_kept_if_the_page_has_no_value(
    site: Site, kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    url = site.add("/1")
    crawled = await crawl(
        spider_of(url, parse=yielding(kind)), CETR_FIELDS={"authors": "authors", "title": "title"}
    )
    assert crawled.items == [kind(url=url)] * 2
    assert warnings_in(caplog) == []


@pytest.mark.parametrize("html_field", [None, "article_text"])
@deferred_f_from_coro_f
async def test_declared_field_without_a_value_is_filled(site: Site, html_field: str | None) -> None:
    crawled = await crawl(
        spider_of(site.add("/1"), parse=yielding(UnsetDataItem)), CETR_HTML_FIELD=html_field
    )
    assert [item.article_text for item in crawled.items] == [TEXT, TEXT]


# Fields


@deferred_f_from_coro_f
async def test_cetr_fields_maps_attributes_to_fields(site: Site) -> None:
    fields = {"body": "text", "page": "url", "by": "method", "size": "page_chars"}
    crawled = await crawl(spider_of(site.add("/1"), parse=yielding(dict)), CETR_FIELDS=fields)
    item = crawled.items[0]
    assert (item["body"], item["page"], item["by"]) == (TEXT, f"{site.url}/1", "learned")
    assert item["size"] > 0
    assert "article_text" not in item


@deferred_f_from_coro_f
async def test_zyte_preset_leaves_out_empty_attributes(site: Site) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url, parse=yielding_only({"n": 1})), CETR_FIELDS="zyte")
    (item,) = crawled.items
    assert "<p>It rained all day" in item.pop("articleBodyHtml")
    assert 0 < item.pop("metadata")["probability"] < 1
    assert item == {"n": 1, "url": url, "inLanguage": "en", "articleBody": TEXT}


@deferred_f_from_coro_f
async def test_empty_cetr_fields_write_nothing(site: Site) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_FIELDS={})
    assert crawled.items == [{"url": f"{site.url}/1"}]
    assert crawled.cetr("pages") == (1,)


@deferred_f_from_coro_f
async def test_fields_that_the_item_accepts_are_written(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    fields = {"article_text": "text", "method": "method"}
    crawled = await crawl(spider_of(site.add("/1"), parse=yielding(DataItem)), CETR_FIELDS=fields)
    assert [item.article_text for item in crawled.items] == [TEXT, TEXT]
    assert crawled.cetr("items", "items/refused") == (2, 2)
    assert len(warnings_in(caplog)) == 1
