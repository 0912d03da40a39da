"""The code blocks and tables of README.md and docs/, and Scrapy projects made from them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import Any

ROOT = Path(__file__).parents[1]
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


@dataclass(frozen=True)
class Document:
    """A page of the documentation, or one section of it."""

    text: str

    @classmethod
    def read(cls, path: str) -> Document:
        """Read a page by its path from the root of the repository."""
        return cls((ROOT / path).read_text(encoding="utf-8"))

    def section(self, heading: str) -> Document:
        """Return the text between a heading and the next one."""
        return Document(self._sections[heading])

    @cached_property
    def _sections(self) -> dict[str, str]:
        # A comment in a code block is not a heading.
        fences = [match.span() for match in _FENCE.finditer(self.text)]
        headings = [
            match
            for match in _HEADING.finditer(self.text)
            if not any(start < match.start() < end for start, end in fences)
        ]
        ends = [match.start() for match in headings[1:]] + [len(self.text)]
        return {
            match[1]: self.text[match.end() : end]
            for match, end in zip(headings, ends, strict=True)
        }

    def blocks(self, language: str = "python") -> list[str]:
        """Return the code blocks of a language."""
        return [code for name, code in _FENCE.findall(self.text) if name == language]

    def block(self, file: str) -> str:
        """Return the one Python block whose first line names a file in a comment."""
        (found,) = [code for code in self.blocks() if code.startswith(f"# {file}")]
        return found

    def table(self) -> list[list[str]]:
        """Return the cells of all tables, without their headers."""
        lines = self.text.splitlines()
        rows = [
            line
            for line, after in zip(lines, [*lines[1:], ""], strict=True)
            if line.startswith("|") and not line.startswith("|--") and not after.startswith("|--")
        ]
        return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in rows]

    def inline_code(self) -> list[str]:
        """Return the code that stands within lines of text."""
        return code_in(_FENCE.sub("", self.text))

    def images(self) -> list[str]:
        """Return the targets of images."""
        return re.findall(r"!\[[^]]+\]\((.+?)\)", self.text)


def guide(name: str) -> Document:
    """Read a how-to guide."""
    return Document.read(f"docs/howto/{name}.md")


def pages() -> dict[str, Document]:
    """Return README.md and all pages of docs/ by their paths from the root."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    paths = [file.relative_to(ROOT).as_posix() for file in files]
    return {path: Document.read(path) for path in paths}


def code_in(text: str) -> list[str]:
    """Return the code that stands within a line of text.

    >>> code_in("`True` or `None`")
    ['True', 'None']
    """
    return re.findall(r"`([^`]+)`", text)


def commented_settings(code: str) -> str:
    """Return the settings that a block for another file ends with, as comments."""
    (found,) = _COMMENTED_SETTINGS.findall(code)
    return re.sub(r"^# +", "", found, flags=re.MULTILINE)


@dataclass
class Result:
    """The log and the items of a crawl."""

    log: str
    items: list[dict[str, Any]]

    @property
    def stats(self) -> dict[str, str]:
        """The statistics at the end of the log, as strings."""
        return dict(re.findall(r"^[ {]'([^']+)': (.+)[,}]$", self.log, re.MULTILINE))


@dataclass
class Project:
    """A project made by ``scrapy startproject project``, with documented code in it."""

    folder: Path
    site: str
    start_urls: Sequence[str]

    def add_settings(self, code: str) -> None:
        with (self.folder / "project/settings.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{self._local(code)}")

    def write_pipelines(self, code: str) -> None:
        self.write("project/pipelines.py", code)

    def write(self, path: str, code: str) -> None:
        """Write a file of the project, by its path from the folder of scrapy.cfg."""
        file = self.folder / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(code, encoding="utf-8")

    def write_spider(self, *methods: str) -> None:
        """Write a spider with these methods, and the imports that documented code leaves out."""
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

    def run_commands(self, console: str) -> list[str]:
        """Run the ``scrapy`` commands of a console block; return what each prints."""
        outputs = []
        for line in console.splitlines():
            prompt, scrapy, *words = self._local(line.partition(" # ")[0]).split()
            assert (prompt, scrapy) == ("$", "scrapy")
            outputs.append(run("-m", "scrapy", *words, folder=self.folder).stdout)
        return outputs

    def _local(self, code: str) -> str:
        """Replace the site of the examples by the served one."""
        return code.replace("https://news.example", self.site)


def run(*arguments: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, and check that it succeeds."""
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
