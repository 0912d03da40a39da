"""Items: writing articles into their fields, and attaching them to a page."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_cetr import zyte
from scrapy_cetr.carrier import Carrier
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.attributes import as_json_value
from scrapy_cetr.extraction.kind import ARTICLE
from scrapy_cetr.extractor import Extractor

logger = logging.getLogger("scrapy_cetr")


class ItemWriter:
    """Writes articles into the items of one crawl, as CETR_FIELDS says."""

    _writers: ClassVar[WeakKeyDictionary[Crawler, ItemWriter]] = WeakKeyDictionary()

    def __init__(self, extractor: Extractor, carrier: Carrier) -> None:
        self.extractor = extractor
        self.carrier = carrier
        self._warned: set[tuple[type, str]] = set()

    @classmethod
    def for_crawler(cls, crawler: Crawler) -> ItemWriter:
        """Return the writer that all components of a crawl share."""
        extractor, carrier = Extractor.for_crawler(crawler), Carrier.for_crawler(crawler)
        if crawler not in cls._writers:
            cls._writers[crawler] = cls(extractor, carrier)
        return cls._writers[crawler]

    def attach(self, item: Any, response: Response, article: Article | None) -> None:
        """Fill an item from the article of a response, unless it belongs to a page already."""
        if not self.carrier.has_pipeline or self.carrier.owners.of(item) is not None:
            return
        if article is None:
            found = self.extractor.article_for_items(response, attached=True)
        else:
            # Pages that are short one by one need not be short together.
            min_words = self.extractor.settings.options.min_words
            found = replace(article, short=article.words < min_words)
        reason = None
        if found is not None:
            found = self.extractor.settle(found)
            reason = self.reason_to_drop(found)
            if reason is None:
                self.write(ItemAdapter(item), found)
        self.carrier.owners.attach(item, reason=reason)

    def reason_to_drop(self, article: Article) -> str | None:
        """Return why an item is dropped, or None. Unknown values never drop an item."""
        settings = self.extractor.settings
        reason = None
        probability, kind = article.probability, article.kind
        language = article.language if settings.languages else None
        if article.short and settings.short == "drop":
            reason = "fewer words than CETR_MIN_WORDS"
        elif settings.not_article == "drop" and kind not in (None, ARTICLE):
            reason = f"the kind of the page is {kind}, and CETR_NOT_ARTICLE is 'drop'"
        elif probability is not None and probability < settings.min_probability:
            reason = f"probability {probability:.2f} is below CETR_MIN_PROBABILITY"
        elif language and language.partition("-")[0].lower() not in settings.languages:
            reason = f"language {language} is not in CETR_LANGUAGES"
        return f"{reason}: {article.url}" if reason else None

    def write(self, adapter: ItemAdapter, article: Article) -> None:
        """Write the fields that the spider has left empty."""
        written = False
        shapes = self.extractor.settings.shapes
        for field, attribute in self.extractor.settings.fields.items():
            current = field_value(adapter, field)
            if not _is_empty(current):
                continue
            value = getattr(article, attribute)
            # An empty value would replace the default of the item class by one of another type.
            if _is_empty(value) and (shapes is not None or current is not None):
                continue
            try:
                if shapes is not None:
                    value = zyte.in_class_of(
                        adapter.item, field, shapes.get(field, as_json_value)(value)
                    )
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


_response_writers: WeakKeyDictionary[Response, ItemWriter] = WeakKeyDictionary()


def set_response_writer(response: Response, writer: ItemWriter) -> None:
    """Make the writer of a crawl known to a callback that attaches items to a response."""
    _response_writers[response] = writer


def attach(item: Any, response: Response, *, article: Article | None = None) -> None:
    """Fill an item from the article of a response now, whichever callback yields it later.

    ``article`` replaces the article of the response, for example by one of several pages. An item
    that was attached before, or belongs to another page already, is not changed.

    Without a crawl, or if the plugin is disabled, nothing happens.
    """
    if not ItemAdapter.is_item(item):
        raise TypeError(
            "attach() takes an item first, such as a dict, an Item or a dataclass,"
            f" and then a response; not {item!r}"
        )
    writer = _response_writers.get(response)
    if writer is not None:
        writer.attach(item, response, article)


def field_value(adapter: ItemAdapter, field: str) -> Any:
    """Return the value of a field, or None if the item does not have it."""
    try:
        return adapter.get(field)
    except Exception:
        return None  # for example, a declared dataclass field without a value


def _is_empty(value: object) -> bool:
    """Return whether a value is None, blank, or a collection without elements.

    >>> [_is_empty(value) for value in (None, " ", [], {}, 0, False)]
    [True, True, True, True, False, False]
    """
    if isinstance(value, str | bytes):
        return not value.strip()
    # Other types are values of the spider: == and bool() of an array do not return a boolean.
    if isinstance(value, list | tuple | dict | set | frozenset):
        return len(value) == 0
    return value is None
