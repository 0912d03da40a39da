"""``--resume``: the same rows as an undisturbed run, each once."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from testkit.commands import scrapy, start_scrapy
from testkit.processes import DEADLINE, wait_until, write_traps
from testkit.server import Site, page

PAGES = 1500
# Each of these tests stops and continues a run of some seconds.
pytestmark = pytest.mark.slow
FIELDS = "url,text,title,authors,words,probability,markdown"
TARGETS = ["out.jsonl", "out.jsonl.gz", "out.csv", "out.parquet", "out"]


def html(number: int) -> str:
    """Return a page that takes some time; each tenth one is a duplicate of the one before."""
    words = " ".join(f"word{number - (number % 10 == 9)}x{n}" for n in range(1500))
    return page(words).decode()


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    lines = [json.dumps({"html": html(number)}) for number in range(PAGES)]
    lines[3] = "{}"
    (folder / "pages.jsonl").write_text("\n".join(lines))
    return folder / "pages.jsonl"


def contents(target: Path) -> list[Any]:
    """Return the rows of a file, or the files of a folder."""
    if target.is_dir():
        files = sorted(path for path in target.rglob("*") if path.is_file())
        return [(str(file.relative_to(target)), file.read_text()) for file in files]
    if target.suffix == ".parquet":
        rows: list[Any] = pq.read_table(target).to_pylist()
        return rows
    data = target.read_bytes()
    text = (gzip.decompress(data) if target.suffix == ".gz" else data).decode()
    if target.suffix == ".csv":
        return list(csv.reader(io.StringIO(text, newline="")))
    return [json.loads(line) for line in text.splitlines()]


def words_for(target: str, *inputs: str) -> list[str]:
    if "." not in target:
        return ["cetr", *inputs, "--output-dir", target, "--jobs", "2"]
    # Without the seconds, which differ from run to run.
    return ["cetr", *inputs, "--output", target, "--fields", FIELDS, "--jobs", "2"]


def interrupt(
    words: list[str], target: str, number: int, *, folder: Path, pages: int = 1
) -> tuple[int, str]:
    """Start a run, send a signal after some pages; return exit code and errors."""
    state = folder / f"{target}.progress/state.json"
    with start_scrapy(*words, folder=folder) as process:
        wait_until(lambda: state.exists() and _done(json.loads(state.read_text())) >= pages)
        assert process.poll() is None
        os.killpg(process.pid, number)
        _, errors = process.communicate(timeout=DEADLINE)
    return process.returncode, errors.decode()


def _done(state: dict[str, Any]) -> int:
    found: int = state["counts"].get("pages", 0)
    return found


@pytest.fixture(scope="module")
def undisturbed(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Return the contents of each target after a run without an interruption."""
    folder = tmp_path_factory.mktemp("undisturbed")
    found = {}
    for target in TARGETS:
        done = scrapy(*words_for(target, str(stored)), folder=folder)
        assert done.returncode == 1
        found[target] = contents(folder / target)
        assert not (folder / f"{target}.progress").exists()
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_killed_run_is_continued_without_duplicates_or_gaps(
    target: str, stored: Path, undisturbed: dict[str, list[Any]], tmp_path: Path
) -> None:
    words = words_for(target, str(stored))
    code, _ = interrupt(words, target, signal.SIGKILL, folder=tmp_path)
    assert code == -signal.SIGKILL
    done = scrapy(*words, "--resume", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert contents(tmp_path / target) == undisturbed[target]
    assert "1,500 pages, " in done.stderr
    assert not (tmp_path / f"{target}.progress").exists()


@pytest.mark.parametrize("target", ["out.jsonl.gz", "out.parquet", "out"])
def test_ctrl_c_leaves_complete_files_and_a_run_to_continue(
    target: str, stored: Path, undisturbed: dict[str, list[Any]], tmp_path: Path
) -> None:
    words = words_for(target, str(stored))
    code, errors = interrupt(words, target, signal.SIGINT, folder=tmp_path)
    assert code == 130
    assert errors.splitlines()[-1].endswith("; --resume continues the run")
    assert "Traceback" not in errors
    state = json.loads((tmp_path / f"{target}.progress/state.json").read_text())
    found = contents(tmp_path / target)
    known = undisturbed[target]
    if target == "out":
        names = dict(known)
        assert all(names[name] == text for name, text in found)
    else:
        assert found == known[: len(found)]
        assert len(found) == _done(state)
    assert scrapy(*words, "--resume", folder=tmp_path).returncode == 1
    assert contents(tmp_path / target) == known


@pytest.mark.parametrize("target", ["out.jsonl", "out.csv", "out.parquet"])
def test_run_that_is_interrupted_before_its_first_page_is_continued(
    target: str, tmp_path: Path
) -> None:
    traps = write_traps(tmp_path / "traps")
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": "<p>HANG on the wall"}))
    words = words_for(target, "pages.jsonl")
    with start_scrapy(*words, folder=tmp_path, path=traps) as process:
        wait_until((Path(traps) / "sitecustomize.py.hangs").exists)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert errors.endswith(b"interrupted after 0 pages; --resume continues the run\n")
    done = scrapy(*words, "--resume", folder=tmp_path)
    assert (done.returncode, "1 articles" in done.stderr) == (0, True), done.stderr
    assert "HANG on the wall" in str(contents(tmp_path / target))


def test_deduplication_is_continued(stored: Path, tmp_path: Path) -> None:
    words = [*words_for("out.jsonl", str(stored)), "--deduplicate"]
    interrupt(words, "out.jsonl", signal.SIGKILL, folder=tmp_path)
    done = scrapy(*words, "--resume", folder=tmp_path)
    assert done.stderr.endswith(f": {PAGES - 151:,} articles, 150 duplicates, 1 errors\n")
    numbers = [row["source_offset"] for row in contents(tmp_path / "out.jsonl")]
    assert len(numbers) == len(set(numbers)) == PAGES - 150


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_url_list_is_continued(site: Site, tmp_path: Path, number: int) -> None:
    urls = [site.add(f"/{index}") for index in range(600)]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    (tmp_path / "stored.html").write_bytes(page())
    words = words_for("out.jsonl", "stored.html", "--urls", "urls.txt")
    slow = ["-s", "DOWNLOAD_DELAY=0.01", "-s", "RANDOMIZE_DOWNLOAD_DELAY=0"]
    # Not before the crawl has begun: Scrapy can lose a signal that comes while it starts.
    code, errors = interrupt([*words, *slow], "out.jsonl", number, folder=tmp_path, pages=5)
    assert code == (130 if number == signal.SIGINT else -number), errors
    done = scrapy(*words, "--resume", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = contents(tmp_path / "out.jsonl")
    assert [row["source_file"] for row in rows if row["source_file"]] == ["stored.html"]
    assert sorted(row["url"] for row in rows if row["url"]) == sorted(urls)


# What is refused


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """Return a folder with a run that was stopped at its start."""
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": html(1)}))
    state = {"run": {}, "pages": 1, "position": 3}
    (tmp_path / "out.jsonl.progress").mkdir()
    (tmp_path / "out.jsonl.progress/state.json").write_text(json.dumps(state))
    return tmp_path


def test_unfinished_output_is_not_overwritten(stopped: Path) -> None:
    done = scrapy(*words_for("out.jsonl", "pages.jsonl"), folder=stopped)
    assert done.returncode == 2
    says = "out.jsonl belongs to a run that was stopped; use --resume to continue it, or delete"
    assert done.stderr == f"scrapy cetr: {says} out.jsonl.progress to start again\n"


def test_changed_arguments_are_refused(stored: Path, tmp_path: Path) -> None:
    first = words_for("out.jsonl", str(stored))
    interrupt(first, "out.jsonl", signal.SIGKILL, folder=tmp_path)
    (tmp_path / "other.html").write_text(html(1))
    before = (tmp_path / "out.jsonl").read_bytes()
    for name, *changed in [
        ("inputs", "other.html"),
        ("options", "--favor", "recall"),
        ("--fields", "--fields", "title"),
        ("--deduplicate", "--deduplicate"),
    ]:
        done = scrapy(*first, *changed, "--resume", folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"scrapy cetr: --resume needs the same {name} as before: ")
        assert done.stderr.endswith("; delete out.jsonl.progress to start again\n")
    assert (tmp_path / "out.jsonl").read_bytes() == before


@pytest.mark.parametrize("target", ["out.jsonl", "out"])
def test_finished_output_has_nothing_to_resume(target: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(page())
    words = (*words_for(target, "page.html"), "--resume")
    (tmp_path / "out").mkdir()
    assert scrapy(*words, folder=tmp_path).returncode == 0  # a first run may have --resume, too
    before = contents(tmp_path / target)
    assert len(before) == 1
    done = scrapy(*words, folder=tmp_path)
    assert done.returncode == 0
    assert done.stderr == f"scrapy cetr: {target} is complete; there is nothing to resume\n"
    assert contents(tmp_path / target) == before


def test_state_that_cannot_be_read_is_refused(stopped: Path) -> None:
    (stopped / "out.jsonl.progress/state.json").write_text("{")
    done = scrapy(*words_for("out.jsonl", "pages.jsonl"), "--resume", folder=stopped)
    assert done.returncode == 2
    assert "state.json cannot be read" in done.stderr
