"""Stored pages: HTML, JSON-lines, WARC and Parquet files, folders, and errors in them."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr.commands.files import StoredInputs, is_one_page
from scrapy_cetr.commands.inputs import (
    read_standard_input,
)
from testkit.stored_pages import content, pages, read


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
    assert two.record.source_offset == text.index(b"\n") + number - 1
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
        ("bad.warc", b"no archive", "is not a WARC file, or contains no responses"),
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
