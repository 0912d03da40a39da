"""The item pipeline, which writes articles into items."""

from __future__ import annotations

import logging
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from scrapy_cetr.carrier import Carrier
from scrapy_cetr.closing import StartItemsWaiter
from scrapy_cetr.extraction.article import Article, as_json_value
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extractor import Extractor

logger = logging.getLogger("scrapy_cetr")


class CetrPipeline:
    """Writes the article of its page into each item, as CETR_FIELDS says.

    Its order must be below those of the pipelines that store items.
    """

    def __init__(self, extractor: Extractor, carrier: Carrier) -> None:
        self.extractor = extractor
        self.carrier = carrier
        carrier.has_pipeline = True
        self._start_items_waiter: StartItemsWaiter | None = None
        self._warned: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(Extractor.for_crawler(crawler), Carrier.for_crawler(crawler))
        settings = pipeline.extractor.settings
        # process_item() waits only for workers, and only for items with HTML of their own.
        if settings.workers and settings.html_field:
            pipeline._start_items_waiter = StartItemsWaiter(crawler)
        return pipeline

    async def process_item(self, item: Any) -> Any:
        """Fill the fields of an item from the article of its page, or of its own HTML."""
        article = self.carrier.unload(item)
        if not ItemAdapter.is_item(item):
            return item
        adapter = ItemAdapter(item)
        if article is None:
            article = await self._extract_own_html(adapter)
        if article is None:
            return item
        if reason := self._reason_to_drop(article):
            raise DropItem(f"{reason}: {article.url}")
        self._write(adapter, article)
        return item

    def _reason_to_drop(self, article: Article) -> str | None:
        """Return why an item is dropped, or None. Unknown values never drop an item."""
        settings = self.extractor.settings
        if article.short and settings.short == "drop":
            return "fewer words than CETR_MIN_WORDS"
        probability = article.probability
        is_unlikely = probability is not None and probability < settings.min_probability
        if is_unlikely and settings.not_article == "drop":
            return f"probability {probability:.2f} is below CETR_MIN_PROBABILITY"
        language = article.language if settings.languages else None
        if language and language.partition("-")[0].lower() not in settings.languages:
            return f"language {language} is not in CETR_LANGUAGES"
        return None

    async def _extract_own_html(self, adapter: ItemAdapter) -> Article | None:
        """Extract the HTML in the field CETR_HTML_FIELD of an item; None if there is none."""
        settings = self.extractor.settings
        html = field_value(adapter, settings.html_field) if settings.html_field else None
        if isinstance(html, bytes):
            html = decode(html)
        if not isinstance(html, str) or not html:
            return None
        url = field_value(adapter, "url")
        article = await self.extractor.extract(
            html, url=url if isinstance(url, str) else None, options=settings.options
        )
        return self.extractor.settle(article)

    def _write(self, adapter: ItemAdapter, article: Article) -> None:
        """Write the fields that the spider has left empty."""
        written = False
        shapes = self.extractor.settings.shapes
        for field, attribute in self.extractor.settings.fields.items():
            if not _is_empty(field_value(adapter, field)):
                continue
            value = getattr(article, attribute)
            if shapes is not None:
                if value is None or value == () or value == "":
                    continue
                value = shapes.get(field, as_json_value)(value)
            try:
                adapter[field] = as_json_value(value)
                written = True
            except Exception as error:
                self._count_refused(adapter.item, field, error)
        if written:
            self.extractor.count("items")

    def _count_refused(self, item: Any, field: str, error: Exception) -> None:
        """Count a field that an item refuses; log a warning once per item class and field."""
        self.extractor.count("items/refused")
        if (type(item), field) not in self._warned:
            self._warned.add((type(item), field))
            logger.warning(
                "%s does not accept the field %r (%s): declare the field in the item class,"
                " or map another field in CETR_FIELDS",
                type(item).__qualname__,
                field,
                error,
            )


def field_value(adapter: ItemAdapter, field: str) -> Any:
    """Return the value of a field, or None if the item does not have it."""
    try:
        return adapter.get(field)
    except Exception:
        return None  # for example, a declared dataclass field without a value


def _is_empty(value: object) -> bool:
    # == would return an array for an array.
    return value is None or (isinstance(value, str) and not value)
