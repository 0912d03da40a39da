"""Pages of WARC files, read with FastWARC; a truncated file yields all pages before its end."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, unreadable
from scrapy_cetr.extraction.batch_worker import Request

try:
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
except ImportError as error:
    raise UsageError("WARC files need FastWARC: pip install 'scrapy-cetr[warc]'") from error

# A response without a content type may be HTML.
_HTML_TYPES = ("text/html", "application/xhtml+xml", "")
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


def read_warc(path: Path, *, error_pages: bool) -> Iterator[InputPage]:
    """Yield the HTML responses of a WARC file; other records are ignored.

    Responses with a status of 400 or more are the error pages of servers, and only included if
    ``error_pages`` is true.
    """
    held: InputPage | None = None
    offset, responses, damage = 0, 0, ""
    with path.open("rb") as raw:
        try:
            for record in ArchiveIterator(raw, WarcRecordType.any_type, auto_decode="all"):
                # The last record may be cut off, so each page waits for the next record.
                if held is not None:
                    yield held
                offset = record.stream_pos
                responses += record.record_type == WarcRecordType.response
                held = _page(
                    record, path, number=responses, error_pages=error_pages, position=raw.tell()
                )
        except (OSError, EOFError, ValueError) as error:
            damage = f" ({error})"
    is_whole, is_last = _check_end(path, offset)
    if is_whole and held is not None:
        yield held
    if damage or not (is_whole and is_last):
        loss = f"is truncated or damaged; everything after byte {offset} may be lost{damage}"
        yield unreadable(str(path), loss)
    elif not responses:
        yield unreadable(str(path), "is not a WARC file, or contains no responses")


def _page(
    record: WarcRecord, path: Path, *, number: int, error_pages: bool, position: int
) -> InputPage | None:
    """Return the page of a record, or None if it is not an HTML response."""
    if record.record_type != WarcRecordType.response or record.http_headers is None:
        return None
    status = record.http_headers.status_code or 200
    if status >= 400 and not error_pages:
        return None
    if (record.http_content_type or "").lower() not in _HTML_TYPES:
        return None
    url, offset = record.headers.get("WARC-Target-URI"), record.stream_pos
    request = Request(
        "html",
        record.reader.read(),
        url=url,
        charset=record.http_charset,
        source_file=str(path),
        source_offset=offset,
    )
    return InputPage(name=url or str(path), request=request, number=number, position=position)


def _check_end(path: Path, offset: int) -> tuple[bool, bool]:
    """Return whether the last record, at an offset, is complete, and whether nothing follows it.

    FastWARC ends without an error where a file is cut.
    """
    with path.open("rb") as file:
        file.seek(offset)
        data = file.read(len(_GZIP))
        if data == _GZIP:
            return _check_gzip(chain([data], iter(partial(file.read, _CHUNK), b"")))
        data += file.read()
    header, end, rest = data.partition(b"\r\n\r\n")
    sizes = [line for line in header.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    size = int(sizes[0].partition(b":")[2]) if sizes else 0
    return not data or (bool(end) and len(rest) >= size), not rest[size:].strip()


def _check_gzip(chunks: Iterable[bytes]) -> tuple[bool, bool]:
    unzip, members = zlib.decompressobj(31), 0
    for chunk in chunks:
        data = chunk
        while data:
            if unzip.eof:
                unzip = zlib.decompressobj(31)
            unzip.decompress(data)
            members += unzip.eof
            data = unzip.unused_data
    return members > 0, unzip.eof
