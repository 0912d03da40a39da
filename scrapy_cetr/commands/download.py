"""Downloads pages for ``scrapy cetr`` with Scrapy and the settings of the project.

The crawl runs in the main thread, as reactors and signal handlers want it. Another thread consumes
the pages while they come in.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from queue import Full, Queue
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.datatypes import SequenceExclude
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.extraction.batch import Record
from scrapy_cetr.responses import page_html

if TYPE_CHECKING:
    from scrapy.crawler import Crawler, CrawlerProcessBase

# Downloaded pages that wait for the consumer; the crawl waits when there are more.
_WAITING_PAGES = 64
_NOT_DOWNLOADED = "was not downloaded; run with -s LOG_ENABLED=1 to see why"


class Downloads:
    """The pages of some URLs. ``urls`` is called several times, so a list need not be in memory."""

    def __init__(self, urls: Callable[[], Iterable[str]], process: CrawlerProcessBase) -> None:
        self._urls = urls
        self._process = process
        self._queue: Queue[InputPage | None] = Queue(_WAITING_PAGES)
        self._missing: set[str] = set()
        self._consumed = threading.Event()
        self._failure: BaseException | None = None
        #: Why the crawl ended before all pages were downloaded: "shutdown" is a Ctrl-C.
        self.stopped: str | None = None

    def run(self, consume: Callable[[Iterator[InputPage]], None]) -> None:
        """Download the pages while ``consume`` takes them in another thread."""
        thread = threading.Thread(
            target=self._consume, args=(consume,), name="scrapy-cetr-pages", daemon=True
        )
        thread.start()
        crawlers: list[Crawler] = []
        try:
            for spider in self._spiders():
                crawlers.append(self._process.create_crawler(self._spider(spider)))
                self._process.crawl(crawlers[-1])
            if crawlers:
                self._process.start()
            self.stopped = _stop_reason(crawlers)
            for url in () if self.stopped else sorted(self._missing):
                self._put(failed_download(url, _NOT_DOWNLOADED))
        finally:
            self._put(None)
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _consume(self, consume: Callable[[Iterator[InputPage]], None]) -> None:
        try:
            consume(iter(self._queue.get, None))
        except BaseException as error:
            self._failure = error
        finally:
            self._consumed.set()

    def _put(self, page: InputPage | None) -> None:
        """Wait until the consumer has room; drop the page if it has stopped."""
        while not self._consumed.is_set():
            with suppress(Full):
                self._queue.put(page, timeout=0.2)
                return

    async def _deliver(self, page: InputPage) -> None:
        if self._consumed.is_set():
            raise CloseSpider("the pages cannot be processed")
        if is_asyncio_available():
            await asyncio.to_thread(self._put, page)
        else:
            await deferToThread(self._put, page)

    def _spiders(self) -> list[type[Spider]]:
        """Return the spiders of the project that handle some of the URLs, or the default one."""
        if not self._process.spider_loader.list():
            return [DefaultSpider]
        return list(dict.fromkeys(map(self._spider_for, self._urls())))

    def _spider_for(self, url: str) -> type[Spider]:
        try:
            request = Request(url)
        except ValueError:
            return DefaultSpider
        found: type[Spider] = spidercls_for_request(
            self._process.spider_loader, request, DefaultSpider
        )
        return found

    def _spider(self, spider: type[Spider]) -> type[Spider]:
        """Return a subclass of a spider that starts with its URLs instead of its own requests."""
        downloads = self

        async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001
            seen: set[int] = set()  # hashes, which take less memory than URLs
            for url in downloads._urls():
                if hash(url) in seen or downloads._spider_for(url) is not spider:
                    continue
                seen.add(hash(url))
                try:
                    yield downloads._request(url)
                except ValueError as error:
                    await downloads._deliver(failed_download(url, f"is not a valid URL: {error}"))

        return type(spider.__name__, (spider,), {"start": start})

    def _request(self, url: str) -> Request:
        async def parse(response: Response) -> None:
            self._missing.discard(url)
            await self._deliver(_downloaded(url, response))

        async def fail(failure: Failure) -> None:
            self._missing.discard(url)
            reason = str(failure.value) or type(failure.value).__name__
            error = f"cannot be downloaded: {' '.join(reason.split())}"
            await self._deliver(failed_download(url, error))

        # The callback handles all statuses but redirects, which are followed.
        meta = {"handle_httpstatus_list": SequenceExclude(range(300, 400))}
        request = Request(url, callback=parse, errback=fail, meta=meta, dont_filter=True)
        self._missing.add(url)
        return request


def _stop_reason(crawlers: Iterable[Crawler]) -> str | None:
    """Return why crawls ended early, or None; "failed" is a crawl that could not start."""
    early = {_finish_reason(crawler) for crawler in crawlers} - {"finished"}
    return "shutdown" if "shutdown" in early else next(iter(early), None)


def _finish_reason(crawler: Crawler) -> str:
    if crawler.spider is None or crawler.stats is None:
        return "failed"
    # A Ctrl-C at the start of a crawl may end it before the reason is noted.
    return str(crawler.stats.get_value("finish_reason") or "shutdown")


def failed_download(url: str, error: str) -> InputPage:
    """Return a page that stands for a failed download."""
    record = Record(url=url, error=error)
    return InputPage(name=url, record=record, file_name=url, url=url)


def _downloaded(url: str, response: Response) -> InputPage:
    if response.status >= 400:
        return failed_download(url, f"cannot be downloaded: HTTP status {response.status}")
    if not isinstance(response, (HtmlResponse, XmlResponse)):
        kind = (response.headers.get("Content-Type") or b"unknown").decode("latin-1")
        return failed_download(url, f"is not HTML; its content type is {kind}")
    record = Record(page_html(response), url=response.url)
    return InputPage(name=url, record=record, file_name=url, url=url)
