"""Pages of WARC files, read with FastWARC; a truncated file yields all pages before its end."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
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
    offset, responses = 0, 0
    with path.open("rb") as raw:
        try:
            for record in ArchiveIterator(raw, WarcRecordType.any_type, auto_decode="all"):
                # The last record may be cut off, so each page waits for the next record.
                if held is not None:
                    yield held
                offset = record.stream_pos
                responses += record.record_type == WarcRecordType.response
                held = _page(record, path, error_pages=error_pages, position=raw.tell())
        except (OSError, EOFError, ValueError) as error:
            yield unreadable(str(path), f"is damaged at byte {offset}; the rest is lost: {error}")
            return
    if _is_cut(path, offset):
        yield unreadable(str(path), f"is truncated; the record at byte {offset} is lost")
    elif held is not None:
        yield held
    if not responses:
        yield unreadable(str(path), "is not a WARC file, or contains no responses")


def _page(record: WarcRecord, path: Path, *, error_pages: bool, position: int) -> InputPage | None:
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
    name = f"{path.name.partition('.')[0]}-{offset}"
    return InputPage(name=url or str(path), request=request, file_name=name, position=position)


def _is_cut(path: Path, offset: int) -> bool:
    """Return whether the file ends inside of the record at an offset, its last complete one."""
    with path.open("rb") as file:
        file.seek(offset)
        head = file.read(len(_GZIP))
        file.seek(offset)
        if head == _GZIP:
            return _is_cut_gzip(iter(lambda: file.read(_CHUNK), b""))
        data = file.read()
    header, _, rest = data.partition(b"\r\n\r\n")
    sizes = [line for line in header.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    size = int(sizes[0].partition(b":")[2]) if sizes else 0
    return bool(data) and (len(rest) < size or bool(rest[size:].strip()))


def _is_cut_gzip(chunks: Iterator[bytes]) -> bool:
    unzip = zlib.decompressobj(31)
    started = False
    for chunk in chunks:
        data = chunk
        while data:
            if unzip.eof:
                unzip = zlib.decompressobj(31)
            unzip.decompress(data)
            started, data = True, unzip.unused_data
    return started and not unzip.eof
