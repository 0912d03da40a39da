"""Pages of WARC files, as real archives are: every readable page, and a record for each loss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from scrapy_cetr.extraction.batch.messages import Record
from scrapy_cetr.extraction.html.file_types import binary_type
from scrapy_cetr.extraction.html.sniffing import begins_as_html, may_be_html
from scrapy_cetr.extraction.warc.framing import LONGEST, Headers, RawRecord, read_records
from scrapy_cetr.extraction.warc.http import (
    ContentError,
    Head,
    decode_body,
    read_head,
    split_response,
)

_PAGES = (b"response", b"resource")
_HTML_TYPES = (b"text/html", b"application/xhtml+xml")
_NO_TYPES = (b"", b"application/octet-stream", b"binary/octet-stream", b"unknown/unknown")


def read_warc(
    file: IO[bytes], *, name: str | None = None, error_pages: bool = False
) -> Iterator[Record]:
    """Yield the HTML pages of a WARC file, and a record with an error for everything that is lost.

    Whether a response is HTML is told by its content type or by its content. ``name`` becomes the
    source_file. Responses with a status of 400 or more are the error pages of servers, and only
    included if ``error_pages`` is true. A file without any response is an error.
    """
    is_archive = False

    def wants(headers: Headers, first: bytes) -> bool:
        nonlocal is_archive
        if headers.get(b"warc-type") not in _PAGES:
            return False
        is_archive = True
        head, body = split_response(first)
        found = _head(headers, head)
        return (found.status < 400 or error_pages) and _is_html(found, body)

    for raw in read_records(file, wants):
        is_archive = is_archive or raw.problem is not None
        if raw.problem is not None or raw.content is not None:
            yield _record(raw, name)
    if not is_archive:
        yield Record(source_file=name, error="is not a WARC file, or contains no responses")


@contextmanager
def open_archive(path: str) -> Iterator[IO[bytes]]:
    """Open a local file, or with fsspec one on S3, HDFS or another store, to read and seek."""
    if path.startswith("file:"):
        path = "/" + path.removeprefix("file:").lstrip("/")
    if "://" not in path:
        with Path(path).open("rb") as file:
            yield file
        return
    try:
        import fsspec
    except ImportError as error:
        raise ImportError(f"{path} needs fsspec: pip install fsspec") from error
    with fsspec.open(path, "rb") as file:
        yield cast("IO[bytes]", file)


def read_archive(path: str, *, error_pages: bool = False) -> Iterator[Record]:
    """Yield the pages of a local or remote WARC file; one that cannot be read is an error."""
    try:
        with open_archive(path) as file:
            yield from read_warc(file, name=path, error_pages=error_pages)
    except OSError as error:
        yield Record(source_file=path, error=f"cannot be read: {error.strerror or error}")


def _head(headers: Headers, head: bytes) -> Head:
    """Return the head of a response; the content type of a resource is that of its record."""
    if not head and headers.get(b"warc-type") == b"resource":
        kind = headers.get(b"content-type", b"")
        return read_head(b"HTTP/1.1 200\r\ncontent-type: " + kind)
    return read_head(head)


def _is_html(head: Head, body: bytes) -> bool:
    """Tell HTML by its type, and other types by the content; the body may still be packed."""
    if head.content_type in _HTML_TYPES:
        return True
    try:
        body = decode_body(head, body, longest=LONGEST)
    except ContentError:
        # The beginning of a packed body may not be unpacked alone.
        return head.content_type in _NO_TYPES
    if head.content_type in _NO_TYPES:
        return binary_type(body) is None and may_be_html(body)
    return begins_as_html(body)


def _record(raw: RawRecord, name: str | None) -> Record:
    """Return the page of a raw record, or its error."""
    url = _text(raw.headers.get(b"warc-target-uri"))
    record = Record(
        url=url.strip("<>") if url else None,
        source_file=name,
        source_offset=raw.offset,
        record_id=_text(raw.headers.get(b"warc-record-id")),
        warc_date=_text(raw.headers.get(b"warc-date")),
        error=raw.problem,
    )
    if raw.content is None:
        return record
    first, body = split_response(raw.content)
    head = _head(raw.headers, first)
    try:
        html = decode_body(head, body, longest=LONGEST)
    except ContentError as error:
        return record._replace(error=str(error))
    return record._replace(html=html, charset=head.charset)


def _text(value: bytes | None) -> str | None:
    return value.decode("utf-8", "replace") if value else None
