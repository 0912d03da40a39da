"""Stored pages in WARC and Parquet files, and errors in them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_cetr.commands.inputs import (
    Columns,
)
from testkit.archives import warc_response
from testkit.stored_pages import content, pages, read

HTML = "Content-Type: text/html; charset=utf-8"


def archive(*records: bytes, zipped: bool) -> bytes:
    return b"".join(gzip.compress(record) if zipped else record for record in records)


@pytest.mark.parametrize("name", ["crawl.warc", "crawl.warc.gz"])
def test_warc_file_yields_decoded_html_responses(tmp_path: Path, name: str) -> None:
    packed = gzip.compress(b"<p>Packed")
    records = [
        warc_response("https://x.example/1", b"<p>Plain", HTML),
        warc_response("https://x.example/2", packed, HTML, "Content-Encoding: gzip"),
        warc_response(
            "https://x.example/3", b"4\r\n<p>C\r\n0\r\n\r\n", HTML, "Transfer-Encoding: chunked"
        ),
        warc_response("https://x.example/4.png", b"\x89PNG", "Content-Type: image/png"),
    ]
    file = tmp_path / name
    file.write_bytes(archive(*records, zipped=name.endswith("gz")))
    assert read(file) == [
        ("<p>Plain", "https://x.example/1"),
        ("<p>Packed", "https://x.example/2"),
        ("<p>C", "https://x.example/3"),
    ]


def test_warc_file_that_was_compressed_as_a_whole_is_complete(tmp_path: Path) -> None:
    records = [warc_response(f"https://x.example/{n}", b"<p>%d" % n, HTML) for n in range(4)]
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(gzip.compress(b"".join(records)))
    found = pages(file)
    assert [content(page)[0] for page in found] == [f"<p>{n}" for n in range(4)]
    assert len({page.file_name for page in found}) == 4


def test_warc_error_pages_are_ignored_unless_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc"
    file.write_bytes(
        warc_response("https://x.example/1", b"<p>Good", HTML)
        + warc_response("https://x.example/2", b"<p>Gone", HTML, status="404 Not Found")
        + warc_response("https://x.example/3", b"<p>Broken", HTML, status="500 Error")
    )
    assert [found for found, _ in read(file)] == ["<p>Good"]
    found = read(file, error_pages=True)
    assert [html for html, _ in found] == ["<p>Good", "<p>Gone", "<p>Broken"]


@pytest.mark.parametrize("zipped", [False, True])
def test_truncated_warc_file_keeps_all_whole_records(tmp_path: Path, zipped: bool) -> None:
    records = [warc_response(f"https://x.example/{n}", b"<p>%d" % n * 99, HTML) for n in range(3)]
    parts = [archive(record, zipped=zipped) for record in records]
    data = b"".join(parts)
    last = len(data) - len(parts[2])
    file = tmp_path / ("crawl.warc.gz" if zipped else "crawl.warc")
    # A plain record is whole without the two line ends after it.
    end = len(data) if zipped else len(data) - 4
    for cut in range(last + 1, end):
        file.write_bytes(data[:cut])
        *good, (error, kind) = read(file)
        assert [html for html, _ in good] == ["<p>0" * 99, "<p>1" * 99]
        assert kind == "error"
        assert " lost" in str(error)
    for cut in (last, len(data)):
        file.write_bytes(data[:cut])
        assert "error" not in [kind for _, kind in read(file)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
def test_parquet_file_has_a_page_per_row(tmp_path: Path, kind: pa.DataType) -> None:
    texts = [f"<meta charset=utf-8><p>Größe {n}" for n in range(150)]
    html = pa.array([text.encode() for text in texts], pa.binary()).cast(kind)
    urls = [f"https://x.example/{n}" for n in range(150)]
    file = tmp_path / "pages.parquet"
    pq.write_table(pa.table({"html": html, "url": urls, "other": urls}), file)
    found = pages(file)
    assert [content(page) for page in found] == list(zip(texts, urls, strict=True))
    assert found[7].name == f"{file}, row 8"
    assert (found[7].file_name, found[7].record.source_offset) == ("pages.parquet/8", 7)
    assert found[-1].position == file.stat().st_size


def test_parquet_columns_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "pages.parquet"
    pq.write_table(
        pa.table({"body": ["<p>One", None], "address": ["https://x.example/1"] * 2}), file
    )
    says = "has no column 'html' but body, address; name the column with the HTML by --html-column"
    assert read(file) == [(says, "error")]
    found = read(file, columns=Columns(html="body", url="address"))
    assert found == [("<p>One", "https://x.example/1"), ("is empty", "error")]
    (wrong, _) = read(file, columns=Columns(html="body", url="none"))
    assert wrong == ("<p>One", None)


def test_parquet_column_of_numbers_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "pages.parquet"
    pq.write_table(pa.table({"html": [1]}), file)
    assert read(file) == [("the column 'html' must have strings or bytes, not int", "error")]
