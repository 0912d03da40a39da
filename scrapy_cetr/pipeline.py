"""Writes articles into items."""

from __future__ import annotations

import logging
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from scrapy_cetr.crawl import Crawl
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.decoding import decode

logger = logging.getLogger("scrapy_cetr")


class CetrPipeline:
    """Writes; its order has to be below that of the pipelines that store items."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl
        crawl.has_pipeline = True
        self._warned: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Crawl.of(crawler))

    async def process_item(self, item: Any) -> Any:
        """Fill the fields of an item from the article of its page, or from its own HTML."""
        found = self.crawl.unload(item)
        if not ItemAdapter.is_item(item):
            return item
        adapter = ItemAdapter(item)
        if found is None:
            found = await self._from_own_html(adapter)
        if found is None:
            return item
        if found.short and self.crawl.settings.short == "drop":
            raise DropItem(f"fewer words than CETR_MIN_WORDS on {found.url}")
        self._write(adapter, found)
        return item

    async def _from_own_html(self, adapter: ItemAdapter) -> Article | None:
        settings = self.crawl.settings
        html = _value(adapter, settings.html_field) if settings.html_field else None
        if isinstance(html, bytes):
            html = decode(html)
        if not isinstance(html, str) or not html:
            return None
        url = _value(adapter, "url")
        return await self.crawl.extract(
            html, url=url if isinstance(url, str) else None, options=settings.options
        )

    def _write(self, adapter: ItemAdapter, found: Article) -> None:
        """Write the fields that the spider has not filled itself."""
        written = False
        for field, attribute in self.crawl.settings.fields.items():
            if not _is_empty(_value(adapter, field)):
                continue
            try:
                adapter[field] = getattr(found, attribute)
                written = True
            except Exception as error:
                self._refused(adapter.item, field, error)
        if written:
            self.crawl.count("items")

    def _refused(self, item: Any, field: str, error: Exception) -> None:
        """Count a field that an item does not take, and warn of it once for each class."""
        self.crawl.count("items/refused")
        if (type(item), field) not in self._warned:
            self._warned.add((type(item), field))
            logger.warning(
                "%s does not take the field %r (%s): declare it, or map CETR_FIELDS to others",
                type(item).__qualname__,
                field,
                error,
            )


def _value(adapter: ItemAdapter, field: str) -> Any:
    try:
        return adapter.get(field)
    except Exception:
        return None  # such as a field that is declared but has no value so far


def _is_empty(value: object) -> bool:
    # Not by ==, which is not true or false for everything that an item can hold.
    return value is None or (isinstance(value, str) and not value)
