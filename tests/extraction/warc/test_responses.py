"""Which responses of an archive are pages, and how their bodies are decoded."""

from __future__ import annotations

import gzip
import io
import zlib

import brotli
import pytest

from scrapy_cetr.extraction.html.sniffing import begins_as_html, may_be_html
from scrapy_cetr.extraction.warc import read_archive, read_warc
from testkit.archives import warc_response
from testkit.timing import grows_linearly

HTML = "Content-Type: text/html; charset=ISO-8859-2"
PAGE = b"<!DOCTYPE html><title>One</title><p>Two"


def pages(*parts: bytes, error_pages: bool = False) -> list[bytes | str]:
    found = read_warc(io.BytesIO(b"".join(parts)), error_pages=error_pages)
    return [record.error or record.html for record in found]


@pytest.mark.parametrize(
    "headers",
    [
        (),
        ("Content-Type: application/octet-stream",),
        ("Content-Type: text/plain",),
        ("Content-Type: image/jpeg",),
        ("Content-Type: text/x-script; charset=utf-8",),
        ("Content-Type: APPLICATION/XHTML+XML",),
    ],
)
def test_html_is_recognised_whatever_its_headers_say(headers: tuple[str, ...]) -> None:
    assert pages(warc_response("https://x.example/", PAGE, *headers)) == [PAGE]


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b"\x89PNG\r\n\x1a\n", ()),
        (b'{"html": "<p>One"}', ()),
        (b'{"html": "<p>One"}', ("Content-Type: application/json",)),
        (b"<?xml version='1.0'?><rss><title>One</title></rss>", ("Content-Type: text/xml",)),
        (b"<svg><title>One</title></svg>", ("Content-Type: image/svg+xml",)),
        (b"document.write('<p>One')", ("Content-Type: text/javascript",)),
        (b"body { color: red }", ("Content-Type: text/css",)),
    ],
)
def test_other_responses_are_no_pages(content: bytes, headers: tuple[str, ...]) -> None:
    page = warc_response("https://x.example/", PAGE, HTML)
    assert pages(page, warc_response("https://x.example/x", content, *headers)) == [PAGE]


def test_page_without_a_type_may_begin_with_a_warning_of_the_server() -> None:
    page = b"Warning: mysql_connect() on line 3 <br><html><p>One"
    assert pages(warc_response("https://x.example/", page)) == [page]


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("br", brotli.compress),
    ],
)
def test_packed_body_is_unpacked_unless_the_archive_did_so(encoding: str, pack: object) -> None:
    assert callable(pack)
    header = f"Content-Encoding: {encoding}"
    for body in (pack(PAGE), PAGE):
        assert pages(warc_response("https://x.example/", body, HTML, header)) == [PAGE]


def test_chunks_are_joined_unless_the_archive_did_so() -> None:
    chunks = b"5;x=y\r\n<!DOC\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE) - 5, PAGE[5:])
    for body in (chunks, PAGE):
        header = "Transfer-Encoding: chunked"
        assert pages(warc_response("https://x.example/", body, HTML, header)) == [PAGE]


def test_body_that_cannot_be_unpacked_is_an_error() -> None:
    broken = gzip.compress(PAGE)[:10] + b"\xff" * 20
    page = warc_response("https://x.example/", broken, HTML, "Content-Encoding: gzip")
    (error,) = pages(page)
    assert str(error).startswith("its body cannot be unpacked: ")


@pytest.mark.parametrize("pack", [gzip.compress, brotli.compress])
def test_body_that_grows_without_end_is_an_error(
    pack: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(pack)
    monkeypatch.setattr("scrapy_cetr.extraction.warc.LONGEST", 100_000)
    encoding = "gzip" if pack is gzip.compress else "br"
    body = pack(b"<p>" + bytes(10_000_000))
    page = warc_response("https://x.example/", body, HTML, f"Content-Encoding: {encoding}")
    assert pages(page) == ["has more than 100,000 bytes"]


def test_charset_of_the_response_is_kept() -> None:
    (record,) = read_warc(io.BytesIO(warc_response("https://x.example/", PAGE, HTML)))
    assert record.charset == "ISO-8859-2"


def test_resource_and_response_without_a_head_are_pages() -> None:
    resource = warc_response("https://x.example/", PAGE, HTML)
    head, _, body = resource.partition(b"HTTP/1.1 200 OK\r\n")
    body = body.partition(b"\r\n\r\n")[2]
    head = head.replace(b"WARC-Type: response", b"WARC-Type: resource")
    length = b"Content-Length: %d" % len(body.removesuffix(b"\r\n\r\n"))
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-")]
    data = b"\r\n".join([*lines[:-2], b"Content-Type: text/html", length, b"", body])
    assert pages(data) == [PAGE]


def test_error_pages_are_included_on_request() -> None:
    page = warc_response("https://x.example/", PAGE, HTML, status="404 Not Found")
    assert pages(page) == []
    assert pages(page, error_pages=True) == [PAGE]


def test_missing_archive_is_an_error_of_one_record() -> None:
    (record,) = read_archive("/none/crawl.warc.gz")
    assert record.error == "cannot be read: No such file or directory"
    assert record.source_file == "/none/crawl.warc.gz"


@pytest.mark.parametrize("part", [b"<!--x-->", b"<!--", b" ", b"<?xml ", b"<", b"<!doctype "])
def test_sniffing_takes_linear_time(part: bytes) -> None:
    def sniff(size: int) -> None:
        data = part * size
        for _ in range(100):
            begins_as_html(data)
            may_be_html(data)

    assert grows_linearly(sniff, size=1000)
