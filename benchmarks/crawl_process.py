"""One measured crawl in a separate process: ``python -m benchmarks.crawl_process JSON``."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any
from zlib import crc32

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response, TextResponse

STATUS = Path("/proc/self/status")
TICK = 0.005
SELECTORS = {
    "title": "title::text",
    "headline": "h1::text",
    "description": "meta[name=description]::attr(content)",
    "author": "[rel=author]::text, .author::text",
    "date": "time::attr(datetime)",
}


@dataclass(kw_only=True)
class Crawled:
    """The measurements of a crawl: pages, seconds, the longest stall, and samples of the memory."""

    pages: int = 0
    articles: int = 0
    seconds: float = 0.0
    stall: float = 0.0
    resident: list[int] | None = None


class Measure:
    """An extension that measures the event loop, the items and the memory of a crawl."""

    def __init__(self, crawled: Crawled, every: int) -> None:
        self.crawled = crawled
        self.every = every
        self.started = 0.0
        self.watch: asyncio.Task[None] | None = None

    def opened(self) -> None:
        """Start measuring."""
        self.started = perf_counter()
        self.watch = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(TICK)
            self.crawled.stall = max(self.crawled.stall, perf_counter() - before - TICK)

    def scraped(self, item: dict[str, Any]) -> None:
        """Count an item, and sample the memory at intervals."""
        self.crawled.pages += 1
        self.crawled.articles += bool(item.get("article_text"))
        if self.crawled.pages % self.every == 0:
            self.crawled.resident = [*(self.crawled.resident or ()), resident_bytes()]

    def closed(self) -> None:
        """Stop measuring."""
        self.crawled.seconds = perf_counter() - self.started
        if self.watch is not None:
            self.watch.cancel()


class PageSpider(scrapy.Spider):
    """Requests pages, reads the usual fields of news pages with selectors, and follows teasers.

    Each link is mapped to one of the pages by its hash.
    """

    name = "pages"
    site: str
    pages: int

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for number in range(self.pages):
            yield scrapy.Request(f"{self.site}/{number}")

    def parse(self, response: Response) -> Iterator[dict[str, Any] | scrapy.Request]:
        """Yield an item for a page, and requests for others."""
        if isinstance(response, TextResponse):
            fields = {name: response.css(selector).get() for name, selector in SELECTORS.items()}
            yield {"url": response.url, **fields}
            for link in response.css("h3 a::attr(href)").getall():
                yield response.follow(f"/{crc32(link.encode()) % self.pages}")


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes."""
    for line in STATUS.read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def crawl(*, site: str, pages: int, settings: dict[str, Any]) -> Crawled:
    """Crawl pages of a site and return the measurements."""
    process = AsyncCrawlerProcess(
        {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS": 16}
        | {"CONCURRENT_REQUESTS_PER_DOMAIN": 16, "DOWNLOAD_DELAY": 0, **settings}
    )
    crawler: Crawler = process.create_crawler(PageSpider)
    measure = Measure(Crawled(), every=max(1, pages // 20))
    for signal, handler in (
        (signals.spider_opened, measure.opened),
        (signals.item_scraped, measure.scraped),
        (signals.spider_closed, measure.closed),
    ):
        crawler.signals.connect(handler, signal)
    process.crawl(crawler, site=site, pages=pages)
    process.start()
    return measure.crawled


if __name__ == "__main__":
    print(json.dumps(asdict(crawl(**json.loads(sys.argv[1])))))
