"""Stored pages: files, folders, JSON lines and archives, and what is wrong with them."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from scrapy_cetr.commands.inputs import Stored, find_files, is_one_page, read_stored
from testkit.archives import warc_response


def read(path: Path) -> list[Stored]:
    return list(read_stored(path))


def lines(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def test_a_file_is_a_page_whatever_it_is_called(tmp_path: Path) -> None:
    for name in ("page.html", "page.php", "page"):
        file = tmp_path / name
        file.write_bytes(b"<p>One")
        assert read(file) == [Stored(name=str(file), html=b"<p>One", position=6)]
        assert is_one_page(file)


def test_a_file_can_be_packed(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(b"<p>One"))
    (page,) = read(file)
    assert (page.html, page.position) == (b"<p>One", file.stat().st_size)


def test_a_folder_is_the_files_in_it_and_in_folders_inside_in_order(tmp_path: Path) -> None:
    inside = tmp_path / "b"
    inside.mkdir()
    names = ["a.HTM", "b/a.html", "b/c.jsonl.gz", "c.warc.gz"]
    for name in [*names, "d.css", "e.gz", "b/f.png"]:
        (tmp_path / name).touch()
    assert [str(file.relative_to(tmp_path)) for file in find_files(tmp_path)] == names
    assert not is_one_page(tmp_path)


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.ndjson", "pages.jsonl.gz"])
def test_each_line_is_a_page(tmp_path: Path, name: str) -> None:
    text = lines({"url": "https://x.example/1", "html": "<p>Größe"}, {"html": "<p>Two", "url": 3})
    file = tmp_path / name
    file.write_bytes(gzip.compress(text) if name.endswith("gz") else b"\n" + text)
    one, two = read(file)
    assert (one.name, one.url, one.html) == ("https://x.example/1",) * 2 + ("<p>Größe",)
    number = 2 if file.suffix == ".gz" else 3
    assert (two.name, two.url, two.html) == (f"{file}, line {number}", None, "<p>Two")
    assert two.position == file.stat().st_size
    assert not is_one_page(file)


def test_a_wrong_line_does_not_keep_others_from_being_read(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_bytes(b"{\n[]\n\xff\n" + lines({"text": "x"}, {"html": "<p>Good"}))
    *wrong, good = read(file)
    assert good.html == "<p>Good"
    assert [page.name for page in wrong] == [f"{file}, line {number}" for number in range(1, 5)]
    errors = [str(page.error).split(":")[0] for page in wrong]
    wanted = "must be a JSON object with a string 'html', and a string 'url' if it is known"
    assert errors == ["is not JSON", wanted, "is not JSON", wanted]


@pytest.mark.parametrize("name", ["crawl.warc", "crawl.warc.gz"])
def test_an_archive_gives_its_html_responses_unpacked(tmp_path: Path, name: str) -> None:
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


def test_without_fastwarc_an_archive_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    (page,) = read(tmp_path / "crawl.warc")
    assert page.error == "needs FastWARC to be read: pip install 'scrapy-cetr[warc]'"


# Without the time of day: it would be in the name of the test, which processes have to agree on.
CUT = gzip.compress(b"x" * 99, mtime=0)[:20]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("none.html", None, "cannot be read: No such file or directory"),
        ("none.warc", None, "cannot be read: No such file or directory"),
        ("bad.jsonl.gz", b"no gzip", "cannot be read: Not a gzipped file (b'no')"),
        ("cut.html.gz", CUT, "cannot be read: Compressed file ended"),
        ("bad.warc", b"no archive", "cannot be read: Invalid WARC header"),
        ("empty.warc", b"", "has no responses; a WARC file is expected"),
        ("bad.warc.gz", b"\x1f\x8b nonsense", ""),
    ],
)
def test_what_cannot_be_read_says_why(
    tmp_path: Path, name: str, content: bytes | None, error: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (page,) = read(tmp_path / name)
    assert str(page.error).startswith(error)
    assert page.error is not None
