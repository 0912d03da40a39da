"""Downloads pages for ``scrapy cetr`` with Scrapy and the settings of the project."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.utils.datatypes import SequenceExclude
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.python.failure import Failure

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.responses import page_html

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase


def download(urls: Sequence[str], process: CrawlerProcessBase) -> Mapping[str, InputPage]:
    """Download pages, each with the spider of the project that handles its URL, if there is one.

    Return an InputPage for each URL, with ``error`` set if the download failed.
    """
    found: dict[str, InputPage] = {}
    requests: dict[type[Spider], list[Request]] = {}
    for url in dict.fromkeys(urls):
        try:
            request = _request(url, found)
        except ValueError as error:
            found[url] = InputPage(name=url, error=f"is not a valid URL: {error}")
            continue
        spider = spidercls_for_request(process.spider_loader, request, DefaultSpider)
        requests.setdefault(spider, []).append(request)
    for spider, spider_requests in requests.items():
        process.crawl(_with_start(spider, spider_requests))
    if requests:
        process.start()
    not_downloaded = "was not downloaded; run with -s LOG_ENABLED=1 to see why"
    return {url: found.get(url, InputPage(name=url, error=not_downloaded)) for url in urls}


def _request(url: str, found: dict[str, InputPage]) -> Request:
    def parse(response: Response) -> None:
        found[url] = _input_page(url, response)

    def fail(failure: Failure) -> None:
        reason = str(failure.value) or type(failure.value).__name__
        found[url] = InputPage(name=url, error=f"cannot be downloaded: {' '.join(reason.split())}")

    # The callback handles all statuses but redirects, which are followed.
    meta = {"handle_httpstatus_list": SequenceExclude(range(300, 400))}
    return Request(url, callback=parse, errback=fail, meta=meta, dont_filter=True)


def _input_page(url: str, response: Response) -> InputPage:
    if response.status >= 400:
        return InputPage(name=url, error=f"cannot be downloaded: HTTP status {response.status}")
    if not isinstance(response, (HtmlResponse, XmlResponse)):
        kind = (response.headers.get("Content-Type") or b"unknown").decode("latin-1")
        return InputPage(name=url, error=f"is not HTML; its content type is {kind}")
    return InputPage(name=url, url=response.url, html=page_html(response))


def _with_start(spider: type[Spider], requests: Sequence[Request]) -> type[Spider]:
    """Return a subclass of a spider that starts with these requests instead of its own."""

    async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001
        for request in requests:
            yield request

    return type(spider.__name__, (spider,), {"start": start})
