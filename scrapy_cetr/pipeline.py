"""The item pipeline, which writes articles into items."""

from __future__ import annotations

from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from scrapy_cetr.closing import StartItemsWaiter
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.items import ItemWriter, field_value
from scrapy_cetr.owners import Owner


class CetrPipeline:
    """Writes the article of its page into each item, as CETR_FIELDS says.

    Its order must be below those of the pipelines that store items.
    """

    def __init__(self, writer: ItemWriter) -> None:
        self.writer = writer
        self.extractor = writer.extractor
        self.carrier = writer.carrier
        self.carrier.has_pipeline = True
        self._start_items_waiter: StartItemsWaiter | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(ItemWriter.for_crawler(crawler))
        settings = pipeline.extractor.settings
        # process_item() waits only for workers, and only for items with HTML of their own.
        if settings.workers and settings.html_field:
            pipeline._start_items_waiter = StartItemsWaiter(crawler)
        return pipeline

    async def process_item(self, item: Any) -> Any:
        """Fill the fields of an item from the article of its page, or of its own HTML."""
        load = self.carrier.unload(item)
        if not ItemAdapter.is_item(item):
            return item
        adapter = ItemAdapter(item)
        if isinstance(load, Owner):
            if load.reason:
                raise DropItem(load.reason)
            return item
        article = load or await self._extract_own_html(adapter)
        if article is None:
            return item
        if reason := self.writer.reason_to_drop(article):
            raise DropItem(reason)
        self.writer.write(adapter, article)
        return item

    async def _extract_own_html(self, adapter: ItemAdapter) -> Article | None:
        """Extract the HTML in the field CETR_HTML_FIELD of an item; None if there is none."""
        settings = self.extractor.settings
        html = field_value(adapter, settings.html_field) if settings.html_field else None
        if isinstance(html, bytes):
            html = decode(html)
        if not isinstance(html, str) or not html:
            return None
        url = field_value(adapter, "url")
        url = url if isinstance(url, str) else None
        _, options = self.extractor.rule_and_options(url)
        article = await self.extractor.extract(html, url=url, options=options)
        return self.extractor.settle(article)
