"""Carries the article of a page to the items that the callback yields."""

from __future__ import annotations

from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scrapy_cetr.extractor import Crawl
from scrapy_cetr.responses import expect


class CetrSpiderMiddleware(BaseSpiderMiddleware):
    """Sits at the only place that sees a response and its items together."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.crawl = Crawl.of(crawler)

    def process_spider_input(self, response: Response) -> None:
        """Let a callback that asks for an article have it with the options of the crawl."""
        expect(response, self.crawl.settings.options)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Remember for the pipeline which article belongs to an item."""
        if response is not None:
            found = self.crawl.article_of(response)
            if found is not None:
                self.crawl.carry(item, found, response)
        return item
