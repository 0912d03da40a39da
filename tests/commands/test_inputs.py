"""Stored pages: HTML, JSON-lines, WARC and Parquet files, folders, globs, and errors in them."""

import gzip
import io
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import (
    Columns,
    InputPage,
    StoredFile,
    find_files,
    is_one_page,
    read_pages,
    read_standard_input,
    stored_pages,
)
from scrapy_cetr.extraction.batch_worker import PageError, read_page
from testkit.archives import warc_response


def read(
    path: Path, *, error_pages: bool = False, columns: Columns | None = None
) -> list[InputPage]:
    file = StoredFile(path=path, output_path=path.name)
    return list(read_pages(file, columns=columns or Columns(), error_pages=error_pages))


def content(page: InputPage) -> tuple[str, str | None]:
    """Return the HTML and URL of a page, or its error."""
    try:
        return read_page(page.request)
    except PageError as error:
        return str(error), None


def lines(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def test_html_file_may_have_any_name(tmp_path: Path) -> None:
    for name in ("page.html", "page.php", "page"):
        file = tmp_path / name
        file.write_bytes(b"<p>One")
        (page,) = read(file)
        assert (page.name, page.position) == (str(file), 6)
        assert content(page) == ("<p>One", None)
        assert is_one_page(str(file))


def test_html_file_may_be_compressed(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(b"<p>One"))
    (page,) = read(file)
    assert content(page)[0] == "<p>One"


def test_find_files_searches_subfolders_and_sorts(tmp_path: Path) -> None:
    inside = tmp_path / "b"
    inside.mkdir()
    names = ["a.HTM", "b/a.html", "b/c.jsonl.gz", "c.warc.gz", "d.parquet"]
    for name in [*names, "d.css", "e.gz", "b/f.png"]:
        (tmp_path / name).touch()
    assert [file.output_path for file in find_files(str(tmp_path))] == names
    assert not is_one_page(str(tmp_path))


def test_find_files_expands_a_glob_pattern(tmp_path: Path) -> None:
    for name in ("a.html", "b.html", "c.txt"):
        (tmp_path / name).touch()
    found = find_files(str(tmp_path / "*.html"))
    assert [file.path.name for file in found] == ["a.html", "b.html"]
    assert not is_one_page(str(tmp_path / "*.html"))
    # A file whose name looks like a pattern is itself.
    (tmp_path / "[1].html").touch()
    assert [file.path.name for file in find_files(str(tmp_path / "[1].html"))] == ["[1].html"]


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.ndjson", "pages.jsonl.gz"])
def test_json_lines_file_has_a_page_per_line(tmp_path: Path, name: str) -> None:
    text = lines({"url": "https://x.example/1", "html": "<p>Größe"}, {"html": "<p>Two", "url": 3})
    file = tmp_path / name
    file.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    one, two = read(file)
    assert content(one) == ("<p>Größe", "https://x.example/1")
    assert content(two) == ("<p>Two", None)
    assert two.name == f"{file}, line 2"
    assert two.position == file.stat().st_size
    first = text.index(b"\n") + 1
    assert [page.request.source_offset for page in (one, two)] == [0, first]
    assert not is_one_page(str(file))


def test_invalid_line_does_not_prevent_reading_others(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_bytes(b"{\n[]\n\xff\n" + lines({"text": "x"}, {"html": " "}, {"html": "<p>Good"}))
    *wrong, good = read(file)
    assert content(good)[0] == "<p>Good"
    assert [page.name for page in wrong] == [f"{file}, line {number}" for number in range(1, 6)]
    errors = [content(page)[0].split(":")[0] for page in wrong]
    wanted = "must be a JSON object with the string 'html' and, optionally, the string 'url'"
    assert errors == ["is not JSON", wanted, "is not JSON", wanted, "is empty"]


HTML = "Content-Type: text/html; charset=utf-8"


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
    zipped = name.endswith("gz")
    file.write_bytes(b"".join(gzip.compress(part) if zipped else part for part in records))
    assert [content(page) for page in read(file)] == [
        ("<p>Plain", "https://x.example/1"),
        ("<p>Packed", "https://x.example/2"),
        ("<p>C", "https://x.example/3"),
    ]


def test_warc_error_pages_are_ignored_unless_asked_for(tmp_path: Path) -> None:
    good = warc_response("https://x.example/1", b"<p>Good", HTML)
    missing = warc_response("https://x.example/2", b"<p>Not found", HTML).replace(
        b"HTTP/1.1 200 OK", b"HTTP/1.1 404 No"
    )
    file = tmp_path / "crawl.warc"
    file.write_bytes(missing + good)
    assert [content(page)[0] for page in read(file)] == ["<p>Good"]
    found = [content(page)[0] for page in read(file, error_pages=True)]
    assert found == ["<p>Not found", "<p>Good"]


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("lost", [10, 150, 5000])
def test_truncated_warc_file_yields_all_complete_pages_and_the_loss(
    tmp_path: Path, *, zipped: bool, lost: int
) -> None:
    # Random text, so that it is as long compressed: the cut is in the body or in the headers.
    body = b"<p>" + bytes(33 + (n * n * 7919) % 90 for n in range(6000)).replace(b"<", b"x")
    records = [warc_response(f"https://x.example/{n}", body, HTML) for n in range(3)]
    parts = [gzip.compress(part) if zipped else part for part in records]
    file = tmp_path / ("crawl.warc.gz" if zipped else "crawl.warc")
    whole = b"".join(parts)
    cut = lost if lost < 5000 else len(parts[-1]) - 40
    file.write_bytes(whole[:-cut])
    *pages, loss = read(file)
    assert [page.request.url for page in pages] == ["https://x.example/0", "https://x.example/1"]
    assert content(loss)[0].startswith("is truncated or damaged; everything after byte ")
    file.write_bytes(whole)
    assert len(read(file)) == 3


def test_warc_file_without_fastwarc_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    monkeypatch.delitem(sys.modules, "scrapy_cetr.commands.warc", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'scrapy-cetr\[warc\]'"):
        read(tmp_path / "crawl.warc")


def test_parquet_file_has_a_page_per_row(tmp_path: Path) -> None:
    file = tmp_path / "pages.parquet"
    table = {"html": ["<p>Größe", None], "url": ["https://x.example/1", None]}
    pq.write_table(pa.table(table), file)
    one, two = read(file)
    assert content(one) == ("<p>Größe", "https://x.example/1")
    assert content(two) == ("is empty", None)
    assert (one.request.source_offset, two.request.source_offset) == (0, 1)


def test_parquet_columns_have_names_of_choice_and_may_hold_bytes(tmp_path: Path) -> None:
    file = tmp_path / "pages.parquet"
    pq.write_table(pa.table({"body": ["<p>Größe".encode("cp1252")], "link": ["https://x"]}), file)
    (page,) = read(file, columns=Columns(html="body", url="link"))
    assert content(page) == ("<p>Größe", "https://x")
    (wrong,) = read(file)
    assert content(wrong)[0] == (
        "has no column 'html' but body, link; name the column with the HTML by --html-column"
    )


# mtime=0: pytest-xdist needs the same test names in all processes, and this is part of a name.
CUT = gzip.compress(b"x" * 99, mtime=0)[:20]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("none.html", None, "cannot be read: No such file or directory"),
        ("none.warc", None, "cannot be read: No such file or directory"),
        ("empty.html", b" \n", "is empty"),
        ("image.html", b"\x89PNG\r\n\x1a\n", "is not HTML but a PNG image"),
        ("bad.jsonl.gz", b"no gzip", "cannot be read: Not a gzipped file (b'no')"),
        ("cut.html.gz", CUT, "cannot be read: Compressed file ended"),
        ("bad.warc", b"no archive", ""),
        ("empty.warc", b"", "is not a WARC file, or contains no responses"),
        ("bad.warc.gz", b"\x1f\x8b nonsense", ""),
        ("bad.parquet", b"nonsense", "cannot be read"),
    ],
)
def test_unreadable_file_yields_an_error(
    tmp_path: Path, name: str, data: bytes | None, error: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    pages = read(tmp_path / name)
    assert pages
    for page in pages:
        with pytest.raises(PageError) as raised:
            read_page(page.request)
        assert str(raised.value).startswith(error)


def test_standard_input_is_one_page_or_json_lines() -> None:
    (page,) = read_standard_input(io.BytesIO(b"\n<p>One\n<p>Two"))
    assert content(page)[0] == "<p>One\n<p>Two"
    text = lines({"html": "<p>1"}, {"html": "<p>2", "url": "https://x"})
    pages = list(read_standard_input(io.BytesIO(b"\n" + text)))
    assert [content(page) for page in pages] == [("<p>1", None), ("<p>2", "https://x")]


def test_positions_add_up_over_files(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_bytes(b"<p>One")
    pages = stored_pages([str(tmp_path)], columns=Columns(), error_pages=False)
    assert [page.position for page in pages] == [6, 12]
