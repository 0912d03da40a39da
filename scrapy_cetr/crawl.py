"""What the components share in one crawl: settings, statistics, workers and carried articles."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary, WeakSet, finalize

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.http.request import NO_CALLBACK

from scrapy_cetr.articles import page_html, remember, remembered
from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.settings import CrawlSettings, read_settings, request_options
from scrapy_cetr.workers import WorkerError, WorkerPool

logger = logging.getLogger("scrapy_cetr")

BAD_SETTINGS = "cetr_settings"


class Crawl:
    """The extraction of one crawl, whichever components of it are enabled."""

    _crawls: ClassVar[WeakKeyDictionary[Crawler, Crawl]] = WeakKeyDictionary()

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._pool: WorkerPool | None = None
        self._tried: WeakSet[Response] = WeakSet()
        # An item and its article by the id of the item, which few kinds of items can be a key
        # themselves; and the ids by response, to forget them with it.
        self._carried: dict[int, tuple[Any, Article, set[int]]] = {}
        self._ids: WeakKeyDictionary[Response, set[int]] = WeakKeyDictionary()
        self._settings: CrawlSettings | None = None
        try:
            self._settings = read_settings(crawler.settings)
        except ValueError as error:
            logger.error("%s", error)
            crawler.signals.connect(self._stop, signals.spider_opened)
        crawler.signals.connect(self._close, signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """Find what is shared in a crawl; raise NotConfigured where CETR_ENABLED is false."""
        if not crawler.settings.getbool("CETR_ENABLED", True):
            raise NotConfigured("CETR_ENABLED is false")
        if crawler not in cls._crawls:
            cls._crawls[crawler] = cls(crawler)
        return cls._crawls[crawler]

    @property
    def settings(self) -> CrawlSettings:
        """The settings; a crawl whose settings are wrong ends before it begins."""
        if self._settings is None:
            raise CloseSpider(BAD_SETTINGS)
        return self._settings

    def count(self, name: str, value: float = 1) -> None:
        """Add to a statistic of the crawl."""
        if self._crawler.stats is not None:
            # Seconds are counted too, which the types of Scrapy do not foresee.
            self._crawler.stats.inc_value(f"cetr/{name}", cast("int", value))

    async def extract_response(self, request: Request, response: Response) -> None:
        """Extract a crawled page, once, and remember its article."""
        options = self._options(request, response)
        if options is None:
            return
        self._tried.add(response)
        found = await self.extract(page_html(response), url=response.url, options=options)
        if found is not None:
            remember(response, found)

    def article_of(self, response: Response) -> Article | None:
        """Give the article of a response; extract it now if the downloader middleware is off."""
        found = remembered(response)
        if found is None and response not in self._tried and response.request is not None:
            self._tried.add(response)
            options = self._options(response.request, response, allow_errors=True)
            if options is not None:
                found = self._extract_now(page_html(response), url=response.url, options=options)
            if found is not None:
                remember(response, found)
        return found

    def _options(
        self, request: Request, response: Response, *, allow_errors: bool = False
    ) -> Options | None:
        """Tell how to extract a response; None, and a count of the reason, for not at all."""
        reason = None
        if request.callback is NO_CALLBACK:
            reason = "no_callback"
        elif not isinstance(response, HtmlResponse):
            reason = "not_html"
        elif not response.body or request.method == "HEAD":
            reason = "no_body"
        elif response.status >= 400 and not allow_errors:
            reason = "status"
        else:
            try:
                options = request_options(request.meta.get("cetr"), self.settings.options)
            except (TypeError, ValueError) as error:
                self._report(error, url=response.url)
                return None
            if options is not None:
                return options
            reason = "meta"
        self.count(f"skipped/{reason}")
        return None

    async def extract(self, html: str, *, url: str | None, options: Options) -> Article | None:
        """Extract a page, in a worker if there are any; None, logged and counted, if it fails."""
        if not self.settings.workers:
            return self._extract_now(html, url=url, options=options)
        if self._pool is None:
            self._pool = WorkerPool(self.settings.workers, timeout=self.settings.timeout)
        try:
            found, seconds = await self._pool.extract(html, url=url, options=options)
        except Exception as error:
            self._report(error, url=url)
            return None
        return self._counted(found, seconds=seconds)

    def _extract_now(self, html: str, *, url: str | None, options: Options) -> Article | None:
        start = perf_counter()
        try:
            found = extract_article(html, url=url, options=options)
        except Exception as error:
            self._report(error, url=url)
            return None
        return self._counted(found, seconds=perf_counter() - start)

    def _report(self, error: Exception, *, url: str | None) -> None:
        """Log and count a failure, with the traceback if nobody has foreseen it."""
        self.count("pages")
        self.count("errors")
        self.count(f"errors/{type(error).__name__}")
        foreseen = isinstance(error, WorkerError)
        logger.error("No article of %s: %s", url, error, exc_info=None if foreseen else error)

    def _counted(self, found: Article, *, seconds: float) -> Article:
        self.count("pages")
        self.count("extracted" if found.text else "empty")
        self.count("chars_in", found.page_chars)
        self.count("chars_out", len(found.text))
        self.count("seconds", seconds)
        if found.short:
            self.count("short")
        if found.truncated:
            self.count("truncated")
        return found

    def carry(self, item: Any, found: Article, response: Response) -> None:
        """Keep an article for an item until a pipeline asks for it or the response is gone."""
        self.unload(item)
        ids = self._ids.get(response)
        if ids is None:
            ids = self._ids[response] = set()
            finalize(response, _forget, self._carried, ids).atexit = False
        ids.add(id(item))
        self._carried[id(item)] = (item, found, ids)

    def unload(self, item: Any) -> Article | None:
        """Take the article that was carried for an item."""
        _, found, ids = self._carried.pop(id(item), (None, None, set()))
        ids.discard(id(item))
        return found

    async def _stop(self) -> None:
        if self._crawler.engine is not None:
            await self._crawler.engine.close_spider_async(reason=BAD_SETTINGS)

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        if self._crawler.stats is not None and self._settings is not None:
            logger.info("%s", summary(self._crawler.stats.get_stats()))


def _forget(carried: dict[int, Any], ids: set[int]) -> None:
    for key in ids:
        carried.pop(key, None)


def summary(stats: dict[str, Any]) -> str:
    """Say in one line what was extracted.

    >>> summary({"cetr/pages": 3, "cetr/extracted": 2, "cetr/chars_in": 400, "cetr/chars_out": 100})
    'articles of 2 of 3 pages; 75 % of their 400 characters removed; 0 errors'
    """
    names = ("pages", "extracted", "chars_in", "chars_out", "errors")
    pages, extracted, chars_in, chars_out, errors = (stats.get(f"cetr/{n}", 0) for n in names)
    removed = round(100 * (1 - chars_out / chars_in)) if chars_in else 0
    return (
        f"articles of {extracted} of {pages} pages; {removed} % of their {chars_in} characters"
        f" removed; {errors} errors"
    )
