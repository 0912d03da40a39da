"""Live pages, through Scrapy's downloader and with the settings of the project."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.utils.datatypes import SequenceExclude
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.python.failure import Failure

from scrapy_cetr.commands.inputs import Stored
from scrapy_cetr.responses import page_html

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase


def download(urls: Sequence[str], process: CrawlerProcessBase) -> Mapping[str, Stored]:
    """Download pages, each by the spider of the project that is made for its site, if one is."""
    found: dict[str, Stored] = {}
    requests: dict[type[Spider], list[Request]] = {}
    for url in dict.fromkeys(urls):
        try:
            request = _request(url, found)
        except ValueError as error:
            found[url] = Stored(name=url, error=f"is no URL: {error}")
            continue
        spider = spidercls_for_request(process.spider_loader, request, DefaultSpider)
        requests.setdefault(spider, []).append(request)
    for spider, wanted in requests.items():
        process.crawl(_only(spider, wanted))
    if requests:
        process.start()
    lost = "was not downloaded; -s LOG_ENABLED=1 may tell why"
    return {url: found.get(url, Stored(name=url, error=lost)) for url in urls}


def _request(url: str, found: dict[str, Stored]) -> Request:
    def take(response: Response) -> None:
        found[url] = _stored(url, response)

    def fail(failure: Failure) -> None:
        reason = str(failure.value) or type(failure.value).__name__
        found[url] = Stored(name=url, error=f"cannot be downloaded: {' '.join(reason.split())}")

    # All but redirects, which are followed, so that an error is told by its number.
    meta = {"handle_httpstatus_list": SequenceExclude(range(300, 400))}
    return Request(url, callback=take, errback=fail, meta=meta, dont_filter=True)


def _stored(url: str, response: Response) -> Stored:
    if response.status >= 400:
        return Stored(name=url, error=f"cannot be downloaded: status {response.status}")
    if not isinstance(response, (HtmlResponse, XmlResponse)):
        kind = (response.headers.get("Content-Type") or b"something unknown").decode("latin-1")
        return Stored(name=url, error=f"is not HTML but {kind}")
    return Stored(name=url, url=response.url, html=page_html(response))


def _only(spider: type[Spider], requests: Sequence[Request]) -> type[Spider]:
    """Make a spider that asks for these pages instead of its own."""

    async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001
        for request in requests:
            yield request

    return type(spider.__name__, (spider,), {"start": start})
