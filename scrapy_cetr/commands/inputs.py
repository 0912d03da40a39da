"""Stored pages, read one at a time: files, folders of them, JSON lines and WARC archives."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from scrapy_cetr.extraction.html.decoding import decode

_PAGES = (".html", ".htm", ".xhtml")
_LINES = (".jsonl", ".ndjson")
_ARCHIVES = (".warc",)
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A stored page, or the ``error`` for which it has none.

    ``position`` counts the bytes of its file that are read so far, packed as they are.
    """

    name: str
    url: str | None = None
    html: str | bytes = b""
    error: str | None = None
    position: int = 0

    def text(self) -> str:
        """Give the page as characters."""
        return decode(self.html) if isinstance(self.html, bytes) else self.html


def find_files(path: Path) -> list[Path]:
    """Give a file itself, and of a folder all files, also in folders inside, that hold pages."""
    if not path.is_dir():
        return [path]
    known = (*_PAGES, *_LINES, *_ARCHIVES)
    return sorted(file for file in path.rglob("*") if _kind(file) in known and file.is_file())


def is_one_page(path: Path) -> bool:
    """Tell whether a path is neither a folder nor a file of many pages."""
    return not path.is_dir() and _kind(path) not in (*_LINES, *_ARCHIVES)


def read_stored(path: Path) -> Iterator[Stored]:
    """Read the pages of a file; what cannot be read is said by an error in its place."""
    try:
        if _kind(path) in _ARCHIVES:
            yield from _read_archive(path)
        elif _kind(path) in _LINES:
            yield from _read_lines(path)
        else:
            with _opened(path) as (raw, stream):
                html = stream.read()
                yield Stored(name=str(path), html=html, position=raw.tell())
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        yield Stored(name=str(path), error=f"cannot be read: {reason}")


def _kind(path: Path) -> str:
    """Give the suffix that tells what a file holds.

    >>> _kind(Path("crawl.WARC.gz"))
    '.warc'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file as it is, and unpacked if its name ends in .gz."""
    with path.open("rb") as raw:
        if path.suffix.lower() != ".gz":
            yield raw, raw
            return
        with gzip.open(raw, "rb") as unpacked:
            yield raw, cast("IO[bytes]", unpacked)


def _read_lines(path: Path) -> Iterator[Stored]:
    with _opened(path) as (raw, stream):
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _parse_line(line, place=f"{path}, line {number}", position=raw.tell())


def _parse_line(line: bytes, *, place: str, position: int) -> Stored:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Stored(name=place, error=f"is not JSON: {error}", position=position)
    html = record.get("html") if isinstance(record, dict) else None
    if not isinstance(html, str):
        wanted = "must be a JSON object with a string 'html', and a string 'url' if it is known"
        return Stored(name=place, error=wanted, position=position)
    url = record.get("url")
    if not isinstance(url, str):
        return Stored(name=place, html=html, position=position)
    return Stored(name=url, url=url, html=html, position=position)


def _read_archive(path: Path) -> Iterator[Stored]:
    """Read the HTML among the responses of an archive; all else in it is no page."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        hint = "needs FastWARC to be read: pip install 'scrapy-cetr[warc]'"
        yield Stored(name=str(path), error=hint)
        return
    with path.open("rb") as raw:
        responses = ArchiveIterator(raw, WarcRecordType.response, auto_decode="all")
        found = False
        for record in responses:
            found = True
            kind = (record.http_content_type or "").lower()
            if kind in _PAGE_TYPES:
                url = record.headers.get("WARC-Target-URI")
                html = record.reader.read()
                yield Stored(name=url or str(path), url=url, html=html, position=raw.tell())
        if not found:
            yield Stored(name=str(path), error="has no responses; a WARC file is expected")
