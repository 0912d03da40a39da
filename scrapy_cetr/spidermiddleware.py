"""The spider middleware, which passes the article of a page to the items of its callback."""

from __future__ import annotations

from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scrapy_cetr.carrier import Carrier, set_response_options
from scrapy_cetr.extractor import Extractor


class CetrSpiderMiddleware(BaseSpiderMiddleware):
    """Loads the article of a page for each of its items; CetrPipeline unloads it.

    Only a spider middleware sees a response together with its items.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.extractor = Extractor.for_crawler(crawler)
        self.carrier = Carrier.for_crawler(crawler)

    def process_spider_input(self, response: Response) -> None:
        """Make the options of the crawl known to a callback that asks for the article."""
        set_response_options(response, self.extractor.settings.options)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Load the article of the response for the item, and return the item unchanged."""
        if response is not None:
            article = self.extractor.article_for_items(response)
            if article is not None and self.carrier.has_pipeline:
                self.carrier.load(item, self.extractor.settle(article), response)
        return item
