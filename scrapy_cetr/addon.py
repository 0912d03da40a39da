"""The add-on: all that a user has to enable."""

from __future__ import annotations

from contextlib import suppress

from scrapy.settings import BaseSettings

from scrapy_cetr.downloadermiddleware import CetrDownloaderMiddleware
from scrapy_cetr.pipeline import CetrPipeline
from scrapy_cetr.spidermiddleware import CetrSpiderMiddleware

COMPONENTS: tuple[tuple[str, type, int], ...] = (
    # Behind redirects, retries and decompression, so that it sees what a callback will see.
    ("DOWNLOADER_MIDDLEWARES", CetrDownloaderMiddleware, 120),
    # The last to see items, so that all of them reach the pipelines.
    ("SPIDER_MIDDLEWARES", CetrSpiderMiddleware, 10),
    # Before the pipelines of a project, which store what it has written.
    ("ITEM_PIPELINES", CetrPipeline, 50),
)


class Addon:
    """Enables the three components, except those that a user has moved or disabled.

    Where scrapy-poet is installed, callbacks and page objects can ask for an Article.
    """

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components to the settings of a crawl."""
        for setting, component, order in COMPONENTS:
            settings.setdefault_in_component_priority_dict(setting, component, order)
        with suppress(ImportError):
            from scrapy_cetr.poet import ArticleProvider

            setting = "SCRAPY_POET_PROVIDERS"
            settings.setdefault_in_component_priority_dict(setting, ArticleProvider, 500)
