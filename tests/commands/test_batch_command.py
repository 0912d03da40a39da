"""Runs of ``scrapy cetr`` over many stored pages, as a user runs them: in a process of its own."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from testkit.archives import warc_response
from testkit.processes import DEADLINE, is_worker, wait_until, workers_of
from testkit.server import SENTENCES, TEXT, Reply, Site, page

PAGES = 40
# Enough for a run to be stopped in its middle.
MANY = 3000


def start(folder: Path, *words: str, path: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "scrapy", "cetr", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder: Path, *words: str, path: str = "", text: str = "") -> tuple[int, str, str]:
    process = start(folder, *words, path=path)
    out, err = process.communicate(text, timeout=DEADLINE)
    return process.returncode, out, err


def different(number: int) -> str:
    """Return a page whose text is like no other one's."""
    words = " ".join(f"w{number}x{index}" for index in range(40))
    return page().decode().replace(SENTENCES[1], f"{words}. {SENTENCES[1]}")


def store(folder: Path, count: int) -> Path:
    """Write a JSON-lines file of pages, each with its number in URL and text."""
    file = folder / "pages.jsonl"
    with file.open("w") as lines:
        for number in range(count):
            record = {"url": f"https://x.example/{number}", "html": different(number)}
            lines.write(json.dumps(record) + "\n")
    return file


def rows(path: Path) -> list[dict[str, Any]]:
    if path.is_dir():
        files = sorted(path.rglob("*"))
        return [{"name": file.name, "text": file.read_text()} for file in files]
    if path.suffix == ".parquet":
        return [dict(row) for row in pq.read_table(path).to_pylist()]
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv", "a.parquet"])
def test_output_file_has_a_row_per_page_in_order(tmp_path: Path, name: str) -> None:
    store(tmp_path, PAGES)
    code, out, err = run(tmp_path, "pages.jsonl", "-o", name, "--jobs", "2")
    assert (code, out) == (0, "")
    assert err.startswith(f"scrapy cetr: {PAGES} pages in ")
    assert err.endswith(f": {PAGES} articles\n")
    found = rows(tmp_path / name)
    assert [row["url"] for row in found] == [f"https://x.example/{n}" for n in range(PAGES)]
    assert "w7x7" in found[7]["text"]
    assert {row["source_file"] for row in found} == {"pages.jsonl"}
    assert not (tmp_path / f"{name}.progress").exists()


def test_output_folder_has_a_file_per_page(tmp_path: Path) -> None:
    for name in ("a/one.html", "a/deep/two.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(page())
    for form, suffix in (("text", "txt"), ("markdown", "md"), ("html", "html"), ("json", "json")):
        code, _, _ = run(tmp_path, "a", "--output-dir", form, "--format", form)
        files = sorted(file for file in (tmp_path / form).rglob("*") if file.is_file())
        names = [str(file.relative_to(tmp_path / form)) for file in files]
        assert (code, names) == (0, [f"deep/two.{suffix}", f"one.{suffix}"])
    assert (tmp_path / "text/one.txt").read_text() == f"{TEXT}\n"
    assert json.loads((tmp_path / "json/one.json").read_text())["text"] == TEXT


def test_files_of_the_same_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "page.html").write_text(f"<p>{folder}")
    run(tmp_path, "a/page.html", "b/page.html", "--output-dir", "out")
    assert sorted(file.read_text() for file in (tmp_path / "out").iterdir()) == ["a\n", "b\n"]


