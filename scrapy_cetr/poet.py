"""Gives the article of a page to callbacks and page objects that ask for one, with scrapy-poet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extractor import Crawl
from scrapy_cetr.responses import remembered


class ArticleProvider(PageObjectInputProvider):
    """Provides an Article, extracted as the settings of the crawl say, and only once."""

    def is_provided(self, type_: Callable[..., Any]) -> bool:
        """Tell whether somebody asks for an Article."""
        return type_ is Article

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002
        request: Request,
        response: Response,
        crawler: Crawler,
    ) -> list[Article]:
        """Extract the article of a page; that of a page that has none is empty."""
        crawl = Crawl.of(crawler)
        await crawl.extract_response(request, response)
        found = remembered(response)
        return [found or Article(url=response.url, method=crawl.settings.options.method)]
