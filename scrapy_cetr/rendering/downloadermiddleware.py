"""The downloader middleware that stamps the pages that a browser renders."""

from __future__ import annotations

import logging
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response

from scrapy_cetr.extraction.stamps import STAMP
from scrapy_cetr.rendering.stamping import stamp

if TYPE_CHECKING:
    from scrapy_playwright.page import PageMethod

logger = logging.getLogger("scrapy_cetr")

_PAGE_METHODS = "playwright_page_methods"
# The first version that calls functions with the page.
_NEEDED = (0, 0, 42)
_ABSENT = object()


class CetrRenderedDownloaderMiddleware:
    """Adds the stamping to what scrapy-playwright does with a page, after what the project does.

    Its order must be above those of RedirectMiddleware and RetryMiddleware, so that a request that
    is sent again, and perhaps stored in a JOBDIR, has only what the project gave it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        # What a request had before, and what was added to it.
        self._added: WeakKeyDictionary[Request, tuple[Any, PageMethod]] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings.getbool("CETR_RENDERED") or not settings.getbool("CETR_ENABLED", True):
            raise NotConfigured
        if not _can_call_functions():
            needed = ".".join(map(str, _NEEDED))
            raise NotConfigured(
                f"CETR_RENDERED needs scrapy-playwright {needed} or later;"
                " install it with pip install 'scrapy-cetr[render]'"
            )
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let scrapy-playwright stamp the page of a request that is for a browser."""
        if not request.meta.get("playwright"):
            return
        from scrapy_playwright.page import PageMethod

        given = request.meta.get(_PAGE_METHODS, _ABSENT)
        methods = given.values() if isinstance(given, dict) else given
        added = PageMethod(stamp)
        self._added[request] = (given, added)
        request.meta[_PAGE_METHODS] = [*(() if methods is _ABSENT else methods or ()), added]

    def process_response(self, request: Request, response: Response) -> Response:
        """Count the page, and leave the request as it was."""
        added = self._restore(request)
        # A page from a cache was stamped when it was stored.
        if added is not None and added.result is not None and isinstance(response, HtmlResponse):
            is_stamped = not added.result and STAMP.encode() in response.body
            self._count("stamped" if is_stamped else "failed")
            if not is_stamped:
                reason = added.result or "the browser has another page now"
                logger.info("%s is not stamped: %s", response.url, reason)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:  # noqa: ARG002
        """Leave the request as it was; it may be sent again."""
        self._restore(request)

    def _restore(self, request: Request) -> PageMethod | None:
        given, added = self._added.pop(request, (None, None))
        if added is None:
            return None
        if given is _ABSENT:
            request.meta.pop(_PAGE_METHODS, None)
        else:
            request.meta[_PAGE_METHODS] = given
        return added

    def _count(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"cetr/rendered/{name}")


def _can_call_functions() -> bool:
    try:
        found = version("scrapy-playwright")
    except PackageNotFoundError:
        return False
    numbers = [int(part) for part in found.split(".")[:3] if part.isdigit()]
    return tuple(numbers) >= _NEEDED
