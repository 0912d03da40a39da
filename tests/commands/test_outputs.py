"""The output files of ``scrapy cetr``: JSON lines, CSV, Parquet, and folders."""

from __future__ import annotations

import csv
import gzip
import io
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scrapy.settings import Settings

from scrapy_cetr.commands.cetr import Command
from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.sinks import ERRORS_FILE, file_name
from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.batch import COLUMNS, Record
from scrapy_cetr.extraction.batch.arrow import schema_of
from testkit.server import TEXT, page

HEAD = """<title>Flood</title><meta name=author content="Ann Lee"><meta name=keywords
content="river, town"><meta property="article:published_time" content=2024-03-05>"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Change to a folder with two pages, an empty file and an image."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "in/a.html").write_bytes(HEAD.encode() + page())
    (tmp_path / "in/sub/a.html").write_bytes(page("Another page than the first one."))
    (tmp_path / "in/empty.html").touch()
    (tmp_path / "in/image.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    yield
    assert not list(tmp_path.glob("*.progress"))


def call(*words: str, **settings: Any) -> int:
    """Run the command as Scrapy does, without a crawler process."""
    command = Command()
    command.settings = Settings(settings)
    parser = ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args(["--jobs", "2", *words])
    command.process_options(args, opts)
    command.run(args, opts)
    return command.exitcode


def rows_of(file: str) -> list[dict[str, Any]]:
    """Read the rows of any output file."""
    path = Path(file)
    if file.endswith(".parquet"):
        found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return found
    data = path.read_bytes()
    text = (gzip.decompress(data) if file.endswith(".gz") else data).decode()
    if file.endswith(".csv"):
        return list(csv.DictReader(io.StringIO(text, newline="")))
    return [json.loads(line) for line in text.splitlines()]


FILES = ["out.jsonl", "out.jsonl.gz", "out.csv", "out.parquet", "new/folder/out.jsonl"]


@pytest.mark.parametrize("file", FILES)
def test_output_has_a_row_per_page_with_text_and_metadata(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("in", "-o", file) == 1
    first, empty, image, second = rows_of(file)
    sources = [row["source_file"] for row in (first, empty, image, second)]
    assert sources == ["in/a.html", "in/empty.html", "in/image.html", "in/sub/a.html"]
    assert (first["title"], first["text"], first["date_published"]) == ("Flood", TEXT, "2024-03-05")
    assert second["text"].endswith("Another page than the first one.")
    assert (empty["error"], image["error"]) == ("is empty", "is not HTML but a PNG image")
    if file.endswith(".csv"):
        assert json.loads(first["authors"]) == ["Ann Lee"]
        assert (second["title"], empty["text"]) == ("", "")
    else:
        assert first["authors"] == ["Ann Lee"]
        assert first["words"] == extract(page()).words
    out, err = capsys.readouterr()
    assert out == ""
    *problems, summary = err.splitlines()
    assert problems == [
        "scrapy cetr: in/empty.html: is empty",
        "scrapy cetr: in/image.html: is not HTML but a PNG image",
    ]
    assert summary.startswith("scrapy cetr: 4 pages in ")
    assert summary.endswith(" pages/s): 2 articles, 2 errors")


def test_default_columns_are_those_of_the_schema() -> None:
    call("in", "-o", "out.csv")
    with Path("out.csv").open() as file:
        columns = next(csv.reader(file))
    assert columns == list(COLUMNS)


def test_parquet_has_a_typed_schema() -> None:
    call("in", "-o", "out.parquet")
    schema = pq.read_schema("out.parquet")
    kinds = dict(zip(schema.names, map(str, schema.types), strict=True))
    assert kinds["source_offset"] == kinds["words"] == "int64"
    assert kinds["probability"] == "double"
    assert kinds["truncated"] == "bool"
    assert kinds["authors"] == "list<element: string>"
    assert {kinds[name] for name in ("text", "title", "url", "error")} == {"string"}
    first, empty, _, second = rows_of("out.parquet")
    assert (first["error"], second["title"], empty["words"]) == (None, None, None)
    assert second["authors"] == []


def test_parquet_can_hold_every_attribute_of_an_article() -> None:
    rich = f"""{HEAD}<div><p>{TEXT} <a href="/x">link</a></p><img src=/i.png alt=An image>
    </div>{page().decode()}"""
    Path("rich.html").write_text(rich)
    assert call("rich.html", "-o", "out.parquet", "--fields", ",".join(ATTRIBUTES)) == 0
    (row,) = rows_of("out.parquet")
    known = extract(rich.encode()).to_dict()
    assert dict(row["sources"]) == known["sources"]
    others = {name: value for name, value in known.items() if name != "sources"}
    assert {name: row[name] for name in others} == others
    types = schema_of({name: name for name in ATTRIBUTES})
    for name, value in known.items():
        if isinstance(value, bool):
            assert types.field(name).type == pa.bool_()
        elif isinstance(value, int):
            assert types.field(name).type == pa.int64()
        elif isinstance(value, list):
            assert pa.types.is_list(types.field(name).type)


@pytest.mark.parametrize("file", ["out.csv", "out.parquet", "out.jsonl"])
def test_output_can_hold_any_character(file: str) -> None:
    record = {"html": '<p>a\ud800b "x", 漢字 \x00 🙂</p>' + page().decode()}
    Path("p.jsonl").write_text(json.dumps(record))
    assert call("p.jsonl", "-o", file, "--fields", "text") == 0
    (row,) = rows_of(file)
    assert row["source_file"] == "p.jsonl"


def test_fields_choose_and_name_the_columns() -> None:
    call("in", "-o", "out.jsonl", "--fields", "title, words")
    assert list(rows_of("out.jsonl")[0]) == ["source_file", "source_offset", "title", "words"]
    call("in", "-o", "out.csv", "--fields", '{"body": "text", "n": "words"}')
    first = rows_of("out.csv")[0]
    columns = ["source_file", "source_offset", "url", "body", "n", "error"]
    assert (list(first), first["body"]) == (columns, TEXT)


def test_existing_output_is_replaced() -> None:
    Path("out.jsonl").write_text("of an earlier run\n" * 1000)
    call("in", "-o", "out.jsonl")
    assert len(rows_of("out.jsonl")) == 4


def test_output_inside_of_the_input_folder_is_not_an_input() -> None:
    for _ in range(2):
        assert call("in", "-o", "in/out.jsonl") == 1
        assert len(rows_of("in/out.jsonl")) == 4


FIELDS = "text,title,authors,words,probability,markdown,version"


def test_rows_are_the_same_for_any_number_of_jobs() -> None:
    lines = (json.dumps({"html": page(f"Page number {n}").decode()}) for n in range(100))
    Path("p.jsonl").write_text("\n".join(lines))
    for jobs in ("1", "3"):
        assert call("p.jsonl", "-o", f"{jobs}.jsonl", "--fields", FIELDS, "--jobs", jobs) == 0
    assert Path("1.jsonl").read_bytes() == Path("3.jsonl").read_bytes()
    offsets = [row["source_offset"] for row in rows_of("1.jsonl")]
    assert offsets == sorted(set(offsets))


# Folders


@pytest.mark.parametrize(
    ("format_", "suffix"),
    [("text", ".txt"), ("markdown", ".md"), ("html", ".html"), ("json", ".json")],
)
def test_output_folder_has_a_file_per_page(format_: str, suffix: str) -> None:
    assert call("in", "--output-dir", "out", "--format", format_) == 1
    names = sorted(str(file.relative_to("out")) for file in Path("out").rglob("*.*"))
    assert names == [f"a.html{suffix}", ERRORS_FILE, f"sub/a.html{suffix}"]
    found = Path(f"out/a.html{suffix}").read_text()
    article = extract(HEAD.encode() + page())
    if format_ == "json":
        record = json.loads(found)
        assert (record["title"], record["text"]) == ("Flood", TEXT)
        assert set(record) == {"source_file", "source_offset", *ATTRIBUTES}
    else:
        assert found == f"{getattr(article, format_)}\n"
    errors = rows_of(f"out/{ERRORS_FILE}")
    assert [row["source_file"] for row in errors] == ["in/empty.html", "in/image.html"]


def test_output_folder_has_no_error_file_without_errors() -> None:
    assert call("in/a.html", "--output-dir", "out") == 0
    assert [file.name for file in Path("out").iterdir()] == ["a.html.txt"]


def test_files_of_different_pages_do_not_overwrite_each_other() -> None:
    Path("other").mkdir()
    Path("other/a.html").write_bytes(page("Of the other folder."))
    days = (f"On day {n}, the water fell, and {n} shops of the town opened." for n in range(3))
    lines = (json.dumps({"html": page(day).decode()}) for day in days)
    Path("other/a.jsonl").write_text("\n".join(lines))
    call("in/a.html", "other/a.html", "in/sub", "other/a.jsonl", "--output-dir", "out")
    files = sorted(Path("out").rglob("*.txt"))
    assert len(files) == 6
    assert len({file.read_text() for file in files}) == 6


@pytest.mark.parametrize(
    "url",
    [
        "http://x.example/../../etc/passwd",
        "http://x.example/a?b=/../c",
        "http://x.example/" + "é" * 500,
        "http://../..",
        "data:text/html,<p>One",
    ],
)
def test_file_name_of_a_url_stays_in_the_folder(url: str) -> None:
    found = InputPage(name=url, record=Record(""), file_name=url, url=url)
    name = file_name(found, suffix=".txt")
    assert "/" not in name
    assert not name.startswith(".")
    assert len(name.encode()) <= 250
    other = InputPage(name="", record=Record(""), url=f"{url}?")
    assert file_name(other, suffix=".txt") != name


def test_long_file_name_is_shortened() -> None:
    Path(f"in/{'x' * 250}.html").write_bytes(page())
    assert call("in", "--output-dir", "out") == 1
    assert len(list(Path("out").glob("xxx*.txt"))) == 1


# Filters


def test_only_articles_and_languages_skip_pages(capsys: pytest.CaptureFixture[str]) -> None:
    german = "<html lang=de><p>" + "Der Fluss steht in den Straßen der alten Stadt. " * 9
    Path("in/german.html").write_text(german)
    assert call("in/a.html", "in/german.html", "-o", "out.jsonl", "--languages", "en,fr") == 0
    assert [row["source_file"] for row in rows_of("out.jsonl")] == ["in/a.html"]
    assert capsys.readouterr().err.endswith(": 1 articles, 1 skipped\n")
    Path("in/missing.html").write_text("<title>404</title><h1>Page not found</h1>")
    for arguments, settings in (
        (["--only-articles"], {}),
        ([], {"CETR_NOT_ARTICLE": "drop"}),
    ):
        both = ("in/a.html", "in/missing.html", "-o", "out.jsonl", *arguments)
        assert call(*both, **settings) == 0
        assert [row["kind"] for row in rows_of("out.jsonl")] == ["article"]
    assert call("in/a.html", "-o", "out.jsonl", CETR_MIN_PROBABILITY=1.0) == 0
    assert rows_of("out.jsonl") == []


def test_deduplicate_skips_near_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b", "c"):
        Path(f"in/{name}.html").write_bytes(page(f"{name}."))
    for fields in ("text", "title"):
        options = ("-o", "out.jsonl", "--deduplicate", "--fields", fields)
        assert call("in/a.html", "in/b.html", "in/c.html", *options) == 0
        (row,) = rows_of("out.jsonl")
        assert list(row) == ["source_file", "source_offset", fields]
        assert capsys.readouterr().err.endswith(": 1 articles, 2 duplicates\n")


def test_precision_and_recall_are_the_option_favor() -> None:
    for favor in ("precision", "recall"):
        assert call("in/a.html", "-o", "out.jsonl", f"--{favor}", "--fields", "text") == 0
        assert rows_of("out.jsonl")[0]["text"] == extract(HEAD.encode() + page(), favor=favor).text
