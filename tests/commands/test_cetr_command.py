"""The command ``scrapy cetr``."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_cetr.commands.cetr import Command
from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.options import METHOD_NAMES, make_options
from scrapy_cetr.reports.explanation import explain
from testkit.server import DOUBTFUL, SENTENCES, TEXT, page


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder that contains a page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_bytes(page())


def call(*words: str, **settings: Any) -> int:
    """Run the command as Scrapy does, without a crawler process."""
    command = Command()
    command.settings = Settings(settings)
    parser = ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args(words)
    command.process_options(args, opts)
    command.run(args, opts)
    return command.exitcode


# Articles


def test_single_page_is_printed_without_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html") == 0
    assert capsys.readouterr() == (f"{TEXT}\n", "")


def test_several_pages_are_printed_with_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "page.html") == 0
    assert capsys.readouterr().out == f"== page.html\n{TEXT}\n" * 2


def test_json_format_prints_a_record_per_page(capsys: pytest.CaptureFixture[str]) -> None:
    records = [{"url": f"https://x.example/{n}", "html": page().decode()} for n in range(2)]
    Path("pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    assert call("pages.jsonl.gz", "--format", "json") == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [article["url"] for article in printed] == [record["url"] for record in records]
    assert {article["text"] for article in printed} == {TEXT}
    assert {article["words"] for article in printed} == {extract(page()).words}


def test_json_lines_have_title_authors_and_dates(capsys: pytest.CaptureFixture[str]) -> None:
    declared = json.dumps({"@type": "Article", "author": "Bo \ud800 Chen"})
    head = (
        "<title>Flood</title><meta name=author content='Ann Lee'>"
        "<meta property=article:published_time content=2024-03-05>"
        f"<script type=application/ld+json>{declared}</script>"
    )
    Path("page.html").write_text(f"<head>{head}</head><h1>Flood</h1>{page().decode()}")
    assert call("page.html", "--format", "json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    line.encode()
    article = json.loads(line)
    assert set(article) == {"source_file", "source_offset", *ATTRIBUTES}
    assert (article["title"], article["date_published"]) == ("Flood", "2024-03-05")
    assert article["authors"]


def test_folder_prints_all_its_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "other.htm").write_text("<p>Other")
    assert call(".") == 0
    assert capsys.readouterr().out == f"== other.htm\nOther\n== page.html\n{TEXT}\n"


def test_options_default_to_the_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = {"CETR_METHOD": "cetr-tm", "CETR_MIN_WORDS": 10_000}
    assert call("page.html", "--format", "json", **settings) == 0
    assert call("page.html", "--format=json", "--method=cetr-km", "--min-words=1", **settings) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["method"], first["short"]) == ("cetr-tm", True)
    assert (second["method"], second["short"]) == ("cetr-km", False)


def test_options_change_which_rows_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--method", "cetr-tm", "--lam", "0", "--sigma", "std") == 0
    assert capsys.readouterr().out.startswith("- Section 0")


def test_compare_prints_a_column_per_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--compare") == 0
    names, words, _, *rows = capsys.readouterr().out.splitlines()
    assert tuple(names.split()) == METHOD_NAMES
    kept = [extract(page(), method=method).words for method in METHOD_NAMES]
    assert words.split() == [*map(str, kept), "words", "kept"]
    assert len(rows) == 12 + len(SENTENCES) + 12
    for column, method in enumerate(METHOD_NAMES):
        judged = explain(page(), url=None, options=make_options({"method": method}))
        marks = ["●" if keep else "·" for keep in judged.keep[judged.page.rows.chars > 0]]
        assert [row.split()[column] for row in rows] == marks
    assert rows[12].split()[len(METHOD_NAMES) :][:3] == SENTENCES[0].split()[:3]


def test_compare_prints_a_json_record_per_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--compare", "--format", "json") == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # Without the stamps of a browser, "clg" is "learned".
    used = ["learned" if name == "clg" else name for name in METHOD_NAMES]
    assert [article["method"] for article in printed] == used


# Reports


def test_report_of_a_single_page_is_a_page_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--report", "out.html") == 0
    assert capsys.readouterr() == ("", "Report written to out.html\n")
    assert SENTENCES[0] in Path("out.html").read_text(encoding="utf-8")


def test_report_of_many_pages_links_to_suspects(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<p></p>")
    assert call(".", "--report", "out.html") == 0
    assert "out-pages/1.html" in Path("out.html").read_text(encoding="utf-8")
    assert "empty.html" in Path("out-pages/1.html").read_text(encoding="utf-8")


# Mistakes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "give at least one URL, file or folder; scrapy cetr -h shows the usage"),
        (("page.html", "--colour"), "unknown option --colour; scrapy cetr -h lists all"),
        (("page.html", "--k", "1"), "k must be a whole number from 2 to 100, not 1"),
        (("page.html", "--method", "best"), "method must be 'learned', 'cetr', "),
        (("page.html", "--format", "pdf"), "--format must be one of text, markdown, html, json,"),
        (
            ("page.html", "--compare", "--format", "html"),
            "--compare can only be used with --format",
        ),
        (("page.html", "--jobs", "0"), "--jobs must be a whole number from 1 to 1000, not '0'"),
        (("page.html", "--timeout", "x"), "--timeout must be a number of seconds from 0.1 to"),
        (("page.html", "--memory", "1"), "--memory must be a whole number of megabytes from 500"),
        (("page.html", "--languages", "english"), "--languages must be codes such as en,de, not"),
        (("page.html", "--precision", "--recall"), "use either --precision or --recall, not both"),
        (("page.html", "--resume"), "--resume needs --output or --output-dir"),
        (("page.html", "-o", "x.xml"), "--output must end in one of .jsonl, .jsonl.gz, .csv, "),
        (("page.html", "-o", "x.csv", "--output-dir", "x"), "use either --output or --output-dir,"),
        (("page.html", "-o", "x.csv", "--format", "text"), "--format cannot be used with --output"),
        (("page.html", "-o", "x.csv", "--compare"), "--compare and --report cannot be used with"),
        (("x.jsonl", "-o", "x.jsonl"), "x.jsonl cannot be both an input and the --output"),
        ((".", "--output-dir", "."), ". cannot be both an input and the --output-dir"),
        (("page.html", "--fields", "title"), "--fields needs --output or --format json"),
        (("page.html", "-o", "x.csv", "--fields", "titel"), "--fields must be names such as title"),
        (("page.html", "-o", "x.csv", "--fields", "{"), "--fields must be names such as title"),
        (("page.html", "-o", "x.csv", "--fields", "{}"), "--fields must be names such as title"),
        (
            ("page.html", "-o", "x.csv", "--fields", '{"error": "text"}'),
            "--fields must be names such as title,text, or a JSON object of columns to names, not",
        ),
        (("--urls", "none.txt"), "--urls none.txt: cannot be read: No such file or directory"),
        (("-", "-"), "standard input (-) can be given only once"),
        (("page.html", "-s", "CETR_LAM=x"), "CETR_LAM must be a number from 0 to 100, not 'x'"),
    ],
)
def test_invalid_arguments_print_one_line_and_exit_with_2(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"scrapy cetr: {says}")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("none.html", "none.html: cannot be read: No such file or directory"),
        ("folder", "folder: contains no .html, .jsonl, .warc or .parquet files"),
        ("bad.jsonl", "bad.jsonl, line 1: is not JSON: "),
    ],
)
def test_unreadable_page_prints_one_line_and_exits_with_1_after_the_others(
    word: str, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.jsonl").write_text("{")
    assert call(word, "page.html") == 1
    out, err = capsys.readouterr()
    assert out == f"== page.html\n{TEXT}\n"
    assert err.startswith(f"scrapy cetr: {says}")
    assert err.count("\n") == 1


def test_page_that_cannot_be_extracted_prints_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise ImportError("no weights; pip install them")

    monkeypatch.setattr("scrapy_cetr.extraction.batch.worker.extract_article", fail)
    assert call("page.html") == 1
    says = "page.html: ImportError: no weights; pip install them"
    assert capsys.readouterr() == ("", f"scrapy cetr: {says}\n")


@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_format_prints_that_attribute_of_the_article(
    format_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("page.html", "--format", format_) == 0
    assert capsys.readouterr() == (f"{getattr(extract(page()), format_)}\n", "")


def test_threshold_option_decides_how_probable_printed_rows_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("page.html").write_text(DOUBTFUL)
    printed = []
    for threshold in ("0.01", "0.99"):
        assert call("page.html", "--threshold", threshold) == 0
        printed.append(capsys.readouterr().out)
    assert printed == [f"{extract(DOUBTFUL, threshold=t).text}\n" for t in (0.01, 0.99)]
    assert len(printed[0]) > len(printed[1])


def test_parts_option_takes_names_between_commas(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--parts", "headline, byline") == 0
    assert capsys.readouterr().out == "\n"


@pytest.mark.parametrize("words", [(), ("-o", "out.jsonl"), ("--report", "out.html")])
def test_invalid_setting_of_the_project_exits_with_2(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("page.html", *words, CETR_METHOD="nonsense") == 2
    assert capsys.readouterr().err.startswith("scrapy cetr: CETR_METHOD must be 'learned', ")
    assert call("page.html", *words, CETR_METHODS="cetr") == 2
    says = "scrapy cetr: unknown setting CETR_METHODS; did you mean CETR_METHOD?\n"
    assert capsys.readouterr() == ("", says)
    assert [file.name for file in Path().iterdir()] == ["page.html"]


def test_report_that_cannot_be_written_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--report", "none/out.html") == 1
    says = "scrapy cetr: none/out.html: cannot be written: No such file or directory\n"
    assert capsys.readouterr() == ("", says)
