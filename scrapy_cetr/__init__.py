"""Scrapy plugin that adds the article of each crawled page to its items.

Each name is imported when it is first used: Scrapy imports this package for all of its commands.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy_cetr.addon import Addon
    from scrapy_cetr.downloadermiddleware import CetrDownloaderMiddleware
    from scrapy_cetr.duplicates import CetrDuplicatesPipeline
    from scrapy_cetr.extraction import Article, extract, join_articles
    from scrapy_cetr.items import attach
    from scrapy_cetr.next_pages import next_page
    from scrapy_cetr.pipeline import CetrPipeline
    from scrapy_cetr.rendering.downloadermiddleware import CetrRenderedDownloaderMiddleware
    from scrapy_cetr.responses import article
    from scrapy_cetr.shared_duplicates import CetrSharedDuplicatesPipeline
    from scrapy_cetr.spidermiddleware import CetrSpiderMiddleware

__version__ = "0.1.0"

__all__ = [
    "Addon",
    "Article",
    "CetrDownloaderMiddleware",
    "CetrDuplicatesPipeline",
    "CetrPipeline",
    "CetrRenderedDownloaderMiddleware",
    "CetrSharedDuplicatesPipeline",
    "CetrSpiderMiddleware",
    "__version__",
    "article",
    "attach",
    "extract",
    "join_articles",
    "next_page",
]

_MODULES = {
    "Addon": "addon",
    "Article": "extraction",
    "CetrDownloaderMiddleware": "downloadermiddleware",
    "CetrDuplicatesPipeline": "duplicates",
    "CetrPipeline": "pipeline",
    "CetrRenderedDownloaderMiddleware": "rendering.downloadermiddleware",
    "CetrSharedDuplicatesPipeline": "shared_duplicates",
    "CetrSpiderMiddleware": "spidermiddleware",
    "article": "responses",
    "attach": "items",
    "extract": "extraction",
    "join_articles": "extraction",
    "next_page": "next_pages",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
