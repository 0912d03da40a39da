"""Stored pages: HTML, JSON-lines and WARC files, folders, and errors in them."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from scrapy_cetr.commands.inputs import InputPage, find_files, is_one_page, read_stored
from testkit.archives import warc_response


def read(path: Path) -> list[InputPage]:
    return list(read_stored(path))


def lines(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def test_html_file_may_have_any_name(tmp_path: Path) -> None:
    for name in ("page.html", "page.php", "page"):
        file = tmp_path / name
        file.write_bytes(b"<p>One")
        assert read(file) == [InputPage(name=str(file), html=b"<p>One", position=6)]
        assert is_one_page(file)


def test_html_file_may_be_compressed(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(b"<p>One"))
    (page,) = read(file)
    assert (page.html, page.position) == (b"<p>One", file.stat().st_size)


def test_find_files_searches_subfolders_and_sorts(tmp_path: Path) -> None:
    inside = tmp_path / "b"
    inside.mkdir()
    names = ["a.HTM", "b/a.html", "b/c.jsonl.gz", "c.warc.gz"]
    for name in [*names, "d.css", "e.gz", "b/f.png"]:
        (tmp_path / name).touch()
    assert [str(file.relative_to(tmp_path)) for file in find_files(tmp_path)] == names
    assert not is_one_page(tmp_path)


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.ndjson", "pages.jsonl.gz"])
def test_json_lines_file_has_a_page_per_line(tmp_path: Path, name: str) -> None:
    text = lines({"url": "https://x.example/1", "html": "<p>Größe"}, {"html": "<p>Two", "url": 3})
    file = tmp_path / name
    file.write_bytes(gzip.compress(text) if name.endswith("gz") else b"\n" + text)
    one, two = read(file)
    assert (one.name, one.url, one.html) == ("https://x.example/1",) * 2 + ("<p>Größe",)
    number = 2 if file.suffix == ".gz" else 3
    assert (two.name, two.url, two.html) == (f"{file}, line {number}", None, "<p>Two")
    assert two.position == file.stat().st_size
    assert not is_one_page(file)


def test_invalid_line_does_not_prevent_reading_others(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_bytes(b"{\n[]\n\xff\n" + lines({"text": "x"}, {"html": "<p>Good"}))
    *wrong, good = read(file)
    assert good.html == "<p>Good"
    assert [page.name for page in wrong] == [f"{file}, line {number}" for number in range(1, 5)]
    errors = [str(page.error).split(":")[0] for page in wrong]
    wanted = "must be a JSON object with the string 'html' and, optionally, the string 'url'"
    assert errors == ["is not JSON", wanted, "is not JSON", wanted]


@pytest.mark.parametrize("name", ["crawl.warc", "crawl.warc.gz"])
def test_warc_file_yields_decoded_html_responses(tmp_path: Path, name: str) -> None:
    packed, html = gzip.compress(b"<p>Packed"), "Content-Type: text/html; charset=utf-8"
    records = [
        warc_response("https://x.example/1", b"<p>Plain", html),
        warc_response("https://x.example/2", packed, html, "Content-Encoding: gzip"),
        warc_response(
            "https://x.example/3", b"4\r\n<p>C\r\n0\r\n\r\n", html, "Transfer-Encoding: chunked"
        ),
        warc_response("https://x.example/4.png", b"\x89PNG", "Content-Type: image/png"),
    ]
    file = tmp_path / name
    zipped = name.endswith("gz")
    file.write_bytes(b"".join(gzip.compress(part) if zipped else part for part in records))
    assert [(page.url, page.html, page.error) for page in read(file)] == [
        ("https://x.example/1", b"<p>Plain", None),
        ("https://x.example/2", b"<p>Packed", None),
        ("https://x.example/3", b"<p>C", None),
    ]


def test_warc_file_without_fastwarc_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    (page,) = read(tmp_path / "crawl.warc")
    assert page.error == "cannot be read without FastWARC: pip install 'scrapy-cetr[warc]'"


# mtime=0: pytest-xdist needs the same test names in all processes, and this is part of a name.
CUT = gzip.compress(b"x" * 99, mtime=0)[:20]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("none.html", None, "cannot be read: No such file or directory"),
        ("none.warc", None, "cannot be read: No such file or directory"),
        ("bad.jsonl.gz", b"no gzip", "cannot be read: Not a gzipped file (b'no')"),
        ("cut.html.gz", CUT, "cannot be read: Compressed file ended"),
        ("bad.warc", b"no archive", "cannot be read: Invalid WARC header"),
        ("empty.warc", b"", "is not a WARC file, or contains no responses"),
        ("bad.warc.gz", b"\x1f\x8b nonsense", ""),
    ],
)
def test_unreadable_file_yields_a_record_with_error(
    tmp_path: Path, name: str, content: bytes | None, error: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (page,) = read(tmp_path / name)
    assert str(page.error).startswith(error)
    assert page.error is not None
