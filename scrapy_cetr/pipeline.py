"""Writes articles into items."""

from __future__ import annotations

import logging
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from scrapy_cetr.closing import Closing
from scrapy_cetr.extraction.article import Article, as_json_value
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extractor import Crawl

logger = logging.getLogger("scrapy_cetr")


class CetrPipeline:
    """Writes; its order has to be below that of the pipelines that store items."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl
        crawl.has_pipeline = True
        self.closing: Closing | None = None
        self._warned: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(Crawl.of(crawler))
        pipeline.closing = Closing(crawler)  # signals do not keep it
        return pipeline

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
        if reason := self._reason_to_drop(found):
            raise DropItem(f"{reason} on {found.url}")
        self._write(adapter, found)
        return item

    def _reason_to_drop(self, found: Article) -> str | None:
        """Tell why an item is not wanted; what is not known of an article speaks for it."""
        settings = self.crawl.settings
        if found.short and settings.short == "drop":
            return "fewer words than CETR_MIN_WORDS"
        probability, language = found.probability, found.language if settings.languages else None
        unlikely = probability is not None and probability < settings.min_probability
        if unlikely and settings.not_article == "drop":
            return f"probability {probability:.2f}, below CETR_MIN_PROBABILITY,"
        if language and language.partition("-")[0].lower() not in settings.languages:
            return f"the language {language}, which is not in CETR_LANGUAGES,"
        return None

    async def _from_own_html(self, adapter: ItemAdapter) -> Article | None:
        settings = self.crawl.settings
        html = value_of(adapter, settings.html_field) if settings.html_field else None
        if isinstance(html, bytes):
            html = decode(html)
        if not isinstance(html, str) or not html:
            return None
        url = value_of(adapter, "url")
        found = await self.crawl.extract(
            html, url=url if isinstance(url, str) else None, options=settings.options
        )
        return self.crawl.settled(found)

    def _write(self, adapter: ItemAdapter, found: Article) -> None:
        """Write the fields that the spider has not filled itself."""
        written = False
        shapes = self.crawl.settings.shapes
        for field, attribute in self.crawl.settings.fields.items():
            if not _is_empty(value_of(adapter, field)):
                continue
            value = getattr(found, attribute)
            if shapes is not None:
                if value is None or value == () or value == "":
                    continue
                value = shapes.get(field, as_json_value)(value)
            try:
                adapter[field] = as_json_value(value)
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


def value_of(adapter: ItemAdapter, field: str) -> Any:
    """Read a field of an item, or None."""
    try:
        return adapter.get(field)
    except Exception:
        return None  # such as a field that is declared but has no value so far


def _is_empty(value: object) -> bool:
    # Not by ==, which is not true or false for everything that an item can hold.
    return value is None or (isinstance(value, str) and not value)
