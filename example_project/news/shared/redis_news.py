"""Processes that share one frontier: ``SCRAPY_PROJECT=shared scrapy crawl redis-news``."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy_redis.spiders import RedisSpider

from news.sources import links_in_page


class RedisNewsSpider(RedisSpider):
    """Crawls the sites of the URLs in the Redis list ``news:start_urls``, with other processes.

    Each element is a URL, or a JSON object with ``url``.
    """

    name = "redis-news"
    redis_key = "news:start_urls"

    async def start(self) -> AsyncIterator[Request]:
        """Request the first URLs at once; Scrapy does not call start_requests any more."""
        for request in self.next_requests():
            yield request

    def make_request_from_data(self, data: bytes) -> Request | None:
        """Request a URL, unless a process has done so before."""
        text = data.decode("utf-8", "replace").strip()
        try:
            url = json.loads(text)["url"] if text.startswith("{") else text
            return Request(url)
        except (ValueError, KeyError, TypeError) as error:
            self.logger.error("Ignored %r in %s: %s", text, self.redis_key, error)
            return None

    def parse(self, response: Response) -> Iterator[dict[str, Any] | Request]:
        """Yield the page, whose text the plugin adds, and request the pages of its site."""
        # A process that has been busy has not been idle; scrapy-redis does not know that.
        self.spider_idle_start_time = int(time.time())
        if not isinstance(response, HtmlResponse):
            return
        yield {"url": response.url}
        host = urlsplit(response.url).netloc
        for url in links_in_page(response):
            if urlsplit(url).netloc == host:
                yield Request(url)


def feed_params(params: dict[str, Any], spider: Spider) -> dict[str, Any]:  # noqa: ARG001
    """Add the host and the number of the process, for the names of feeds."""
    return {**params, "process": f"{socket.gethostname()}-{os.getpid()}"}
