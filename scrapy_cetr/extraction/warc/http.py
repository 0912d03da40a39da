"""HTTP responses as archives store them."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

_STATUS = re.compile(rb"HTTP/\S+ +(\d{3})")
_CHARSET = re.compile(rb"charset *= *[\"']?([\w.:-]+)", re.IGNORECASE)
_CHUNK_SIZE = re.compile(rb"[ \t]{0,8}([0-9a-fA-F]{1,8})[ \t]{0,8}(?:;[^\n]{0,1000})?\r?\n")


class ContentError(Exception):
    """The body of a response cannot be decoded; the message says why."""


class Head(NamedTuple):
    """The status and the headers of a response that matter for its content."""

    status: int
    content_type: bytes
    charset: str | None
    encoding: bytes
    is_chunked: bool


def split_response(data: bytes) -> tuple[bytes, bytes]:
    r"""Return the head and the body of a response; no head if it does not begin with one.

    >>> split_response(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>")
    (b'HTTP/1.1 200 OK\r\nA: b', b'<p>')
    """
    if not data.startswith(b"HTTP/"):
        return b"", data
    ends = [(data.find(end), end) for end in (b"\r\n\r\n", b"\n\n")]
    found = min((end for end in ends if end[0] >= 0), default=None)
    if found is None:
        return data, b""
    return data[: found[0]], data[found[0] + len(found[1]) :]


def read_head(head: bytes) -> Head:
    """Read the head of a response; the status is 200 if there is none."""
    status = _STATUS.match(head)
    fields: dict[bytes, bytes] = {}
    for line in head.splitlines()[1:]:
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    kind = fields.get(b"content-type", b"")
    charset = _CHARSET.search(kind)
    return Head(
        status=int(status[1]) if status else 200,
        content_type=kind.partition(b";")[0].strip().lower(),
        charset=charset[1].decode("latin-1") if charset else None,
        encoding=fields.get(b"content-encoding", b"").lower(),
        is_chunked=b"chunked" in fields.get(b"transfer-encoding", b"").lower(),
    )


def decode_body(head: Head, body: bytes, *, longest: int) -> bytes:
    """Undo the transfer and content encodings; raise ContentError if that fails.

    Many archives store a body decoded, but its head as it came. A body that is not encoded as the
    head says is returned as it is.
    """
    if head.is_chunked and _CHUNK_SIZE.match(body):
        body = _join_chunks(body)
    if head.encoding in (b"gzip", b"x-gzip") and body.startswith(b"\x1f\x8b"):
        return _inflate(body, 31, longest)
    if head.encoding == b"deflate" and not body.lstrip().startswith(b"<"):
        # Some servers send the data without the header that the standard asks for.
        has_header = len(body) > 1 and body[0] & 15 == 8 and not (body[0] << 8 | body[1]) % 31
        return _inflate(body, 15 if has_header else -15, longest)
    if head.encoding == b"br" and not body.lstrip().startswith(b"<"):
        return _unbrotli(body, longest)
    return body


def _join_chunks(body: bytes) -> bytes:
    parts, position = [], 0
    while (size := _CHUNK_SIZE.match(body, position)) and (length := int(size[1], 16)):
        parts.append(body[size.end() : size.end() + length])
        # An empty line ends each chunk.
        position = body.find(b"\n", size.end() + length) + 1
        if not position:
            break
    return b"".join(parts)


def _inflate(body: bytes, bits: int, longest: int) -> bytes:
    unzip = zlib.decompressobj(bits)
    try:
        found = unzip.decompress(body, longest)
    except zlib.error as error:
        raise ContentError(f"its body cannot be unpacked: {error}") from error
    if unzip.unconsumed_tail:
        raise ContentError(f"has more than {longest:,} bytes")
    return found


def _unbrotli(body: bytes, longest: int) -> bytes:
    try:
        import brotli
    except ImportError as error:
        message = "its body is compressed with Brotli: pip install 'scrapy-cetr[warc]'"
        raise ContentError(message) from error
    unpack = brotli.Decompressor()
    parts, size = [], 0
    try:
        # In pieces, so that little data cannot become more than the memory holds.
        for start in range(0, len(body), _BROTLI_PIECE):
            parts.append(unpack.process(body[start : start + _BROTLI_PIECE]))
            size += len(parts[-1])
            if size > longest:
                raise ContentError(f"has more than {longest:,} bytes")
    except brotli.error as error:
        raise ContentError(f"its body cannot be unpacked: {error}") from error
    return b"".join(parts)


_BROTLI_PIECE = 1 << 10
