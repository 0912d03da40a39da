"""Extracts each crawled page before its callback."""

from __future__ import annotations

from typing import Self

from scrapy.crawler import Crawler
from scrapy.http import Request, Response

from scrapy_cetr.extractor import Crawl


class CetrDownloaderMiddleware:
    """Extracts; its order has to be below that of redirects, retries and decompression."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Crawl.of(crawler))

    async def process_response(self, request: Request, response: Response) -> Response:
        """Extract the article of a page, and pass the page on in any case."""
        await self.crawl.extract_response(request, response)
        return response