def test_fields_choose_and_name_the_columns(tmp_path: Path) -> None:
    store(tmp_path, 1)
    run(tmp_path, "pages.jsonl", "-o", "a.jsonl", "--fields", "title,words")
    (row,) = rows(tmp_path / "a.jsonl")
    assert list(row) == ["source_file", "source_offset", "title", "words"]
    run(tmp_path, "pages.jsonl", "-o", "b.jsonl", "--fields", '{"n": "words"}')
    (row,) = rows(tmp_path / "b.jsonl")
    assert list(row) == ["source_file", "source_offset", "n"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("-o", "a.xml"), "--output must end in one of .jsonl, .jsonl.gz, .csv, .parquet, not"),
        (("-o", "a.csv", "--output-dir", "b"), "use either --output or --output-dir, not both"),
        (("--fields", "headline"), "--fields must be names such as title,text, or a JSON object"),
        (("--jobs", "many"), "--jobs must be a whole number from 1 to 1000, not 'many'"),
        (("--resume",), "--resume needs --output or --output-dir"),
        (("--languages", "english"), "--languages must be codes such as en,de, not 'english'"),
        (("--precision", "--recall"), "use either --precision or --recall, not both"),
        (("--urls", "none.txt"), "--urls none.txt: cannot be read: No such file or directory"),
        (("-o", "a.csv", "--report", "b"), "--compare and --report cannot be used with --output"),
    ],
)
def test_invalid_argument_prints_one_line_and_exits_with_2(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    store(tmp_path, 1)
    code, out, err = run(tmp_path, "pages.jsonl", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"scrapy cetr: {says}")


def test_unreadable_inputs_cost_one_line_each_and_are_recorded(tmp_path: Path) -> None:
    (tmp_path / "image.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    (tmp_path / "empty.html").touch()
    (tmp_path / "page.html").write_bytes(page())
    (tmp_path / "cut.warc").write_bytes(
        warc_response("https://x.example/", page(), "Content-Type: text/html") * 2
    )
    with (tmp_path / "cut.warc").open("r+b") as file:
        file.truncate(file.seek(0, 2) - 100)
    inputs = ("image.html", "empty.html", "none.html", "cut.warc", "page.html")
    code, _, err = run(tmp_path, *inputs, "-o", "a.jsonl")
    assert code == 1
    *errors, summary = err.splitlines()
    assert errors[:3] == [
        "scrapy cetr: image.html: is not HTML but a PNG image",
        "scrapy cetr: empty.html: is empty",
        "scrapy cetr: none.html: cannot be read: No such file or directory",
    ]
    assert errors[3].startswith("scrapy cetr: cut.warc: is truncated or damaged; ")
    assert summary.endswith(": 2 articles, 4 errors")
    found = rows(tmp_path / "a.jsonl")
    assert [row.get("error", "") for row in found][:3] == [
        "is not HTML but a PNG image",
        "is empty",
        "cannot be read: No such file or directory",
    ]
    assert [row["text"] for row in found if "text" in row] == [TEXT, TEXT]


def test_pages_that_hang_die_or_fail_cost_their_own_row(tmp_path: Path, traps: str) -> None:
    marks = ["good", "HANG", "good", "DIE", "FAIL", "good"]
    for number, mark in enumerate(marks):
        (tmp_path / f"{number}.html").write_bytes(page(mark))
    words = (".", "-o", "a.jsonl", "--jobs", "2", "--timeout", "6")
    code, _, _ = run(tmp_path, *words, path=traps)
    assert code == 1
    assert [row.get("error") for row in rows(tmp_path / "a.jsonl")] == [
        None,
        "took more than 6 seconds",
        None,
        "the worker process ended unexpectedly",
        "ZeroDivisionError: a page that fails",
        None,
    ]


def test_standard_input_is_read(tmp_path: Path) -> None:
    assert run(tmp_path, "-", text=page().decode())[:2] == (0, f"== standard input\n{TEXT}\n")


def test_pages_are_filtered_by_language_kind_and_duplicates(tmp_path: Path) -> None:
    links = "<ul>" + "<li><a href=x>Teaser</a></li>" * 30
    html = [different(1), different(1), f"<html lang=de>{different(2)}", links]
    lines = [json.dumps({"html": each, "url": f"https://x/{n}"}) for n, each in enumerate(html)]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    for words, kept in (
        ((), "0123"),
        (("--deduplicate",), "023"),
        (("--only-articles",), "012"),
        (("--languages", "de"), "2"),
    ):
        run(tmp_path, "pages.jsonl", "-o", "a.jsonl", "--fields", "url", *words)
        assert "".join(row["url"][-1] for row in rows(tmp_path / "a.jsonl")) == kept


def test_deduplicating_adds_no_column(tmp_path: Path) -> None:
    store(tmp_path, 1)
    run(tmp_path, "pages.jsonl", "-o", "a.jsonl", "--fields", "url", "--deduplicate")
    assert list(rows(tmp_path / "a.jsonl")[0]) == ["source_file", "source_offset", "url"]


def test_url_list_is_downloaded(tmp_path: Path, site: Site) -> None:
    urls = [site.add(f"/{number}") for number in range(5)]
    lines = ["# a comment", "", *urls, urls[0], "no url", f"{site.url}/none"]
    (tmp_path / "urls.txt").write_text("\n".join(lines))
    words = ("--urls", "urls.txt", "-o", "a.jsonl", "-s", "RETRY_ENABLED=0")
    code, _, err = run(tmp_path, *words)
    assert code == 1
    found = rows(tmp_path / "a.jsonl")
    assert sorted(row["url"] for row in found if "text" in row) == sorted(urls)
    assert len(found) == len(urls) + 2
    assert "no url: is not a valid URL" in err
    assert f"{site.url}/none: cannot be downloaded: HTTP status 404" in err


def test_output_that_cannot_be_written_stops_the_run(tmp_path: Path, site: Site) -> None:
    urls = [site.add(f"/{number}") for number in range(5)]
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    code, _, err = run(tmp_path, *urls, "-o", "full.jsonl")
    assert code == 1
    assert "full.jsonl: cannot be written: " in err


# Stopping and resuming


def pages_done(folder: Path, name: str) -> int:
    """Return the number of pages in the journal of an output."""
    try:
        state = json.loads((folder / f"{name}.progress" / "state.json").read_text())
    except (OSError, ValueError):
        return 0
    return int(state["pages"])


def wait_for_workers(process: subprocess.Popen[str]) -> list[int]:
    workers = workers_of(process.pid)
    assert workers
    return workers


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("a.jsonl.gz", "a.csv", "folder")]


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", *SLOW])
def test_killed_run_is_resumed_without_duplicates_or_gaps(tmp_path: Path, name: str) -> None:
    store(tmp_path, MANY)
    target = ("--output-dir" if name == "folder" else "-o", name)
    deduplicate = ("--deduplicate",) if name == "a.jsonl" else ()
    words = ("pages.jsonl", *target, "--jobs", "2", *deduplicate)
    with start(tmp_path, *words) as process:
        wait_until(lambda: pages_done(tmp_path, name) or process.poll() is not None)
        workers = wait_for_workers(process)
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert 0 < pages_done(tmp_path, name) < MANY
    wait_until(lambda: not any(map(is_worker, workers)))

    code, _, err = run(tmp_path, *words)
    assert code == 2
    assert "belongs to a run that was stopped; --resume continues it" in err
    code, _, err = run(tmp_path, *words, "--resume")
    assert (code, err.endswith(f": {MANY:,} articles\n")) == (0, True)
    found = rows(tmp_path / name)
    assert len(found) == MANY
    if name == "folder":
        assert len({row["text"] for row in found}) == MANY
    else:
        assert [row["url"] for row in found] == [f"https://x.example/{n}" for n in range(MANY)]
    code, _, err = run(tmp_path, *words, "--resume")
    assert (code, err) == (0, f"scrapy cetr: {name} is complete; there is nothing to resume\n")


def test_interrupted_run_leaves_complete_rows_and_is_resumed(tmp_path: Path) -> None:
    store(tmp_path, MANY)
    words = ("pages.jsonl", "-o", "a.jsonl", "--jobs", "2")
    with start(tmp_path, *words) as process:
        wait_until(lambda: pages_done(tmp_path, "a.jsonl") or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert err.endswith(" pages; --resume continues the run\n")
    done = rows(tmp_path / "a.jsonl")
    assert 0 < len(done) == pages_done(tmp_path, "a.jsonl") < MANY
    code, _, err = run(tmp_path, "pages.jsonl", "-o", "a.jsonl", "--resume", "--method", "cetr")
    assert code == 2
    assert "--resume needs the same job as before" in err
    assert run(tmp_path, *words, "--resume")[0] == 0
    urls = [row["url"] for row in rows(tmp_path / "a.jsonl")]
    assert urls == [f"https://x.example/{n}" for n in range(MANY)]


def test_stopped_download_is_resumed(tmp_path: Path, site: Site) -> None:
    urls = [site.add(f"/{number}", Reply(different(number).encode())) for number in range(200)]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    words = ("--urls", "urls.txt", "-o", "a.jsonl", "-s", "CONCURRENT_REQUESTS=1")
    progress = tmp_path / "a.jsonl.progress" / "urls.txt"
    with start(tmp_path, *words, "-s", "DOWNLOAD_DELAY=0.02") as process:
        wait_until(lambda: (progress.exists() and progress.stat().st_size) or process.poll())
        process.kill()
        process.communicate()
    assert run(tmp_path, *words, "--resume")[0] == 0
    assert sorted(row["url"] for row in rows(tmp_path / "a.jsonl")) == sorted(urls)
