"""A local site and crawls of it, in this process and in others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_reactor_settings

from scrapy_cetr import extract

ADDONS = {"scrapy_cetr.Addon": 500}
# Seconds; much more than any test takes, as the machine may be busy.
DEADLINE = 90.0
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


TEXT = extract(page()).text


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


# Crawls in this process


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


# Other processes

SCRIPT = """\
import json, sys
import scrapy
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess

# Scrapy checks at this interval, in seconds, whether start items are done.
ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.1
task = json.loads(sys.argv[1])

class PageSpider(scrapy.Spider):
    name = "pages"

    async def start(self):
        for start in task["starts"]:
            yield scrapy.Request(start) if isinstance(start, str) else start

    def parse(self, response):
        yield {"url": response.url}

kind = AsyncCrawlerProcess if task["async"] else CrawlerProcess
process = kind({"ADDONS": {"scrapy_cetr.Addon": 500}, "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False, "LOG_LEVEL": "INFO",
    "FEEDS": {task["feed"]: {"format": "jsonlines"}}, **task["settings"]})
crawler = process.create_crawler(PageSpider)
process.crawl(crawler)
process.start()
print(json.dumps({k: v for k, v in crawler.stats.get_stats().items() if "time" not in k}))
"""


class Script:
    """A crawl in another process, run by a script without a main guard.

    Its spider requests the URLs that it starts with, and yields the items.
    """

    def __init__(
        self,
        folder: Path,
        *starts: str | dict[str, str],
        runs_async: bool = True,
        path: str = "",
        **settings: Any,
    ) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "crawl.py").write_text(SCRIPT)
        self._feed = folder / "items.jsonl"
        self._log = folder / "crawl.log"
        task = {
            "starts": starts,
            "async": runs_async,
            "feed": str(self._feed),
            "settings": settings,
        }
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-W", "error::ResourceWarning", "crawl.py", json.dumps(task)],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def interrupt(self) -> None:
        """Send SIGINT to the process group, as a terminal does at Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)

    def stats(self) -> dict[str, Any]:
        """Wait until the crawl has ended without an error, and return the statistics."""
        out, _ = self.process.communicate(timeout=DEADLINE)
        assert self.process.returncode == 0, self.log
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=DEADLINE)

    @property
    def items(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._feed.read_text().splitlines()]

    @property
    def log(self) -> str:
        return self._log.read_text()


def wait_until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds that another process or thread brings about."""
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < end, "the condition was not met in time"
        time.sleep(0.01)
    return found


def workers_of(pid: int) -> list[int]:
    """Return the process ids of the workers of a crawl."""
    return [child for child, parent in _parents() if parent == pid and is_worker(child)]


def is_worker(pid: int) -> bool:
    """Return whether a process is alive and a worker."""
    try:
        return b"scrapy_cetr.extraction.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _parents() -> Sequence[tuple[int, int]]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found.append((int(status.parent.name), int(fields[1])))
    return found


TRAPS = """\
import os, sys, time
if "-m" in sys.orig_argv and "scrapy_cetr.extraction.worker" in sys.orig_argv:
    from scrapy_cetr.extraction import article
    extract_article = article.extract_article

    def trapped(html, **options):
        if "HANG" in html:
            open(__file__ + ".hangs", "w").close()
            while True:
                time.sleep(1)
        if "DIE" in html:
            os._exit(1)
        if "FAIL" in html:
            raise ZeroDivisionError("a page that fails")
        return extract_article(html, **options)

    article.extract_article = trapped
"""


def write_traps(folder: Path) -> str:
    """Make pages with HANG, DIE or FAIL do so in workers that have this folder first in sys.path.

    A page that hangs creates the file ``sitecustomize.py.hangs`` first.
    """
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(TRAPS)
    return str(folder)
