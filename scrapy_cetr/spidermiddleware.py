"""The spider middleware, which passes the article of a page to the items of its callback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any
from weakref import ref

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scrapy_cetr.carrier import set_response_options
from scrapy_cetr.items import ItemWriter, set_response_writer
from scrapy_cetr.owners import Owner


class CetrSpiderMiddleware(BaseSpiderMiddleware):
    """Loads the article of a page for each of its items; CetrPipeline unloads it.

    Only a spider middleware sees a response together with its items.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.writer = ItemWriter.for_crawler(crawler)
        self.extractor = self.writer.extractor
        self.carrier = self.writer.carrier
        # Items may refer to the spider, and thereby keep everything alive.
        crawler.signals.connect(self.carrier.owners.clear, signals.spider_closed)

    def process_spider_input(self, response: Response) -> None:
        """Make the crawl known to a callback that asks for the article or attaches an item."""
        rule, options = self.extractor.rule_and_options(response.url)
        set_response_options(response, options, rule)
        set_response_writer(response, self.writer)
        if response.request is not None:
            self.carrier.owners.restore(response.request)

    def process_spider_output(
        self,
        response: Response | None,
        result: Iterable[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> Iterator[Any]:
        """Process the output of a callback, and let what was read of its page go."""
        try:
            yield from super().process_spider_output(response, result)
        finally:
            self.extractor.release(response)

    async def process_spider_output_async(
        self,
        response: Response | None,
        result: AsyncIterator[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Do the same for a callback that yields asynchronously."""
        try:
            async for output in super().process_spider_output_async(response, result):
                yield output
        finally:
            self.extractor.release(response)

    def get_processed_request(self, request: Request, response: Response | None) -> Request:
        """Note which of the items in a request belong to a page already."""
        if response is not None:
            self.carrier.owners.mark(request)
        return request

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Load the article of the response for the item, and return the item unchanged."""
        if response is None:
            return item
        owner = self.carrier.owners.of(item)
        if owner is not None and not owner.is_page(response):
            self.carrier.load(item, owner, response)
            self.carrier.owners.note_yielded(item, owner)
            return item
        article = self.extractor.article_for_items(response)
        if article is not None and self.carrier.has_pipeline:
            article = self.extractor.settle(article)
            self.carrier.load(item, article, response)
            owner = Owner(page=ref(response), reason=self.writer.reason_to_drop(article))
            self.carrier.owners.note_yielded(item, owner)
        return item
