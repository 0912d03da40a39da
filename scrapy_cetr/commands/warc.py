"""Pages of WARC files, read with FastWARC; a truncated file yields all pages before its end."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, unreadable
from scrapy_cetr.extraction.batch_messages import Request

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
    offset, responses, problem = 0, 0, ""
    with path.open("rb") as raw:
        try:
            for record in ArchiveIterator(raw, WarcRecordType.any_type, auto_decode="all"):
                # The last record may be cut off, so each page waits for the next record.
                if held is not None:
                    yield held
                held, offset = None, record.stream_pos
                responses += record.record_type == WarcRecordType.response
                held = _page(record, path, error_pages=error_pages)
                if held is not None:
                    # Not named by the offset: in a file that was compressed as a whole, it is
                    # not unique.
                    held = replace(held, file_name=str(responses), position=raw.tell())
        except (OSError, EOFError, ValueError) as error:
            problem = f"is damaged after byte {offset}; the rest is lost: {error}"
    is_whole, is_last = _check_record(path, offset)
    if held is not None and is_whole:
        yield held
    if problem or not responses:
        yield unreadable(str(path), problem or "is not a WARC file, or contains no responses")
    elif not is_whole or not is_last:
        yield unreadable(str(path), f"is truncated after byte {offset}; the last record is lost")


def _page(record: WarcRecord, path: Path, *, error_pages: bool) -> InputPage | None:
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
    return InputPage(name=url or str(path), request=request)


def _check_record(path: Path, offset: int) -> tuple[bool, bool]:
    """Return whether the record at an offset is whole, and whether nothing follows it."""
    with path.open("rb") as file:
        is_gzip = file.read(len(_GZIP)) == _GZIP
        file.seek(offset)
        if is_gzip:
            # A file that was compressed as a whole has only one member, at its beginning.
            file.seek(offset if file.read(len(_GZIP)) == _GZIP else 0)
            return _check_member(iter(lambda: file.read(_CHUNK), b""))
        header = b""
        while (line := file.readline()).strip():
            header += line.lower()
        size = re.search(rb"^content-length: *(\d+)\r?\n", header, re.MULTILINE)
        if not line or size is None:
            return False, False
        end = file.tell() + int(size[1])
        is_whole = path.stat().st_size >= end
        file.seek(end)
        return is_whole, not file.read(_CHUNK).strip()


def _check_member(chunks: Iterator[bytes]) -> tuple[bool, bool]:
    unzip = zlib.decompressobj(31)
    for chunk in chunks:
        while chunk and not unzip.eof:
            unzip.decompress(chunk, _CHUNK)
            chunk = unzip.unconsumed_tail
        if unzip.eof:
            return True, not unzip.unused_data and not next(chunks, b"")
    return False, False
