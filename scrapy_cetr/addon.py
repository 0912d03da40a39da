"""The add-on, which enables all components."""

from __future__ import annotations

from contextlib import suppress

from scrapy.settings import BaseSettings

from scrapy_cetr.downloadermiddleware import CetrDownloaderMiddleware
from scrapy_cetr.pipeline import CetrPipeline
from scrapy_cetr.rendering.downloadermiddleware import CetrRenderedDownloaderMiddleware
from scrapy_cetr.spidermiddleware import CetrSpiderMiddleware
from scrapy_cetr.startup import check_before_crawlers

COMPONENTS: tuple[tuple[str, type, int], ...] = (
    # Below redirects, retries and decompression, so that it sees the response of the callback.
    ("DOWNLOADER_MIDDLEWARES", CetrDownloaderMiddleware, 120),
    # Above redirects and retries, below the HTTP cache: it sees each rendered page once.
    ("DOWNLOADER_MIDDLEWARES", CetrRenderedDownloaderMiddleware, 850),
    # Next to the engine, so that it sees the items that reach the pipelines.
    ("SPIDER_MIDDLEWARES", CetrSpiderMiddleware, 10),
    # Before the pipelines of the project, which store the items.
    ("ITEM_PIPELINES", CetrPipeline, 50),
)


class Addon:
    """Enables the four components, unless a project sets another order or disables them.

    If scrapy-poet is installed, callbacks and page objects can ask for an Article,
    or for that of zyte-common-items.
    """

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Check the settings before there is a crawler; those of spiders are checked later."""
        check_before_crawlers(settings)

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components to the settings."""
        for setting, component, order in COMPONENTS:
            settings.setdefault_in_component_priority_dict(setting, component, order)
        with suppress(ImportError):
            from scrapy_cetr.poet import ArticleProvider, ZyteArticleProvider

            setting = "SCRAPY_POET_PROVIDERS"
            settings.setdefault_in_component_priority_dict(setting, ArticleProvider, 500)
            # After that of scrapy-zyte-api, which is 1100: who has it wants the article of the API.
            settings.setdefault_in_component_priority_dict(setting, ZyteArticleProvider, 1500)
