"""The command ``scrapy cetr``."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import subprocess
import sys
import termios
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_cetr.commands.cetr import Command
from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.article import ATTRIBUTES
from scrapy_cetr.extraction.options import METHOD_NAMES, make_options
from scrapy_cetr.reports.explanation import explain
from testkit.server import DEADLINE, SENTENCES, TEXT, Reply, Site, page


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a page in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_bytes(page())


def call(*words: str, **settings: Any) -> int:
    """Do what Scrapy does with a command that needs no downloads."""
    command = Command()
    command.settings = Settings(settings)
    parser = ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args(words)
    command.process_options(args, opts)
    command.run(args, opts)
    return command.exitcode


def scrapy(*words: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "scrapy", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


# Articles


def test_one_page_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html") == 0
    assert capsys.readouterr() == (f"{TEXT}\n", "")


def test_several_pages_have_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "page.html") == 0
    assert capsys.readouterr().out == f"== page.html\n{TEXT}\n" * 2


def test_json_lines_have_all_of_the_article(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert set(article) == {"name", *ATTRIBUTES}
    assert (article["title"], article["date_published"]) == ("Flood", "2024-03-05")
    assert article["authors"]


def test_a_folder_is_all_its_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "other.htm").write_text("<p>Other")
    assert call(".") == 0
    assert capsys.readouterr().out == f"== other.htm\nOther\n== page.html\n{TEXT}\n"


def test_options_are_those_of_the_settings_unless_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = {"CETR_METHOD": "cetr-tm", "CETR_MIN_WORDS": 10_000}
    assert call("page.html", "--format", "json", **settings) == 0
    assert call("page.html", "--format=json", "--method=cetr-km", "--min-words=1", **settings) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["method"], first["short"]) == ("cetr-tm", True)
    assert (second["method"], second["short"]) == ("cetr-km", False)


def test_options_change_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--method", "cetr-tm", "--lam", "0", "--sigma", "std") == 0
    assert capsys.readouterr().out.startswith("Section 0")


def test_methods_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_methods_side_by_side_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--compare", "--format", "json") == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [article["method"] for article in printed] == [*METHOD_NAMES]


# Reports


def test_a_report_of_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--report", "out.html") == 0
    assert capsys.readouterr() == ("", "report written to out.html\n")
    assert SENTENCES[0] in Path("out.html").read_text(encoding="utf-8")


def test_a_report_of_many_pages_links_to_the_suspicious_ones(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<p></p>")
    assert call(".", "--report", "out.html") == 0
    assert "out-pages/1.html" in Path("out.html").read_text(encoding="utf-8")
    assert "empty.html" in Path("out-pages/1.html").read_text(encoding="utf-8")


# Mistakes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name at least one URL, file or folder; scrapy cetr -h shows how"),
        (("page.html", "--colour"), "unknown option --colour; scrapy cetr -h shows those there"),
        (("page.html", "--k", "1"), "k must be a whole number from 2 to 100, not 1"),
        (("page.html", "--method", "best"), "method must be 'learned', 'cetr', "),
        (("page.html", "--format", "pdf"), "--format must be one of text, markdown, html, json,"),
        (("page.html", "--compare", "--format", "html"), "--compare shows text or json, not html"),
        (("page.html", "-s", "CETR_LAM=x"), "CETR_LAM must be a number from 0 to 100, not 'x'"),
    ],
)
def test_a_wrong_command_is_one_line_and_2(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"scrapy cetr: {says}")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("none.html", "none.html cannot be read: No such file or directory"),
        ("folder", "folder has no .html, .jsonl or .warc files in it"),
        ("bad.jsonl", "bad.jsonl, line 1 is not JSON: "),
    ],
)
def test_what_cannot_be_read_is_one_line_and_1_and_the_others_are_printed(
    word: str, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.jsonl").write_text("{")
    assert call(word, "page.html") == 1
    out, err = capsys.readouterr()
    assert out == f"== page.html\n{TEXT}\n"
    assert err.startswith(f"scrapy cetr: {says}")
    assert err.count("\n") == 1


def test_a_page_that_cannot_be_extracted_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise ImportError("no weights; pip install them")

    monkeypatch.setattr("scrapy_cetr.commands.printing.extract_article", fail)
    assert call("page.html") == 1
    says = "page.html cannot be extracted: ImportError: no weights; pip install them"
    assert capsys.readouterr() == ("", f"scrapy cetr: {says}\n")


def test_a_format_that_articles_have_not_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    article = extract(page())
    for name in ("markdown", "html"):
        code = call("page.html", "--format", name)
        out, err = capsys.readouterr()
        if hasattr(article, name):
            assert (code, out, err) == (0, f"{getattr(article, name)}\n", "")
        else:
            assert (code, out) == (1, "")
            assert err.startswith(f"scrapy cetr: page.html has no {name}: ")


def test_a_report_that_cannot_be_written_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("page.html", "--report", "none/out.html") == 1
    says = "scrapy cetr: none/out.html cannot be written: No such file or directory\n"
    assert capsys.readouterr() == ("", says)


# In processes of their own


def test_live_pages_outside_of_a_project(site: Site, tmp_path: Path) -> None:
    moved = site.add("/moved", Reply(b"", status=301, headers={"Location": "/article"}))
    site.add("/article")
    image = site.add("/x.png", Reply(b"\x89PNG", type="image/png"))
    urls = (moved, f"{site.url}/none", image, "http://127.0.0.1:1/")
    quick = ("-s", "RETRY_ENABLED=0")
    done = scrapy("cetr", *urls, "page.html", "--format", "json", *quick, folder=tmp_path)
    assert done.returncode == 1
    live, file = map(json.loads, done.stdout.splitlines())
    assert (live["name"], live["url"]) == (moved, f"{site.url}/article")
    assert (live["text"], file["text"]) == (TEXT, TEXT)
    problems = done.stderr.splitlines()
    assert problems[:2] == [
        f"scrapy cetr: {site.url}/none cannot be downloaded: status 404",
        f"scrapy cetr: {image} is not HTML but image/png",
    ]
    assert problems[2].startswith("scrapy cetr: http://127.0.0.1:1/ cannot be downloaded: ")
    assert len(problems) == 3


PROJECT = """\
SPIDER_MODULES = ["project"]
ADDONS = {"scrapy_cetr.Addon": 500}
CETR_METHOD = "cetr-tm"
CETR_REPORT = "report.html"
ROBOTSTXT_OBEY = True
FEEDS = {"items.jsonl": {"format": "jsonlines", "overwrite": True}}
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
"""


def test_live_pages_in_a_project_respect_its_settings_and_leave_its_files_alone(
    site: Site, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project.settings\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/__init__.py").touch()
    (tmp_path / "project/settings.py").write_text(PROJECT)
    (tmp_path / "items.jsonl").write_text("of the last crawl")
    site.add("/robots.txt", Reply(b"User-agent: *\nDisallow: /secret", type="text/plain"))
    good, secret = site.add("/1"), site.add("/secret")
    done = scrapy("cetr", good, secret, "--format", "json", folder=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["method"] == "cetr-tm"
    assert done.stderr.splitlines() == [
        f"scrapy cetr: {secret} cannot be downloaded: Forbidden by robots.txt"
    ]
    assert (tmp_path / "items.jsonl").read_text() == "of the last crawl"
    assert not (tmp_path / "report.html").exists()


def test_a_broken_installation_breaks_no_other_command(tmp_path: Path) -> None:
    for name in ("numpy", "turbohtml", "tqdm"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('broken')")
    done = scrapy("version", folder=tmp_path, path=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "cetr" in scrapy("-h", folder=tmp_path, path=str(tmp_path)).stdout


def test_whoever_reads_may_stop_reading(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text(f"<p>{'word ' * 200_000}")
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy", "cetr", "long.html"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(DEADLINE) == 0


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    lines = (json.dumps({"html": page().decode()}) for _ in range(300))
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy", "cetr", "pages.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=end,
    ) as process:
        os.close(end)
        shown = b""
        with suppress(OSError):  # which is how a terminal ends
            while part := os.read(terminal, 10_000):
                shown += part
        assert process.wait(DEADLINE) == 0
    os.close(terminal)
    assert re.search(rb"\d+%\|.*B/s\]", shown)
