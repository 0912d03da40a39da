"""Servers and spiders that misbehave, and the outcome of a crawl with each of them."""

from __future__ import annotations

import gzip
import socketserver
import threading
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedIOBase
from typing import Any

from scrapy import Request
from scrapy.exceptions import CloseSpider, DropItem
from scrapy.http import Response

from testkit.hostile import hostile_page
from testkit.server import crawl, ignore, page, spider_of, yield_url

Answer = Callable[[BufferedIOBase, int], None]

GOOD = 4
PAGE = page()
WORKERS = 2


class Misbehaving(socketserver.ThreadingTCPServer):
    """Answers /fault by a function of the connection and the number of earlier requests."""

    daemon_threads = True
    request_queue_size = 100

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.answer = answer
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *args: object) -> None:
        """Ignore connections that a crawl has closed."""

    @contextmanager
    def serving(self) -> Iterator[Misbehaving]:
        thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self.shutdown()
            thread.join()
            self.server_close()


class _Connection(socketserver.StreamRequestHandler):
    server: Misbehaving

    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1].decode()
        while self.rfile.readline().strip():
            pass
        with self.server.lock:
            before = self.server.asked[path]
            self.server.asked[path] += 1
        if path.startswith("/fault"):
            number = int(path.removeprefix("/fault") or before)
            self.server.answer(self.wfile, number)
        else:
            self.wfile.write(reply(PAGE))


def reply(
    body: bytes = PAGE, *headers: str, status: str = "200 OK", kind: str = "text/html"
) -> bytes:
    """Return a whole HTTP response."""
    size = f"Content-Length: {len(body)}"
    head = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", size, "Connection: close", *headers)
    return "\r\n".join((*head, "", "")).encode("latin-1") + body


def always(answer: bytes) -> Answer:
    def write(out: BufferedIOBase, _: int) -> None:
        out.write(answer)

    return write


def forever(piece: bytes, *, seconds: float = 0.0) -> Answer:
    """Send chunks of a page until the crawl closes the connection."""

    def answer(out: BufferedIOBase, _: int) -> None:
        kind, coding = "Content-Type: text/html", "Transfer-Encoding: chunked"
        out.write(f"HTTP/1.1 200 OK\r\n{kind}\r\n{coding}\r\n\r\n".encode())
        pause = threading.Event()
        while True:
            out.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            out.flush()
            if seconds:
                pause.wait(seconds)

    return answer


def redirecting(times: int) -> Answer:
    def answer(out: BufferedIOBase, number: int) -> None:
        next_one = f"Location: /fault{number + 1}"
        out.write(reply(PAGE) if number >= times else reply(b"", next_one, status="302 Found"))

    return answer


def changing(out: BufferedIOBase, number: int) -> None:
    """Send a different page at each attempt; the first attempt gets an error."""
    text = page(f"This is the attempt of number {number}, and there were some before it.")
    out.write(reply(text, status="200 OK" if number else "503 Busy"))


# Callbacks and items


class Refusing(dict[str, Any]):
    def __setitem__(self, name: str, value: Any) -> None:
        raise ZeroDivisionError(name)


class Unreadable(dict[str, Any]):
    def get(self, *args: Any) -> Any:
        raise ZeroDivisionError(args)

    __getitem__ = get


SHARED: dict[str, Any] = {"shared": True}


def yield_nones(response: Response) -> Iterator[Any]:
    yield from (None, {"url": response.url}, None)


def yield_thousands(response: Response) -> Iterator[Any]:
    yield from ({"number": number} for number in range(2000))


def yield_foreign(response: Response) -> Iterator[Any]:
    yield from (object(), 7, "text", b"bytes", [1], {1, 2}, {"url": response.url}, Response)


def yield_refusing(response: Response) -> Iterator[Any]:
    yield from (Refusing(url=1), {"url": response.url}, Unreadable(url=2))


def yield_one_twice(response: Response) -> Iterator[Any]:
    item = {"url": response.url}
    yield from (item, item, SHARED)


def fail_in_between(response: Response) -> Iterator[Any]:
    yield {"url": response.url}
    yield Request(response.urljoin("/another"), callback=yield_url)
    raise ZeroDivisionError(response.url)


def close_in_between(response: Response) -> Iterator[Any]:
    yield {"url": response.url}
    raise CloseSpider("enough")


async def yield_later(response: Response) -> AsyncIterator[Any]:
    yield {"url": response.url}
    yield {"url": None}


def return_one(response: Response) -> Any:
    return {"url": response.url}


