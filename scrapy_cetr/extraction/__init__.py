"""The extraction library: HTML in, article out. It does not need Scrapy.

Each name is imported when it is first used, as options and file names are checked without pages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy_cetr.extraction.article import Article, extract
    from scrapy_cetr.extraction.joining import join_articles
    from scrapy_cetr.extraction.methods import METHODS
    from scrapy_cetr.extraction.options import Options

__all__ = ["METHODS", "Article", "Options", "extract", "join_articles"]

_MODULES = {
    "METHODS": "methods",
    "Article": "article",
    "Options": "options",
    "extract": "article",
    "join_articles": "joining",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
