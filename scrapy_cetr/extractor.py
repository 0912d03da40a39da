"""What the components share in one crawl: settings, statistics, workers and carried articles."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cache, partial
from time import perf_counter
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary, finalize, proxy

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings

from scrapy_cetr.extraction.article import LAZY, Article, extract_article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.reports.recorder import CrawlSurvey
from scrapy_cetr.responses import page_html, remember, remembered
from scrapy_cetr.settings import read_settings, request_options
from scrapy_cetr.workers import WorkerError, WorkerPool

logger = logging.getLogger("scrapy_cetr")

BAD_SETTINGS = "cetr_settings"


class Crawl:
    """The extraction of one crawl, whichever components of it are enabled."""

    _crawls: ClassVar[WeakKeyDictionary[Crawler, Crawl]] = WeakKeyDictionary()

    def __init__(self, crawler: Crawler) -> None:
        # Weakly, or the crawler would live as long as what is found by it, which is forever.
        self._crawler: Crawler = proxy(crawler)
        self._pool: WorkerPool | None = None
        self.has_pipeline = False  # whether somebody will ask for carried articles
        # An item and its article by the id of the item, which few kinds of items can be a key
        # themselves; and the ids by response, to forget them with it.
        self._carried: dict[int, tuple[Any, Article, set[int]]] = {}
        self._ids: WeakKeyDictionary[Response, set[int]] = WeakKeyDictionary()
        try:
            self.settings = read_settings(crawler.settings)
        except ValueError as error:
            # Raised here, it would be shown with a traceback, and by some commands not at all.
            logger.error("%s", error)
            self.settings = read_settings(BaseSettings())
            crawler.signals.connect(self._stop, signals.spider_opened)
        self._survey = CrawlSurvey(self.settings.report)
        crawler.signals.connect(self._close, signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """Find what is shared in a crawl; raise NotConfigured where CETR_ENABLED is false."""
        with suppress(ValueError):
            # What is neither true nor false is reported with the other settings.
            if not crawler.settings.getbool("CETR_ENABLED", True):
                raise NotConfigured("CETR_ENABLED is false")
        if crawler not in cls._crawls:
            cls._crawls[crawler] = cls(crawler)
        return cls._crawls[crawler]

    def count(self, name: str, value: float = 1) -> None:
        """Add to a statistic of the crawl."""
        if self._crawler.stats is not None:
            # Seconds are counted too, which the types of Scrapy do not foresee.
            self._crawler.stats.inc_value(f"cetr/{name}", cast("int", value))

    async def extract_response(self, request: Request, response: Response) -> None:
        """Extract a crawled page, once, and remember its article."""
        if remembered(response) is not None:
            return
        reason = _reason_to_skip(request, response)
        if reason is not None:
            self.count(f"skipped/{reason}")
            return
        html, options = self._html(response), self._options(request, response)
        remember(response, await self.extract(html, url=response.url, options=options))

    def article_of(self, response: Response) -> Article | None:
        """Give the article of a response; extract it now if nobody has, and if it has one."""
        found, request = remembered(response), response.request
        if request and request.meta.get("cetr") is False:
            return None
        # A page with an error has reached a callback after all, if it gets here.
        if found is None and request and _reason_to_skip(request, response) in (None, "status"):
            html, options = self._html(response), self._options(request, response)
            found = self._extract_now(html, url=response.url, options=options)
            remember(response, found)
        return found

    def _html(self, response: Response) -> str:
        try:
            return page_html(response)
        except Exception as error:
            self._report(error, url=response.url)
            return ""

    def _options(self, request: Request, response: Response) -> Options:
        """Apply the options of a request; those of the crawl, if there is a mistake in them."""
        try:
            return request_options(request.meta.get("cetr"), self.settings.options)
        except (TypeError, ValueError) as error:
            self.count("errors")
            self.count("errors/meta")
            logger.error("Options of the request for %s are not applied: %s", response.url, error)
            return self.settings.options

    async def extract(self, html: str, *, url: str | None, options: Options) -> Article:
        """Extract a page, in a worker if there are any; if that fails, the article is empty."""
        if not self.settings.workers:
            return self._extract_now(html, url=url, options=options)
        if self._pool is None:
            self._pool = WorkerPool(
                self.settings.workers,
                timeout=self.settings.timeout,
                attributes=self.settings.attributes,
            )
        try:
            found, seconds = await self._pool.extract(html, url=url, options=options)
        except Exception as error:
            return self._failed(error, html, url=url, options=options)
        again = partial(extract_article, html, url=url, options=options)
        return self._counted(found.reviving(cache(again)), html, options=options, seconds=seconds)

    def settled(self, found: Article) -> Article:
        """Work out what the crawl needs of an article, and let its page go."""
        if LAZY.keys().isdisjoint(self.settings.attributes):
            return found.settled(())
        start = perf_counter()
        try:
            return found.settled(self.settings.attributes)
        except Exception as error:
            self._report(error, url=found.url)
            return found.settled(())
        finally:
            self.count("seconds", perf_counter() - start)

    def _extract_now(self, html: str, *, url: str | None, options: Options) -> Article:
        start = perf_counter()
        try:
            found = extract_article(html, url=url, options=options)
        except Exception as error:
            return self._failed(error, html, url=url, options=options)
        return self._counted(found, html, options=options, seconds=perf_counter() - start)

    def _failed(self, error: Exception, html: str, *, url: str | None, options: Options) -> Article:
        """Give an empty article, so that nobody tries again; it may have taken all its time."""
        self.count("pages")
        self._report(error, url=url)
        empty = Article(url=url, method=options.method)
        self._survey.add(empty, html, options=options, failed=True)
        return empty

    def _report(self, error: Exception, *, url: str | None) -> None:
        """Log and count a failure, with the traceback if nobody has foreseen it."""
        self.count("errors")
        self.count(f"errors/{type(error).__name__}")
        foreseen = isinstance(error, WorkerError)
        logger.error("No article of %s: %s", url, error, exc_info=None if foreseen else error)

    def _counted(self, found: Article, html: str, *, options: Options, seconds: float) -> Article:
        self.count("pages")
        self.count("extracted" if found.text else "empty")
        self.count("chars_in", found.page_chars)
        self.count("chars_out", len(found.text))
        self.count("seconds", seconds)
        if found.short:
            self.count("short")
        if found.truncated:
            self.count("truncated")
        self._survey.add(found, html, options=options)
        return found

    def carry(self, item: Any, found: Article, response: Response) -> None:
        """Keep an article for an item until the pipeline asks for it or the response is gone."""
        if not self.has_pipeline:
            return
        self.unload(item)
        found = self.settled(found)
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
        """End a crawl whose settings are wrong, before its first request."""
        if self._crawler.engine is not None:
            await self._crawler.engine.close_spider_async(reason=BAD_SETTINGS)

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        if self._crawler.stats is not None:
            logger.info("%s", summary(self._crawler.stats.get_stats()))
        spider = self._crawler.spider
        if spider is not None and not _is_tried_out(spider):
            self._survey.write(spider.name)


def _is_tried_out(spider: Spider) -> bool:
    """Tell whether this is no crawl of the spider but one of the commands fetch, parse and check.

    They put a ``start`` of their own into it, for the pages that they are asked for.
    """
    return type(spider).start.__module__.startswith("scrapy.commands.")


def _reason_to_skip(request: Request, response: Response) -> str | None:
    """Tell why a response is not extracted, in the word that it is counted under."""
    if request.callback is NO_CALLBACK:
        return "no_callback"
    if not isinstance(response, HtmlResponse):
        return "not_html"
    if not response.body or request.method == "HEAD":
        return "no_body"
    if request.meta.get("cetr") is False:
        return "meta"
    return "status" if response.status >= 400 else None


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
    removed = max(0, round(100 * (1 - chars_out / chars_in))) if chars_in else 0
    return (
        f"articles of {extracted} of {pages} pages; {removed} % of their {chars_in} characters"
        f" removed; {errors} errors"
    )
