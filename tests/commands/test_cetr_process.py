"""The command ``scrapy cetr`` in its own process: downloads, pipes and terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from testkit.commands import scrapy, start_scrapy
from testkit.processes import DEADLINE, is_worker, wait_until, workers_of, write_traps
from testkit.server import TEXT, Reply, Site, page


def test_downloads_work_outside_of_a_project(site: Site, tmp_path: Path) -> None:
    moved = site.add("/moved", Reply(b"", status=301, headers={"Location": "/article"}))
    site.add("/article")
    image = site.add("/x.png", Reply(b"\x89PNG", type="image/png"))
    (tmp_path / "page.html").write_bytes(page())
    urls = (moved, f"{site.url}/none", image, "http://127.0.0.1:1/")
    quick = ("-s", "RETRY_ENABLED=0")
    done = scrapy("cetr", *urls, "page.html", "--format", "json", *quick, folder=tmp_path)
    assert done.returncode == 1
    file, live = map(json.loads, done.stdout.splitlines())
    assert (live["source_file"], live["url"]) == (None, f"{site.url}/article")
    assert file["source_file"] == "page.html"
    assert (live["text"], file["text"]) == (TEXT, TEXT)
    problems = sorted(done.stderr.splitlines())
    assert problems[0].startswith("scrapy cetr: http://127.0.0.1:1/: cannot be downloaded: ")
    assert problems[1:] == sorted(
        [
            f"scrapy cetr: {site.url}/none: cannot be downloaded: HTTP status 404",
            f"scrapy cetr: {image}: is not HTML; its content type is image/png",
        ]
    )


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


def test_downloads_respect_project_settings_and_write_no_project_files(
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
        f"scrapy cetr: {secret}: cannot be downloaded: Forbidden by robots.txt"
    ]
    assert (tmp_path / "items.jsonl").read_text() == "of the last crawl"
    assert not (tmp_path / "report.html").exists()


def test_broken_installation_does_not_break_other_commands(tmp_path: Path) -> None:
    for name in ("numpy", "turbohtml", "tqdm"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('broken')")
    done = scrapy("version", folder=tmp_path, path=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "cetr" in scrapy("-h", folder=tmp_path, path=str(tmp_path)).stdout


def test_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
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


def test_terminal_shows_a_progress_bar_with_rate_and_errors(tmp_path: Path) -> None:
    lines = [json.dumps({"html": page().decode() * 20}) for _ in range(300)]
    lines[0] = "{}"
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
        with suppress(OSError):  # raised at the end of a terminal
            while part := os.read(terminal, 10_000):
                shown += part
        assert process.wait(DEADLINE) == 1
    os.close(terminal)
    assert re.search(rb"\d+%\|.*B/s, \d+ pages/s, 1 errors\]", shown)


# Standard input


def test_standard_input_is_read_as_a_page_or_as_json_lines(tmp_path: Path) -> None:
    done = scrapy("cetr", "-", folder=tmp_path, stdin=page())
    assert (done.returncode, done.stdout) == (0, f"== standard input\n{TEXT}\n")
    lines = b"\n".join(json.dumps({"html": page().decode()}).encode() for _ in range(3))
    done = scrapy("cetr", "-", "-o", "out.jsonl", folder=tmp_path, stdin=lines)
    assert done.returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == [TEXT] * 3


def test_ctrl_c_ends_the_command_while_it_waits_for_standard_input(tmp_path: Path) -> None:
    with start_scrapy("cetr", "-", "-o", "out.jsonl", folder=tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"html": page().decode()}).encode() + b"\n{")
        process.stdin.flush()
        wait_until(lambda: workers_of(process.pid))
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(DEADLINE) == 130
        assert process.stderr is not None
        assert re.fullmatch(
            rb"scrapy cetr: interrupted after [01] pages; --resume continues the run\n",
            process.stderr.read(),
        )


# URL lists


def test_url_list_ignores_comments_blank_lines_and_duplicates(site: Site, tmp_path: Path) -> None:
    urls = [site.add(f"/{number}") for number in range(5)]
    lines = ["\ufeff# a comment", "", f"  {urls[0]} ", *urls, urls[1], "no-scheme.example/"]
    (tmp_path / "urls.txt").write_text("\n".join(lines), encoding="utf-8")
    done = scrapy("cetr", "--urls", "urls.txt", "-o", "out.jsonl", folder=tmp_path)
    assert done.returncode == 1
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted(row["url"] for row in rows) == sorted([*urls, "no-scheme.example/"])
    assert sorted(site.hits) == sorted(f"/{number}" for number in range(5))
    problem, summary = done.stderr.splitlines()
    assert problem.startswith("scrapy cetr: no-scheme.example/: is not a valid URL: ")
    assert summary.endswith("5 articles, 1 errors")


@pytest.mark.parametrize("name", ["asyncio", "select", "epoll"])
def test_downloads_work_with_any_reactor(site: Site, tmp_path: Path, name: str) -> None:
    kinds = {
        "asyncio": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "select": "twisted.internet.selectreactor.SelectReactor",
        "epoll": "twisted.internet.epollreactor.EPollReactor",
    }
    urls = [site.add(f"/{number}") for number in range(100)]
    reactor = ("-s", f"TWISTED_REACTOR={kinds[name]}")
    done = scrapy("cetr", *urls, "--output-dir", "out", *reactor, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    files = list((tmp_path / "out").iterdir())
    assert len(files) == 100
    assert {file.read_text() for file in files} == {f"{TEXT}\n"}
    assert all(re.fullmatch(r"127\.0\.0\.1-\d+-\d+-[0-9a-f]{8}\.txt", file.name) for file in files)


@pytest.mark.slow
def test_crawl_that_is_closed_early_is_not_complete(site: Site, tmp_path: Path) -> None:
    urls = [site.add(f"/{number}") for number in range(200)]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    few = ("-s", "CLOSESPIDER_PAGECOUNT=5", "-s", "CONCURRENT_REQUESTS=1")
    words = ("cetr", "--urls", "urls.txt", "-o", "out.jsonl")
    done = scrapy(*words, *few, folder=tmp_path)
    assert done.returncode == 1
    assert "the crawl was stopped (closespider_pagecount; " in done.stderr
    assert "--resume continues the run" in done.stderr
    assert scrapy(*words, "--resume", folder=tmp_path).returncode == 0
    rows = [json.loads(line)["url"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted(rows) == sorted(urls)


# Failures of the output


@pytest.mark.parametrize("from_urls", [False, True])
def test_full_disk_ends_the_run_with_one_line(site: Site, tmp_path: Path, from_urls: bool) -> None:
    (tmp_path / "out.jsonl").symlink_to("/dev/full")
    lines = (json.dumps({"html": page().decode() * 50}) for _ in range(30))
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    urls = [site.add(f"/{number}", Reply(page() * 50)) for number in range(30)]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    words = ("--urls", "urls.txt") if from_urls else ("pages.jsonl",)
    done = scrapy("cetr", *words, "-o", "out.jsonl", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "scrapy cetr: out.jsonl: cannot be written: No space left on device\n"


def test_missing_library_is_named_and_leaves_no_progress_folder(tmp_path: Path) -> None:
    (tmp_path / "pyarrow.py").write_text("raise ImportError('none')")
    (tmp_path / "page.html").write_bytes(page())
    done = scrapy(*("cetr", "page.html", "-o", "out.parquet"), folder=tmp_path, path=str(tmp_path))
    assert done.returncode == 2
    says = "scrapy cetr: Parquet needs pyarrow: pip install 'scrapy-cetr[parquet]'\n"
    assert done.stderr == says
    assert not (tmp_path / "out.parquet.progress").exists()


# Workers


def test_main_process_starts_quickly_as_only_workers_import_the_library(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'scrapy_cetr.extraction.batch.worker' not in sys.orig_argv:\n"
        "    sys.modules.update(dict.fromkeys(['numpy', 'turbohtml']))\n"
    )
    (tmp_path / "page.html").write_bytes(page())
    words = ("cetr", "page.html", "-o", "out.jsonl")
    assert scrapy(*words, folder=tmp_path, path=str(tmp_path)).returncode == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["text"] == TEXT


def test_pages_that_hang_or_die_cost_only_themselves(tmp_path: Path) -> None:
    traps = write_traps(tmp_path / "traps")
    htmls = [page().decode(), "<p>HANG", "<p>DIE", "<p>FAIL", page().decode()]
    (tmp_path / "pages.jsonl").write_text("\n".join(json.dumps({"html": html}) for html in htmls))
    words = ("cetr", "pages.jsonl", "-o", "out.jsonl", "--timeout", "8", "--jobs", "2")
    done = scrapy(*words, folder=tmp_path, path=traps)
    assert done.returncode == 1
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row.get("error") for row in rows] == [
        None,
        "took more than 8 seconds",
        "the worker process ended unexpectedly",
        "ZeroDivisionError: a page that fails",
        None,
    ]
    assert rows[0]["text"] == rows[4]["text"] == TEXT


def test_workers_of_a_killed_command_end_by_themselves(tmp_path: Path) -> None:
    traps = write_traps(tmp_path / "traps")
    (tmp_path / "pages.jsonl").write_text('{"html": "<p>HANG"}\n' * 10)
    words = ("cetr", "pages.jsonl", "-o", "out.jsonl", "--jobs", "2", "--timeout", "600")
    with start_scrapy(*words, folder=tmp_path, path=traps) as process:
        wait_until((Path(traps) / "sitecustomize.py.hangs").exists)
        workers = wait_until(lambda: workers_of(process.pid))
        process.kill()
        process.wait(DEADLINE)
        wait_until(lambda: not any(map(is_worker, workers)))


def test_help_says_meaning_and_default_of_each_option(tmp_path: Path) -> None:
    done = scrapy("cetr", "--help", folder=tmp_path)
    assert done.returncode == 0
    titles = re.findall(r"^(.+)\n[=-]{3,}$", done.stdout, re.MULTILINE)
    extraction = "Extraction (Defaults Are Those Of Cetr_ Settings)"
    groups = ["Inputs", "Outputs", "Run", extraction]
    assert titles == ["Usage", "Options", "Global Options", *groups]
    text = done.stdout.partition("\nInputs\n")[2]
    entries = re.split(r"^  (?=-)", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 30
    for entry in entries:
        assert re.search(r"\(default .+\)", " ".join(entry.split())), entry
