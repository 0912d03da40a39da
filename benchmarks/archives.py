"""WARC files of the pages of corpora, for the measurements of engines and stages."""

import gzip
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from uuid import UUID

from benchmarks.corpus import Page
from benchmarks.errors import BenchmarkError


def write_archives(pages: Iterable[Page], folder: Path, *, count: int, archives: int) -> list[Path]:
    """Write pages, repeated until there are ``count``, evenly into some archives."""
    known = list(pages)
    if not known:
        raise BenchmarkError("the corpora have no pages")
    paths = [folder / f"{number:03d}.warc.gz" for number in range(archives)]
    files = [path.open("wb") for path in paths]
    try:
        for number, page in enumerate(islice(cycle(known), count)):
            record = gzip.compress(_record(number, page), 6)
            files[number % archives].write(record)
    finally:
        for file in files:
            file.close()
    return paths


def _record(number: int, page: Page) -> bytes:
    """Return a page as Common Crawl stores it."""
    body = page.html.encode("utf-8", "replace")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    url = (page.url or f"https://x.example/{number}").encode("utf-8", "replace")
    fields = [
        *(b"WARC/1.0", b"WARC-Type: response", b"WARC-Target-URI: " + url),
        b"WARC-Record-ID: <urn:uuid:%s>" % str(UUID(int=number)).encode(),
        b"WARC-Date: 2026-01-01T00:00:00Z",
        b"Content-Type: application/http; msgtype=response",
        b"Content-Length: %d" % (len(head) + len(body)),
    ]
    return b"\r\n".join([*fields, b"", b""]) + head + body + b"\r\n\r\n"
