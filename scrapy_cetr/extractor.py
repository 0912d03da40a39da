"""The extraction of one crawl: its settings, statistics, errors and workers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from time import perf_counter
from typing import Any, ClassVar, Protocol
from weakref import WeakKeyDictionary, proxy

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object

from scrapy_cetr.carrier import response_article, set_response_article
from scrapy_cetr.extraction.article import LAZY, Article, extract_article
from scrapy_cetr.extraction.html.decoding import EncodedPage
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.memory import MemoryOfCrawl
from scrapy_cetr.responses import encoded_page
from scrapy_cetr.settings import request_options
from scrapy_cetr.site_statistics import RuleCounts
from scrapy_cetr.startup import memory_of, settings_of
from scrapy_cetr.summary import summary
from scrapy_cetr.workers import WorkerError, WorkerPool

logger = logging.getLogger("scrapy_cetr")

# Loaded by its path, as Scrapy loads components, and only if CETR_REPORT is set: reports are built
# on top of the Scrapy components, not the other way round.
REPORTER = "scrapy_cetr.reports.recorder.CrawlReporter"


class Reporter(Protocol):
    """Collects the pages of a crawl, and writes a report on them. Its methods never raise."""

    def add(
        self, article: Article, html: str, *, options: Options, failed: bool = False
    ) -> None: ...

    def write(self, name: str) -> None: ...


class Extractor:
    """Extracts pages for the components of one crawl, whichever of them are enabled.

    An error on a page is logged and counted; the page then has an empty article.
    """

    _extractors: ClassVar[WeakKeyDictionary[Crawler, Extractor]] = WeakKeyDictionary()

    def __init__(self, crawler: Crawler) -> None:
        # A strong reference from a value to its key would keep both in _extractors for ever.
        self._crawler: Crawler = proxy(crawler)
        self._pool: WorkerPool | None = None
        self._misses_counts = False
        self._milliseconds = 0.0  # not yet counted
        self.settings = settings_of(crawler)
        self._rule_counts = RuleCounts(self.settings.sites)
        self._again: WeakKeyDictionary[Response, Callable[[], Article]] = WeakKeyDictionary()
        self._memory: MemoryOfCrawl | None = memory_of(crawler, self.settings)
        self._reporter: Reporter | None = None
        if self.settings.report is not None:
            self._reporter = load_object(REPORTER)(
                self.settings.report,
                folder=job_dir(crawler.settings),
            )
        crawler.signals.connect(self._close, signals.spider_closed)

    @classmethod
    def for_crawler(cls, crawler: Crawler) -> Extractor:
        """Return the extractor that all components of a crawl share.

        Raise NotConfigured if CETR_ENABLED is false, and SettingsError for an invalid setting.
        """
        with suppress(ValueError):
            # read_settings() reports a value that is no boolean, with all other mistakes.
            if not crawler.settings.getbool("CETR_ENABLED", True):
                raise NotConfigured("CETR_ENABLED is false")
        if crawler not in cls._extractors:
            cls._extractors[crawler] = cls(crawler)
        return cls._extractors[crawler]

    def count(self, name: str, value: int = 1) -> None:
        """Increase the statistic ``cetr/<name>`` of the crawl; an error is logged once.

        Values are whole numbers, as not every collector adds others.
        """
        try:
            if self._crawler.stats is not None:
                self._crawler.stats.inc_value(f"cetr/{name}", value)
        except Exception as error:
            if not self._misses_counts:
                self._misses_counts = True
                logger.error("Statistics are incomplete: %s", error, exc_info=error)

    def _count_seconds(self, seconds: float) -> None:
        """Count milliseconds; what is left of them is added next time."""
        self._milliseconds += seconds * 1000
        whole = int(self._milliseconds)
        self._milliseconds -= whole
        self.count("milliseconds", whole)

    async def extract_response(self, request: Request, response: Response) -> None:
        """Extract a page and keep its article with the response, unless that was done before."""
        if response_article(response) is not None:
            return
        reason = _reason_to_skip(request, response)
        if reason is not None:
            self.count(f"skipped/{reason}")
            return
        page, options = self._page(response), self._options(request, response)
        article = await self.extract(page, url=response.url, options=options)
        self._keep(response, article, page, options)

    def article_for_items(self, response: Response, *, attached: bool = False) -> Article | None:
        """Return the article for the items of a response, or None if the response is skipped.

        It is extracted now if that was not done before. Items can be ``attached`` to a response
        without a callback, too.
        """
        article, request = response_article(response), response.request
        if request is None:
            return article
        # A callback may have asked for the article nevertheless.
        if request.meta.get("cetr") is False or _is_error_page(request, response):
            return None
        wanted = (None, "no_callback") if attached else (None,)
        if article is None and _reason_to_skip(request, response) in wanted:
            page, options = self._page(response), self._options(request, response)
            article = self._extract_inline(page, url=response.url, options=options)
            self._keep(response, article, page, options)
        return article

    def _keep(
        self, response: Response, article: Article, page: str | EncodedPage, options: Options
    ) -> None:
        """Keep the article of a response, and how to extract it again."""
        set_response_article(response, article)
        rule = self.settings.sites.for_url(response.url)
        self._again[response] = partial(
            _extract, page, url=response.url, options=options, rule=rule
        )

    def release(self, response: Response | None) -> None:
        """Let what was read of a page go after its callback.

        Responses stay alive until the garbage collector finds them, and their articles as long.
        Who asks for more of the article later extracts it again.
        """
        again = self._again.pop(response, None) if response is not None else None
        if response is not None and again is not None and (article := response_article(response)):
            set_response_article(response, article.reviving(cache(again)))

    def _page(self, response: Response) -> str | EncodedPage:
        """Return a page as it came, or nothing of it if its encoding cannot be told."""
        try:
            return encoded_page(response)
        except Exception as error:
            self._report(error, url=response.url)
            return ""

    def _options(self, request: Request, response: Response) -> Options:
        """Return the options of a request, or those of the crawl if they are invalid."""
        _, options = self.rule_and_options(response.url)
        try:
            return request_options(request.meta.get("cetr"), options)
        except (TypeError, ValueError) as error:
            self.count("errors")
            self.count("errors/meta")
            logger.error("Ignored meta['cetr'] of the request for %s: %s", response.url, error)
            return options

    def rule_and_options(self, url: str | None) -> tuple[PageRule | None, Options]:
        """Return what CETR_SITES says about a page, and the options of the crawl for it."""
        rule, options = self.settings.sites.for_url(url), self.settings.options
        return rule, options if rule is None else rule.with_options(options)

    async def extract(
        self, page: str | EncodedPage, *, url: str | None, options: Options
    ) -> Article:
        """Extract a page, in a worker process if CETR_WORKERS is set."""
        if not self.settings.workers:
            return self._extract_inline(page, url=url, options=options)
        if self._pool is None:
            self._pool = WorkerPool(
                self.settings.workers,
                timeout=self.settings.timeout,
                attributes=self.settings.attributes,
            )
        rule = self.settings.sites.for_url(url)
        site = self._memory.site(url) if self._memory is not None else None
        try:
            article, seconds, seen = await self._pool.extract(
                page, url=url, options=options, rule=rule, site=site
            )
        except Exception as error:
            return self._failed(error, page, url=url, options=options)
        if self._memory is not None:
            self._memory.learn(url, seen)
        # Workers send only the attributes that the crawl needs. For others, which a callback may
        # ask for, the page is extracted here, at most once.
        again = cache(partial(_extract, page, url=url, options=options, rule=rule))
        return self._counted(article.reviving(again), page, options=options, seconds=seconds)

    def settle(self, article: Article) -> Article:
        """Compute the attributes that the crawl needs, and release the page of an article."""
        if LAZY.keys().isdisjoint(self.settings.attributes):
            return article.settled(())
        start = perf_counter()
        try:
            return article.settled(self.settings.attributes)
        except Exception as error:
            self._report(error, url=article.url)
            return article.settled(())
        finally:
            self._count_seconds(perf_counter() - start)

    def _extract_inline(
        self, page: str | EncodedPage, *, url: str | None, options: Options
    ) -> Article:
        start = perf_counter()
        try:
            rule = self.settings.sites.for_url(url)
            evidence = self._memory.evidence(url) if self._memory is not None else None
            article = _extract(page, url=url, options=options, rule=rule, evidence=evidence)
            if self._memory is not None and evidence is not None:
                self._memory.learn(url, evidence.seen)
        except Exception as error:
            return self._failed(error, page, url=url, options=options)
        return self._counted(article, page, options=options, seconds=perf_counter() - start)

    def _failed(
        self, error: Exception, page: str | EncodedPage, *, url: str | None, options: Options
    ) -> Article:
        """Return an empty article, which also prevents a second attempt that may take as long."""
        self.count("pages")
        self._report(error, url=url)
        empty = Article(url=url, method=options.method)
        if self._reporter is not None:
            self._reporter.add(empty, _text(page), options=options, failed=True)
        return empty

    def _report(self, error: Exception, *, url: str | None) -> None:
        """Count and log an error, with a traceback unless a worker reported it."""
        self.count("errors")
        self.count(f"errors/{type(error).__name__}")
        traceback = None if isinstance(error, WorkerError) else error
        logger.error("Cannot extract %s: %s", url, error, exc_info=traceback)

    def _counted(
        self, article: Article, page: str | EncodedPage, *, options: Options, seconds: float
    ) -> Article:
        self.count("pages")
        self.count("extracted" if article.text else "empty")
        self._count_kind(article)
        self.count("chars_in", article.page_chars)
        self.count("chars_out", len(article.text))
        self._count_seconds(seconds)
        if article.short:
            self.count("short")
        if article.truncated:
            self.count("truncated")
        self._rule_counts.add(article, self.count)
        if self._reporter is not None:
            self._reporter.add(article, _text(page), options=options)
        return article

    def _count_kind(self, article: Article) -> None:
        """Count articles and kinds; an error in the kind must not cost the text."""
        try:
            kind = article.kind
        except Exception as error:
            self._report(error, url=article.url)
            return
        if article.is_article:
            self.count("articles")
        if kind is not None:
            self.count(f"kind/{kind}")

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        if self._memory is not None:
            self._memory.close()
        self._rule_counts.report(self.count)
        if self._crawler.stats is not None:
            try:
                logger.info("%s", summary(self._crawler.stats.get_stats()))
            except Exception as error:
                logger.error("Statistics cannot be read: %s", error, exc_info=error)
        spider = self._crawler.spider
        if self._reporter is not None and spider is not None and not _is_run_by_command(spider):
            self._reporter.write(spider.name)


def _text(page: str | EncodedPage) -> str:
    return page if isinstance(page, str) else page.decode()


def _extract(page: str | EncodedPage, **given: Any) -> Article:
    return extract_article(_text(page), **given)


def _is_run_by_command(spider: Spider) -> bool:
    """Return whether a command such as fetch, parse or check uses the spider for single pages.

    These commands replace the ``start`` of the spider.
    """
    return type(spider).start.__module__.startswith("scrapy.commands.")


def _reason_to_skip(request: Request, response: Response) -> str | None:
    """Return why a response is not extracted, as named in the statistics, or None."""
    if request.callback is NO_CALLBACK:
        return "no_callback"
    if not isinstance(response, HtmlResponse):
        return "not_html"
    if not response.body or request.method == "HEAD":
        return "no_body"
    if request.meta.get("cetr") is False:
        return "meta"
    return "status" if _is_error_page(request, response) else None


def _is_error_page(request: Request, response: Response) -> bool:
    """Return whether a response is an error page whose article nobody has asked for."""
    return response.status >= 400 and request.meta.get("cetr") is not True
