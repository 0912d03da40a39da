"""Paths and links between code and documentation."""

from __future__ import annotations

import re

import pytest

from testkit.documented_code import ROOT, pages

FOLDERS = ("scrapy_cetr", "benchmarks", "training", "testkit", "fuzz", "release", "example_project")
SOURCES = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))


def test_documents_named_in_the_code_exist() -> None:
    named = {
        (file.relative_to(ROOT).as_posix(), path)
        for file in SOURCES
        for path in re.findall(r"\bdocs/[\w/-]+\.md\b", file.read_text(encoding="utf-8"))
    }
    assert not [(file, path) for file, path in named if not (ROOT / path).exists()]


@pytest.mark.parametrize("path", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_files_named_for_contributors_exist(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    named = re.findall(
        r"`((?:tests|testkit|docs|scrapy_cetr|extraction|benchmarks)/[\w/.]*)`", text
    )
    assert named
    package = ROOT / "scrapy_cetr"
    assert not [name for name in named if not ((ROOT / name).exists() or (package / name).exists())]


def test_every_page_is_reachable_from_the_index() -> None:
    entries = set()
    for path, page in pages().items():
        folder = path.rpartition("/")[0]
        for toctree in re.findall(r"```{toctree}\n(.*?)```", page.text, re.DOTALL):
            lines = [line for line in toctree.splitlines() if line and not line.startswith(":")]
            entries |= {f"{folder}/{line}.md" for line in lines}
    assert entries == {*pages()} - {"README.md", "docs/index.md"}
