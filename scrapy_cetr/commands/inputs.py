"""Stored pages for ``scrapy cetr``: HTML, JSON-lines and WARC files, and folders of them.

Pages are read one at a time. Unreadable pages yield a record with ``error``.
"""

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

_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
_WARC_SUFFIXES = (".warc",)
_HTML_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPage:
    """A page to extract, or the ``error`` that made it unreadable.

    ``name`` is shown to the user. ``position`` is the number of bytes of the file, as it is
    stored, that have been read so far.
    """

    name: str
    url: str | None = None
    html: str | bytes = b""
    error: str | None = None
    position: int = 0

    def text(self) -> str:
        """Return the decoded HTML."""
        return decode(self.html) if isinstance(self.html, bytes) else self.html


def find_files(path: Path) -> list[Path]:
    """Return the files with pages in a folder and its subfolders, or the file itself."""
    if not path.is_dir():
        return [path]
    known = (*_HTML_SUFFIXES, *_JSON_LINES_SUFFIXES, *_WARC_SUFFIXES)
    return sorted(file for file in path.rglob("*") if _suffix(file) in known and file.is_file())


def is_one_page(path: Path) -> bool:
    """Return whether a path is a file that holds a single page."""
    return not path.is_dir() and _suffix(path) not in (
        *_JSON_LINES_SUFFIXES,
        *_WARC_SUFFIXES,
    )


def read_stored(path: Path) -> Iterator[InputPage]:
    """Yield the pages of a file. Unreadable pages yield a record with ``error``."""
    try:
        if _suffix(path) in _WARC_SUFFIXES:
            yield from _read_warc(path)
        elif _suffix(path) in _JSON_LINES_SUFFIXES:
            yield from _read_json_lines(path)
        else:
            with _opened(path) as (raw, stream):
                html = stream.read()
                yield InputPage(name=str(path), html=html, position=raw.tell())
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        yield InputPage(name=str(path), error=f"cannot be read: {reason}")


def _suffix(path: Path) -> str:
    """Return the suffix of a file in lower case, without .gz.

    >>> _suffix(Path("crawl.WARC.gz"))
    '.warc'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file; yield its raw bytes, and its content, which is decompressed if it is .gz."""
    with path.open("rb") as raw:
        if path.suffix.lower() != ".gz":
            yield raw, raw
            return
        with gzip.open(raw, "rb") as content:
            yield raw, cast("IO[bytes]", content)


def _read_json_lines(path: Path) -> Iterator[InputPage]:
    with _opened(path) as (raw, stream):
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _parse_line(line, name=f"{path}, line {number}", position=raw.tell())


def _parse_line(line: bytes, *, name: str, position: int) -> InputPage:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return InputPage(name=name, error=f"is not JSON: {error}", position=position)
    html = record.get("html") if isinstance(record, dict) else None
    if not isinstance(html, str):
        expected = "must be a JSON object with the string 'html' and, optionally, the string 'url'"
        return InputPage(name=name, error=expected, position=position)
    url = record.get("url")
    if not isinstance(url, str):
        return InputPage(name=name, html=html, position=position)
    return InputPage(name=url, url=url, html=html, position=position)


def _read_warc(path: Path) -> Iterator[InputPage]:
    """Yield the HTML responses of a WARC file; other records are ignored."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        error = "cannot be read without FastWARC: pip install 'scrapy-cetr[warc]'"
        yield InputPage(name=str(path), error=error)
        return
    with path.open("rb") as raw:
        responses = ArchiveIterator(raw, WarcRecordType.response, auto_decode="all")
        found = False
        for record in responses:
            found = True
            kind = (record.http_content_type or "").lower()
            if kind in _HTML_TYPES:
                url = record.headers.get("WARC-Target-URI")
                html = record.reader.read()
                yield InputPage(name=url or str(path), url=url, html=html, position=raw.tell())
        if not found:
            yield InputPage(name=str(path), error="is not a WARC file, or contains no responses")
