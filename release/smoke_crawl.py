"""Crawls with the installed package, not the repository: ``python smoke_crawl.py WORKERS``."""

from __future__ import annotations

import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import files
from importlib.resources import files as resources
from pathlib import Path

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess

import scrapy_cetr

SENTENCE = "It rained all day, and by night the river stood in the streets of the old town."
PAGE = f"<ul><li><a href=/>Home</a></ul><p>{SENTENCE}</p><p>{SENTENCE} {SENTENCE}</p>"
# Files that a wheel needs besides its modules.
NEEDED = (".typed", "METADATA", "LICENSE")


class Handler(BaseHTTPRequestHandler):
    """Answers every request with the same page."""

    def do_GET(self) -> None:
        """Send the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *args: object) -> None:
        """Log nothing."""


class PageSpider(scrapy.Spider):
    """Yields an item for each page."""

    name = "pages"

    def parse(self, response: scrapy.http.Response) -> object:
        """Yield the URL; the plugin adds the article."""
        yield {"url": response.url}


def crawl(workers: int) -> list[dict[str, str]]:
    """Crawl two pages and return their items."""
    items: list[dict[str, str]] = []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    process = AsyncCrawlerProcess(
        {"ADDONS": {"scrapy_cetr.Addon": 500}, "CETR_WORKERS": workers, "LOG_LEVEL": "ERROR"}
        | {"TELNETCONSOLE_ENABLED": False}
    )
    crawler = process.create_crawler(PageSpider)
    crawler.signals.connect(lambda item: items.append(item), signals.item_scraped, weak=False)
    process.crawl(crawler, start_urls=[f"{site}/1", f"{site}/2"])
    process.start()
    return items


def main() -> None:
    """Check the installed files, and crawl."""
    here = Path(scrapy_cetr.__file__).resolve()
    assert "site-packages" in here.parts, f"{here} is not an installed package"
    installed = [str(file) for file in files("scrapy-cetr") or ()]
    for needed in NEEDED:
        assert any(name.endswith(needed) for name in installed), f"no {needed} in the package"
    assert resources("scrapy_cetr").joinpath("py.typed").is_file()
    items = crawl(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    assert len(items) == 2, items
    assert all(SENTENCE in item["article_text"] for item in items), items
    sys.stdout.write(f"scrapy-cetr {scrapy_cetr.__version__}: {len(items)} articles\n")


if __name__ == "__main__":
    main()
