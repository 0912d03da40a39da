"""The code in README.md, found by its heading, and Scrapy projects made of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TITLE = "scrapy-cetr"
DEADLINE = 60.0
SPIDER = """\
import json

import scrapy

import scrapy_cetr


class NewsSpider(scrapy.Spider):
    name = "news"
    start_urls = {start_urls}
"""
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMENTED_SETTINGS = re.compile(r"^# settings\.py: (.+\n(?:#  .+\n)*)", re.MULTILINE)


def sections() -> dict[str, str]:
    """Give the text between each heading and the next; comments in code are no headings."""
    fences = [match.span() for match in _FENCE.finditer(README)]
    headings = [
        match
        for match in _HEADING.finditer(README)
        if not any(start < match.start() < end for start, end in fences)
    ]
    ends = [match.start() for match in headings[1:]] + [len(README)]
    return {match[1]: README[match.end() : end] for match, end in zip(headings, ends, strict=True)}


def blocks(heading: str, language: str = "python") -> list[str]:
    """Give the fenced code below a heading."""
    return [code for name, code in _FENCE.findall(sections()[heading]) if name == language]


def block(heading: str, kind: str) -> str:
    """Give the one block of Python below a heading that says in its first line what it is."""
    (found,) = [code for code in blocks(heading) if code.startswith(f"# {kind}")]
    return found


def commented_settings(code: str) -> str:
    """Give the settings that a block for another file ends with, as comments."""
    (found,) = _COMMENTED_SETTINGS.findall(code)
    return re.sub(r"^# +", "", found, flags=re.MULTILINE)


def table(heading: str) -> list[list[str]]:
    """Give the cells of the one table below a heading."""
    lines = [line for line in sections()[heading].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def code_in(text: str) -> list[str]:
    """Give the code that stands within lines of text.

    >>> code_in("`True` or `None`")
    ['True', 'None']
    """
    return re.findall(r"`([^`]+)`", _FENCE.sub("", text))


@dataclass
class Result:
    """What came out of a crawl."""

    log: str
    items: list[dict[str, Any]]

    @property
    def stats(self) -> dict[str, str]:
        """The statistics that the log ends with, as they are written there."""
        return dict(re.findall(r"^[ {]'([^']+)': (.+)[,}]$", self.log, re.MULTILINE))


@dataclass
class Project:
    """A project as ``scrapy startproject project`` makes it, with code of the README in it."""

    folder: Path
    site: str
    start_urls: Sequence[str]

    def add_settings(self, code: str) -> None:
        with (self.folder / "project/settings.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{self._local(code)}")

    def write_pipelines(self, code: str) -> None:
        self.folder.joinpath("project/pipelines.py").write_text(code, encoding="utf-8")

    def write_spider(self, *methods: str) -> None:
        """Write a spider of methods, with the imports that those in the README leave out."""
        code = "".join(f"\n{indent(self._local(method), '    ')}" for method in methods)
        self.folder.joinpath("project/spiders/news.py").write_text(
            SPIDER.format(start_urls=list(self.start_urls)) + code, encoding="utf-8"
        )

    def crawl(self, *, feed: bool = True, clean: bool = True, path: str = "") -> Result:
        """Run ``scrapy crawl``, by default with a feed of the items and without any warning."""
        items = self.folder / "items.jsonl"
        quick = ("DOWNLOAD_DELAY=0", "TELNETCONSOLE_ENABLED=False", "REMOTE_CONTROL_ENABLED=False")
        options = [part for setting in quick for part in ("-s", setting)]
        output = ("-O", items.name) if feed else ()
        done = run(
            "-m", "scrapy", "crawl", "news", *options, *output, folder=self.folder, path=path
        )
        assert "finish_reason': 'finished'" in done.stderr, done.stderr
        if clean:
            assert not re.search(r"\b(WARNING|ERROR|CRITICAL)\b", done.stderr), done.stderr
        return Result(done.stderr, read_lines(items) if feed else [])

    def _local(self, code: str) -> str:
        """Replace the site of the examples."""
        return code.replace("https://news.example", self.site)


def run(*arguments: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder; it has to end well."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def read_lines(file: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