class Dropping:
    def process_item(self, item: Any) -> Any:
        raise DropItem(f"{item} is not wanted")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault: the answer of a server, the callback of a spider, or settings."""

    answer: Answer = field(default_factory=lambda: always(reply()))
    parse: Callable[..., Any] = yield_url
    settings: Mapping[str, Any] = field(default_factory=dict)


BOMB = gzip.compress(bytes(20_000_000))
SMALL = {"DOWNLOAD_MAXSIZE": 300_000, "DOWNLOAD_WARNSIZE": 0}
NAMED = "text/html; charset="
FAULTS: dict[str, Fault] = {
    "a body shorter than announced": Fault(answer=always(reply()[:-200])),
    "a body shorter than announced, data loss allowed": Fault(
        answer=always(reply()[:-200]), settings={"DOWNLOAD_FAIL_ON_DATALOSS": False}
    ),
    "endless chunks": Fault(answer=forever(PAGE), settings=SMALL),
    "a slow drip": Fault(
        answer=forever(b"<p>x", seconds=0.05),
        settings={"DOWNLOAD_TIMEOUT": 0.4, "RETRY_ENABLED": False},
    ),
    "HTML as application/octet-stream": Fault(
        answer=always(reply(kind="application/octet-stream"))
    ),
    "HTML as image/png": Fault(answer=always(reply(kind="image/png"))),
    "HTML as text/plain": Fault(answer=always(reply(kind="text/plain"))),
    "HTML as application/json": Fault(answer=always(reply(kind="application/json"))),
    "a content type of nonsense": Fault(answer=always(reply(kind=";;=\xff, charset"))),
    "an image as HTML": Fault(answer=always(reply(b"\x89PNG\r\n" + bytes(range(256)) * 200))),
    "a charset that does not exist": Fault(answer=always(reply(kind=f"{NAMED}bogus"))),
    "UTF-16 as UTF-8": Fault(
        answer=always(reply(PAGE.decode().encode("utf-16-le"), kind=f"{NAMED}utf-8"))
    ),
    "a compression bomb": Fault(
        answer=always(reply(BOMB, "Content-Encoding: gzip")), settings=SMALL
    ),
    "a broken gzip": Fault(
        answer=always(reply(gzip.compress(PAGE)[:-300], "Content-Encoding: gzip"))
    ),
    "plain text as gzip": Fault(answer=always(reply(PAGE, "Content-Encoding: gzip"))),
    "deflate as gzip": Fault(answer=always(reply(zlib.compress(PAGE), "Content-Encoding: gzip"))),
    "redirects without end": Fault(answer=redirecting(1_000_000)),
    "200 redirects": Fault(answer=redirecting(200), settings={"REDIRECT_MAX_TIMES": 1000}),
    "another page at each retry": Fault(answer=changing),
    "nothing at all": Fault(answer=always(b"")),
    "no HTTP": Fault(answer=always(b"\x00\xff\xfe nonsense\r\n\r\n")),
    "an empty page": Fault(answer=always(reply(b""))),
    "an error page": Fault(answer=always(reply(status="500 Broken"))),
    "300,000 header bytes": Fault(answer=always(reply(PAGE, f"X-A: {'a' * 300_000}"))),
    "a hostile page": Fault(answer=always(reply(hostile_page("nested divs", 300_000).encode()))),
    "a callback that yields nothing": Fault(parse=ignore),
    "a callback that yields None": Fault(parse=yield_nones),
    "a callback that yields 2,000 items": Fault(parse=yield_thousands),
    "a callback that yields foreign objects": Fault(parse=yield_foreign),
    "a callback that returns an item": Fault(parse=return_one),
    "an asynchronous callback": Fault(parse=yield_later),
    "a callback that fails in between": Fault(parse=fail_in_between),
    "items that refuse fields or raise": Fault(parse=yield_refusing),
    "one item yielded again and again": Fault(parse=yield_one_twice),
    "a pipeline that drops all": Fault(settings={"ITEM_PIPELINES": {Dropping: 40}}),
    "a spider that closes mid-page": Fault(
        parse=close_in_between, settings={"CONCURRENT_REQUESTS": 1}
    ),
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a crawl; ``articles`` counts the items that have a text."""

    requests: int
    stored: int
    dropped: int
    articles: int
    texts: tuple[str, ...]
    finish: str
    errors: int


async def run_fault(fault: Fault, *, addon: bool, workers: int = 0) -> Outcome:
    """Crawl a fault between good pages, and return the outcome."""
    settings: dict[str, Any] = {"LOG_LEVEL": "CRITICAL", "RETRY_TIMES": 2, **fault.settings}
    if workers:
        settings["CETR_WORKERS"] = workers
    SHARED.pop("article_text", None)
    with Misbehaving(fault.answer).serving() as server:
        urls = [f"{server.url}/{path}" for path in ("0", "1", "fault", "2", "3")]
        crawled = await crawl(spider_of(*urls, parse=fault.parse), addon=addon, **settings)
    items = [item for item in crawled.items if type(item) is dict]
    texts = tuple(str(item["article_text"]) for item in items if item.get("article_text"))
    return Outcome(
        requests=crawled.stats.get("downloader/request_count", 0),
        stored=len(crawled.items),
        dropped=len(crawled.dropped),
        articles=len(texts),
        texts=texts,
        finish=crawled.stats["finish_reason"],
        errors=crawled.stats.get("cetr/errors", 0),
    )
