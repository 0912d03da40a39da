"""Addon: how the plugin is enabled, and what a project can change."""

import logging
import subprocess
import sys
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import Addon, CetrDownloaderMiddleware, CetrPipeline, CetrSpiderMiddleware
from scrapy_cetr.addon import COMPONENTS as ADDON_COMPONENTS
from testkit.server import SENTENCES, TEXT, Site, crawl, spider_of

BY_HAND: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": 120},
    "SPIDER_MIDDLEWARES": {"scrapy_cetr.CetrSpiderMiddleware": 10},
    "ITEM_PIPELINES": {"scrapy_cetr.CetrPipeline": 50},
}
COMPONENTS = [
    ("DOWNLOADER_MIDDLEWARES", CetrDownloaderMiddleware, "downloadermiddleware", 120),
    ("SPIDER_MIDDLEWARES", CetrSpiderMiddleware, "spidermiddleware", 10),
    ("ITEM_PIPELINES", CetrPipeline, "pipeline", 50),
]


@deferred_f_from_coro_f
async def test_addon_writes_the_article_into_every_item(site: Site) -> None:
    crawled = await crawl(spider_of(site.add("/1")))
    assert crawled.items == [{"url": f"{site.url}/1", "article_text": TEXT}]
    assert all(sentence in TEXT for sentence in SENTENCES)
    assert "Section 5" not in TEXT


@deferred_f_from_coro_f
async def test_components_can_be_enabled_without_the_addon(site: Site) -> None:
    crawled = await crawl(spider_of(site.add("/1")), addon=False, **BY_HAND)
    assert crawled.items[0]["article_text"] == TEXT
    assert crawled.cetr("pages", "items") == (1, 1)


@deferred_f_from_coro_f
async def test_nothing_is_extracted_without_the_addon(site: Site) -> None:
    crawled = await crawl(spider_of(site.add("/1")), addon=False)
    assert crawled.items == [{"url": f"{site.url}/1"}]
    assert not [name for name in crawled.stats if name.startswith("cetr/")]


@pytest.mark.parametrize("value", [False, "False", "0", 0])
@deferred_f_from_coro_f
async def test_cetr_enabled_false_disables_the_plugin(site: Site, value: object) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_ENABLED=value)
    assert crawled.items == [{"url": f"{site.url}/1"}]
    assert not [name for name in crawled.stats if name.startswith("cetr/")]


@pytest.mark.parametrize("value", [True, "True", "1", 1])
@deferred_f_from_coro_f
async def test_cetr_enabled_true_enables_the_plugin(site: Site, value: object) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_ENABLED=value)
    assert crawled.items[0]["article_text"]


@deferred_f_from_coro_f
async def test_invalid_settings_are_ignored_if_the_plugin_is_disabled(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    crawled = await crawl(spider_of(site.add("/1")), CETR_ENABLED=False, CETR_METHOD="magic")
    assert crawled.items == [{"url": f"{site.url}/1"}]
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(("setting", "component", "module", "order"), COMPONENTS)
def test_addon_sets_the_default_orders(
    setting: str, component: type, module: str, order: int
) -> None:
    settings = Settings()
    Addon().update_settings(settings)
    assert dict(settings[setting])[component] == order


@pytest.mark.parametrize("order", [None, 999])
@pytest.mark.parametrize("spelling", ["class", "short", "full"])
@pytest.mark.parametrize(("setting", "component", "module", "default"), COMPONENTS)
def test_addon_keeps_orders_that_the_project_sets(
    setting: str, component: type, module: str, default: int, spelling: str, order: int | None
) -> None:
    name = component.__name__
    keys: dict[str, Any] = {
        "class": component,
        "short": f"scrapy_cetr.{name}",
        "full": f"scrapy_cetr.{module}.{name}",
    }
    settings = Settings({setting: {keys[spelling]: order, "collections.Counter": 1}})
    Addon().update_settings(settings)
    others = {known for _, known, _ in ADDON_COMPONENTS if known is not component}
    found = {key: value for key, value in dict(settings[setting]).items() if key not in others}
    assert found == {keys[spelling]: order, "collections.Counter": 1}


@pytest.mark.parametrize(
    ("off", "items", "pages"),
    [
        ("DOWNLOADER_MIDDLEWARES", 1, 1),
        ("SPIDER_MIDDLEWARES", None, 1),
        ("ITEM_PIPELINES", None, 1),
    ],
)
@deferred_f_from_coro_f
async def test_each_component_can_be_disabled(
    site: Site, off: str, items: int | None, pages: int
) -> None:
    settings: dict[str, Any] = {off: dict.fromkeys(BY_HAND[off])}
    crawled = await crawl(spider_of(site.add("/1")), **settings)
    assert crawled.cetr("pages", "items") == (pages, items)
    assert len(crawled.items) == 1
    assert ("article_text" in crawled.items[0]) == bool(items)


@pytest.mark.parametrize("order", [51, 200, 700])
@deferred_f_from_coro_f
async def test_spider_middleware_works_with_any_order(site: Site, order: int) -> None:
    moved = {"scrapy_cetr.CetrSpiderMiddleware": order}
    crawled = await crawl(spider_of(site.add("/1")), SPIDER_MIDDLEWARES=moved)
    assert crawled.items[0]["article_text"]


@pytest.mark.parametrize("module", ["scrapy_cetr", "scrapy_cetr.extraction"])
def test_import_of_the_library_does_not_import_scrapy(module: str) -> None:
    code = f"import sys, {module}; print(*[m for m in ('scrapy', 'twisted') if m in sys.modules])"
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout == "\n"


def test_all_public_names_can_be_imported() -> None:
    import scrapy_cetr

    for name in scrapy_cetr.__all__:
        assert getattr(scrapy_cetr, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = scrapy_cetr.nothing
