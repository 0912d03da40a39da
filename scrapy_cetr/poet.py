"""The scrapy-poet providers of articles for callbacks and page objects."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from scrapy_cetr import zyte
from scrapy_cetr.carrier import response_article
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extractor import Extractor


class ArticleProvider(PageObjectInputProvider):
    """Provides the Article of a page, extracted once, with the settings of the crawl."""

    def is_provided(self, type_: Callable[..., Any]) -> bool:
        """Return whether the requested type is Article."""
        return type_ is Article

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002
        request: Request,
        response: Response,
        crawler: Crawler,
    ) -> list[Article]:
        """Extract the article of a response; it is empty if the response is skipped."""
        return [await _article(request, response, crawler)]


class ZyteArticleProvider(PageObjectInputProvider):
    """Provides the article of a page as a zyte_common_items.Article, if this is installed."""

    def is_provided(self, type_: Callable[..., Any]) -> bool:
        """Return whether the requested type is Zyte's Article."""
        # Without this import in the project, no callback asks for one of its classes.
        library = sys.modules.get("zyte_common_items")
        return library is not None and type_ is library.Article

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002
        request: Request,
        response: Response,
        crawler: Crawler,
    ) -> list[Any]:
        """Extract the article of a response; it has only a URL if the response is skipped."""
        return [zyte.as_item(await _article(request, response, crawler), url=response.url)]


async def _article(request: Request, response: Response, crawler: Crawler) -> Article:
    """Extract the article of a response, once; it is empty if the response is skipped."""
    extractor = Extractor.for_crawler(crawler)
    await extractor.extract_response(request, response)
    article = response_article(response)
    return article or Article(url=response.url, method=extractor.settings.options.method)
