"""Carries articles: from a response to its callback, and from a callback to the item pipelines.

Item pipelines never see the response of an item, and ``request.meta`` would be written to the
queues of a JOBDIR. So articles are kept here, for as long as their response is alive.
"""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakKeyDictionary, finalize

from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.owners import ItemOwners, Owner

_articles: WeakKeyDictionary[Response, Article] = WeakKeyDictionary()
_options: WeakKeyDictionary[Response, tuple[Options, PageRule | None]] = WeakKeyDictionary()


def response_article(response: Response) -> Article | None:
    """Return the article of a response, or None if it was not extracted yet."""
    return _articles.get(response)


def set_response_article(response: Response, article: Article) -> None:
    """Keep the article of a response until the response is gone."""
    _articles[response] = article


def response_options(response: Response) -> tuple[Options, PageRule | None]:
    """Return the options and the site rule of a response, by its crawl or else the defaults."""
    return _options.get(response, (Options(), None))


def set_response_options(
    response: Response, options: Options, rule: PageRule | None = None
) -> None:
    """Keep the options and the rule for a response, in case its callback asks for an article."""
    _options[response] = options, rule


class Carrier:
    """Keeps the articles of the items of one crawl between spider middleware and pipeline."""

    _carriers: ClassVar[WeakKeyDictionary[Crawler, Carrier]] = WeakKeyDictionary()

    def __init__(self) -> None:
        # Set by the pipeline. Without one, nothing would ever unload an item.
        self.has_pipeline = False
        self.owners = ItemOwners()
        # By id(item), because many types of items are neither hashable nor weakly referenceable.
        # The item itself is kept, too, so that its id is not used again.
        self._loads: dict[int, tuple[Any, Article | Owner, set[int]]] = {}
        self._ids: WeakKeyDictionary[Response, set[int]] = WeakKeyDictionary()

    @classmethod
    def for_crawler(cls, crawler: Crawler) -> Carrier:
        """Return the carrier that all components of a crawl share."""
        if crawler not in cls._carriers:
            cls._carriers[crawler] = cls()
        return cls._carriers[crawler]

    def load(self, item: Any, article: Article | Owner, response: Response) -> None:
        """Keep an article for an item until it is unloaded or the response is gone.

        An item that has the fields of another page already is loaded with its owner instead.
        """
        self.unload(item)
        ids = self._ids.get(response)
        if ids is None:
            ids = self._ids[response] = set()
            finalize(response, _forget, self._loads, ids).atexit = False
        ids.add(id(item))
        self._loads[id(item)] = (item, article, ids)

    def unload(self, item: Any) -> Article | Owner | None:
        """Remove and return what was loaded for an item, or None."""
        _, article, ids = self._loads.pop(id(item), (None, None, set()))
        ids.discard(id(item))
        return article


def _forget(loads: dict[int, Any], ids: set[int]) -> None:
    for key in ids:
        loads.pop(key, None)
