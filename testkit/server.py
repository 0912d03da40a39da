"""A local site, and crawls of it in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_reactor_settings

ADDONS = {"scrapy_cetr.Addon": 500}
SENTENCES = (
    "It rained all day, and by night the river stood in the streets of the old town.",
    "Nobody could say when the water would fall, least of all those who measured it.",
    "The mayor asked the people on the left bank to stay with friends for the weekend.",
)


def page(marker: str = "") -> bytes:
    """Make a page of navigation and an article."""
    links = "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(12))
    text = "".join(f"<p>{sentence}</p>" for sentence in (*SENTENCES, marker) if sentence)
    html = f"<html><body><ul>{links}</ul><div>{text}</div><ul>{links}</ul></body></html>"
    return html.encode()


# The article text of page(). It is written out, so that tests are collected without weights.
TEXT = "\n\n".join(SENTENCES)

# A page with rows that are more and less likely to belong to the article.
DOUBTFUL = (
    f"<h1>Flood</h1>{''.join(f'<p>{sentence}</p>' for sentence in SENTENCES)}"
    "<ul><li>See also the map of the flood<li><a href=/1>Ten photos of the river</a></ul>"
    "<p>Follow us.</p><p><a href=/2>Log in</a> | <a href=/3>Imprint</a></p>"
)


@dataclass
class Reply:
    """A response of the server."""

    body: bytes = field(default_factory=page)
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


class Site:
    """A server with pages by path, each a reply or a function that makes one; records requests."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply | Callable[[], Reply]] = {}
        self.hits: list[str] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.site = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[Site]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def add(self, path: str, reply: Reply | Callable[[], Reply] | None = None) -> str:
        """Add a page, by default an article, and return its URL."""
        self.pages[path] = Reply() if reply is None else reply
        return self.url + path


class _Server(ThreadingHTTPServer):
    # More connections than a crawl opens; others would wait for a second, or be reset.
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site: Site = self.server.site  # type: ignore[attr-defined]
        site.hits.append(self.path)
        made = site.pages.get(self.path, Reply(b"<p>nothing here", status=404))
        reply = made() if callable(made) else made
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    do_HEAD = do_GET  # noqa: N815

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            return  # the crawl was killed

    def log_message(self, *args: object) -> None:  # noqa: ARG002
        return


@dataclass
class Crawled:
    """The items and statistics of a crawl."""

    crawler: Crawler
    items: list[Any] = field(default_factory=list)
    dropped: list[Any] = field(default_factory=list)

    @property
    def stats(self) -> dict[str, Any]:
        return self.crawler.stats.get_stats()

    def cetr(self, *names: str) -> tuple[Any, ...]:
        """Return the values of some cetr/ statistics."""
        return tuple(self.stats.get(f"cetr/{name}") for name in names)

    def add(self, item: Any) -> None:
        self.items.append(item)

    def drop(self, item: Any) -> None:
        self.dropped.append(item)


def yield_url(response: Response) -> Any:
    """Yield an item with the URL; the callback of most tests."""
    yield {"url": response.url}


def ignore(response: Response) -> None:
    """Yield nothing."""


def spider_of(*urls: str, parse: Callable[..., Any] = yield_url, **attributes: Any) -> type[Spider]:
    """Make a spider that requests some pages and has one callback."""
    body = {"name": "pages", "start_urls": list(urls), "parse": staticmethod(parse), **attributes}
    return type("PageSpider", (Spider,), body)


async def crawl(spider: type[Spider], *, addon: bool = True, **settings: Any) -> Crawled:
    """Crawl with some settings, by default with the add-on."""
    quiet = {"TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "LOG_LEVEL": "INFO"}
    chosen = {
        **quiet,
        **get_reactor_settings(),
        "ADDONS": ADDONS if addon else {},
        "RETRY_TIMES": 1,
        **settings,
    }
    crawled = Crawled(Crawler(spider, Settings(chosen)))
    crawled.crawler.signals.connect(crawled.add, signals.item_scraped)
    crawled.crawler.signals.connect(crawled.drop, signals.item_dropped)
    await crawled.crawler.crawl_async()
    return crawled
