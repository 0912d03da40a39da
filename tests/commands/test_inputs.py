"""Stored pages: HTML, JSON-lines, WARC and Parquet files, folders, and errors in them."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.files import StoredInputs, is_one_page
from scrapy_cetr.commands.inputs import (
    Columns,
    InputPage,
    read_standard_input,
    stored_pages,
)
from scrapy_cetr.extraction.batch_worker import PageError, read_page
from testkit.archives import warc_response

Found = tuple[str | None, str | None]
HTML = "Content-Type: text/html; charset=utf-8"


def pages(*words: Path | str, excluded: Sequence[Path] = (), **options: Any) -> list[InputPage]:
    inputs = StoredInputs(words=[str(word) for word in words], excluded=excluded)
    return list(stored_pages(inputs, **{"columns": Columns(), "error_pages": False, **options}))


def content(page: InputPage) -> Found:
    """Return the HTML and the URL of a page, or its error and None."""
    try:
        return read_page(page.request)
    except PageError as error:
        return str(error), "error"


def read(*words: Path | str, **options: Any) -> list[Found]:
    return [content(page) for page in pages(*words, **options)]


def lines(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


# Files and folders


def test_html_file_may_have_any_name(tmp_path: Path) -> None:
    for name in ("page.html", "page.php", "page"):
        file = tmp_path / name
        file.write_bytes(b"<p>One")
        (found,) = pages(file)
        assert content(found) == ("<p>One", None)
        assert (found.name, found.file_name, found.position) == (str(file), name, 6)
        assert is_one_page(str(file))


def test_html_file_may_be_compressed(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(b"<p>One"))
    assert read(file) == [("<p>One", None)]


def test_folder_is_searched_with_subfolders_and_sorted(tmp_path: Path) -> None:
    inside = tmp_path / "b"
    inside.mkdir()
    names = ["a.HTM", "b/a.html", "b/c.jsonl.gz", "c.warc.gz", "d.parquet"]
    for name in [*names, "d.css", "e.gz", "b/f.png"]:
        (tmp_path / name).touch()
    inputs = StoredInputs(words=[str(tmp_path)])
    assert [file.output_path for file in inputs.files(str(tmp_path))] == names
    assert not is_one_page(str(tmp_path))


def test_folder_that_cannot_be_listed_is_an_error_and_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.html").write_text(f"<p>{name}")
    scandir = os.scandir

    def refusing(path: Path) -> Any:
        # Permissions do not stop a test that runs as root.
        if Path(path).name == "b":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    first, refused, last = read(tmp_path)
    assert (first[0], last[0]) == ("<p>a", "<p>c")
    assert str(refused[0]).startswith("cannot be read: ")


def test_glob_pattern_finds_files_and_folders(tmp_path: Path) -> None:
    for name in ("a/1.html", "a/2.html", "b/1.html", "b/deep/3.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"<p>{name}")
    assert [found for found, _ in read(f"{tmp_path}/*/1.html")] == ["<p>a/1.html", "<p>b/1.html"]
    assert [found for found, _ in read(f"{tmp_path}/b*")] == ["<p>b/1.html", "<p>b/deep/3.html"]
    assert len(read(f"{tmp_path}/**/*.html")) == 4
    (nothing,) = read(f"{tmp_path}/*.htm")
    assert nothing[0] == "contains no .html, .jsonl, .warc or .parquet files"
    assert not is_one_page(f"{tmp_path}/*.html")


def test_existing_file_with_special_characters_is_not_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "a[1].html").write_text("<p>One")
    (tmp_path / "a1.html").write_text("<p>Other")
    assert read(tmp_path / "a[1].html") == [("<p>One", None)]
    assert is_one_page(str(tmp_path / "a[1].html"))


def test_output_inside_of_an_input_folder_is_not_read(tmp_path: Path) -> None:
    for name in ("a.html", "out.jsonl", "sub/out.jsonl", "out/a.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"html": "<p>x"}')
    found = pages(tmp_path, excluded=[tmp_path / "out.jsonl", tmp_path / "out"])
    names = [f"{tmp_path}/a.html", f"{tmp_path}/sub/out.jsonl, line 1"]
    assert [page.name for page in found] == names


def test_output_names_are_unique_and_stay_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/x.html", "b/x.html", "b/x.htm", "b/x", "b/x.html.gz", "b/x.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"html": "<p>x"}')
    monkeypatch.chdir(tmp_path / "b")
    found = pages("../a", "x", "../b", str(tmp_path / "b/x.html"))
    names = [page.file_name for page in found]
    folder = ["b/x.htm", "b/x.html", "b/x.html.gz", "b/x.jsonl/1"]
    assert names == ["a/x.html", "b/x", *folder, "b/x.html"]
    assert [page.file_name for page in pages("../a/x.html")] == ["x.html"]


# JSON lines


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.ndjson", "pages.jsonl.gz"])
def test_json_lines_file_has_a_page_per_line(tmp_path: Path, name: str) -> None:
    text = lines({"url": "https://x.example/1", "html": "<p>Größe"}, {"html": "<p>Two", "url": 3})
    file = tmp_path / name
    file.write_bytes(gzip.compress(text) if name.endswith("gz") else b"\n" + text)
    one, two = pages(file)
    assert content(one) == ("<p>Größe", "https://x.example/1")
    assert content(two) == ("<p>Two", None)
    number = 2 if file.suffix == ".gz" else 3
    assert (two.name, two.file_name) == (f"{file}, line {number}", f"{name}/{number}")
    assert two.position == file.stat().st_size
    assert two.request.source_offset == text.index(b"\n") + number - 1
    assert not is_one_page(str(file))


def test_invalid_line_does_not_prevent_reading_others(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_bytes(b"{\n[]\n\xff\n" + lines({"text": "x"}, {"html": "<p>Good"}))
    *wrong, good = pages(file)
    assert content(good)[0] == "<p>Good"
    assert [page.name for page in wrong] == [f"{file}, line {number}" for number in range(1, 5)]
    errors = [str(content(page)[0]).split(":")[0] for page in wrong]
    wanted = "must be a JSON object with the string 'html' and, optionally, the string 'url'"
    assert errors == ["is not JSON", wanted, "is not JSON", wanted]


# WARC


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
        assert "is truncated after byte" in str(error) or "is damaged after byte" in str(error)
    for cut in (last, len(data)):
        file.write_bytes(data[:cut])
        assert "error" not in [kind for _, kind in read(file)]


def test_warc_file_without_fastwarc_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    monkeypatch.delitem(sys.modules, "scrapy_cetr.commands.warc", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'scrapy-cetr\[warc\]'"):
        pages(tmp_path / "crawl.warc")


# Parquet


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
    assert (found[7].file_name, found[7].request.source_offset) == ("pages.parquet/8", 7)
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


# Standard input


def test_standard_input_is_a_page_or_json_lines() -> None:
    (found,) = read_standard_input(io.BytesIO(b"\n<p>One\n<p>Two"))
    assert content(found) == ("<p>One\n<p>Two", None)
    data = b"\n" + lines({"html": "<p>One"}, {"html": "<p>Two"})
    found, second = read_standard_input(io.BytesIO(data))
    assert [content(found)[0], content(second)[0]] == ["<p>One", "<p>Two"]
    assert (second.name, second.file_name) == ("standard input, line 2", "standard-input/2")
    (empty,) = read_standard_input(io.BytesIO(b""))
    assert content(empty) == ("is empty", "error")


# Unreadable files

# mtime=0: pytest-xdist needs the same test names in all processes, and this is part of a name.
CUT = gzip.compress(b"x" * 99, mtime=0)[:20]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("none.html", None, "cannot be read: No such file or directory"),
        ("none.warc", None, "cannot be read: No such file or directory"),
        ("none.parquet", None, "cannot be read: No such file or directory"),
        ("empty.html", b"", "is empty"),
        ("image.html", b"\x89PNG\r\n\x1a\n", "is not HTML but a PNG image"),
        ("bad.jsonl.gz", b"no gzip", "cannot be read: Not a gzipped file (b'no')"),
        ("cut.html.gz", CUT, "cannot be read: Compressed file ended"),
        ("bad.warc", b"no archive", "is damaged after byte 0; the rest is lost: Invalid WARC"),
        ("empty.warc", b"", "is not a WARC file, or contains no responses"),
        ("bad.warc.gz", b"\x1f\x8b nonsense", ""),
        ("bad.parquet", b"PAR1 nonsense", "cannot be read: Parquet magic bytes not found"),
    ],
)
def test_unreadable_file_yields_an_error(
    tmp_path: Path, name: str, data: bytes | None, error: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    ((says, kind),) = read(tmp_path / name)
    assert kind == "error"
    assert str(says).startswith(error)
    assert "\n" not in str(says)
