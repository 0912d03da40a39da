"""The command ``scrapy cetr`` in its own process: downloads, pipes and terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

from testkit.processes import DEADLINE
from testkit.server import TEXT, Reply, Site, page


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
