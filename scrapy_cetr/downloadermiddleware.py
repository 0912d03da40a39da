"""The downloader middleware, which extracts each page before its callback runs."""

from __future__ import annotations

from typing import Self

from scrapy.crawler import Crawler
from scrapy.http import Request, Response

from scrapy_cetr.items import ItemWriter, set_response_writer


class CetrDownloaderMiddleware:
    """Extracts the article of each page.

    Its order must be below those of RedirectMiddleware, RetryMiddleware and
    HttpCompressionMiddleware, so that it sees only the final, decompressed response.
    """

    def __init__(self, writer: ItemWriter) -> None:
        self.writer = writer
        self.extractor = writer.extractor

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(ItemWriter.for_crawler(crawler))

    async def process_response(self, request: Request, response: Response) -> Response:
        """Extract the article of a page, and return the response in any case."""
        # Also for responses that are downloaded inside of a callback.
        set_response_writer(response, self.writer)
        await self.extractor.extract_response(request, response)
        return response
