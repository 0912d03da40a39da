"""The spider: ``scrapy crawl news -a site=https://example.org``."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Self
from urllib.parse import urljoin

from scrapy import Request, Selector, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.http import HtmlResponse, Response
from w3lib.url import canonicalize_url

from news.arguments import Arguments
from news.items import Article
from news.sources import (
    feeds_in_page,
    links_in_page,
    pages_in_feed,
    pages_in_sitemap,
    sitemaps_in_index,
    sitemaps_in_robots,
)
from scrapy_cetr import article
from scrapy_cetr.responses import page_html

_TITLES = ('//meta[@property="og:title"]/@content', "//title/text()")


class NewsSpider(Spider):
    """Yields the article of each page of a site, found by its sitemap, feed or links.

    ``-a site=`` is the URL of the front page, ``-a follow=`` one of sitemap, feed, links and auto
    (the first of them that finds a page), ``-a pages=`` the highest number of pages to request.
    """

    name = "news"

    def __init__(self, **given: str) -> None:
        super().__init__()
        self.problem = ""
        self.found: set[str] = set()
        self.sources: deque[Request] = deque()
        self.read: set[tuple[str, object]] = set()
        try:
            self.arguments = Arguments.read(**given)
        except ValueError as error:
            # Raised here, the error would be logged with a traceback.
            self.problem = str(error)
            return
        self.ways = deque(self.arguments.ways)
        self.allowed_domains = [self.arguments.domain]

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Connect to the signal that there is nothing left to request."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.go_on, signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Request the first source of the first way."""
        if self.problem:
            self.logger.error("%s", self.problem)
            raise CloseSpider("bad_arguments")
        source = self.next_source()
        if source is not None:
            yield source

    def go_on(self) -> None:
        """Request the next source after all pages of the previous one are crawled."""
        if self.problem:
            return
        source = self.next_source()
        if source is not None and self.crawler.engine is not None:
            self.crawler.engine.crawl(source)
            raise DontCloseSpider
        if not self.found:
            ways = " or ".join(self.arguments.ways)
            self.logger.error("no page of %s found by %s", self.arguments.site, ways)

    def next_source(self) -> Request | None:
        """Return the next source; the next way is tried only if no page has been found."""
        while self.sources or (self.ways and not self.found):
            if not self.sources:
                self.sources.extend(self.sources_of(self.ways.popleft()))
            source = self.sources.popleft()
            # A sitemap index may name itself.
            if (source.url, source.callback) not in self.read:
                self.read.add((source.url, source.callback))
                return source
        return None

    def sources_of(self, way: str) -> Iterator[Request]:
        """Yield the sources of a way: those that the site declares, then the usual path."""
        site = self.arguments.site
        if way == "sitemap":
            yield _source(urljoin(site, "/robots.txt"), self.parse_robots)
            yield _source(urljoin(site, "/sitemap.xml"), self.parse_sitemap)
        elif way == "feed":
            yield _source(site, self.parse_front_page)
            yield _source(urljoin(site, "/feed.xml"), self.parse_feed)
        else:
            yield from self.pages([site], self.parse_links)

    def pages(self, urls: Iterable[str], callback: Callable[..., Any]) -> Iterator[Request]:
        """Request the pages that are new, up to the limit."""
        for url in urls:
            if len(self.found) >= self.arguments.pages:
                self.sources.clear()
                return
            if self.arguments.on_site(url) and (known := canonicalize_url(url)) not in self.found:
                self.found.add(known)
                yield Request(url, callback)

    def parse_robots(self, response: Response) -> None:
        """Read the sitemaps that robots.txt names, instead of the usual one."""
        sitemaps = sitemaps_in_robots(response)
        if sitemaps:
            self.sources = deque(_source(url, self.parse_sitemap) for url in sitemaps)

    def parse_sitemap(self, response: Response) -> Iterator[Request]:
        """Request the pages of a sitemap; sitemaps of an index are requested later."""
        self.sources.extend(_source(url, self.parse_sitemap) for url in sitemaps_in_index(response))
        yield from self.pages(pages_in_sitemap(response), self.parse)

    def parse_front_page(self, response: Response) -> None:
        """Read the feeds that the front page declares, instead of the usual one."""
        feeds = feeds_in_page(response)
        if feeds:
            self.sources = deque(_source(url, self.parse_feed) for url in feeds)

    def parse_feed(self, response: Response) -> Iterator[Request]:
        """Request the pages of a feed."""
        yield from self.pages(pages_in_feed(response), self.parse)

    def parse_links(self, response: Response) -> Iterator[Article | Request]:
        """Yield the article of a page, and request the pages it links to."""
        yield from self.parse(response)
        if isinstance(response, HtmlResponse):
            yield from self.pages(links_in_page(response), self.parse_links)

    def parse(self, response: Response) -> Iterator[Article]:
        """Yield the article of a page, if there is one; the plugin adds its text."""
        if isinstance(response, HtmlResponse):
            found = article(response)
            if found.text:
                yield Article(url=response.url, title=_title(response), words=found.words)


def _source(url: str, callback: Callable[..., Any]) -> Request:
    # Sitemaps and feeds may be on other hosts, such as a content delivery network. A resumed crawl
    # reads them again.
    return Request(url, callback, dont_filter=True, meta={"allow_offsite": True})


def _title(response: HtmlResponse) -> str:
    """Return the title, from the page as decoded by the plugin."""
    page = Selector(text=page_html(response))
    titles = (page.xpath(query).get("") for query in _TITLES)
    return next((" ".join(title.split()) for title in titles if title.strip()), "")
