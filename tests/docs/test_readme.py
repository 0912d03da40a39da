"""The code of README.md, run as it is written; only the addresses in it are replaced."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from testkit.documented_code import ROOT, Document, Project, run
from testkit.server import TEXT, Reply, Site, page

README = Document.read("README.md")
LONGEST = 170


def test_readme_has_at_most_170_lines() -> None:
    assert len(README.text.splitlines()) <= LONGEST


@pytest.mark.parametrize("path", ["README.md", "docs/index.md"])
def test_addon_line_and_unchanged_spider_yield_the_documented_item(
    project: Project, site: Site, path: str
) -> None:
    documented = Document.read(path)
    (shown,) = (json.loads(text) for text in documented.blocks("json"))
    beginning = shown["article_text"].removesuffix("…")
    first, second = beginning.split("\n\n")
    story = f"<div><p>{first}</p><p>{second}work, it carries cars again.</p>"
    site.add("/harbour", Reply(page().replace(b"<div>", story.encode())))
    project.add_settings(documented.block("settings.py"))
    (item,) = project.crawl().items
    assert item.keys() == shown.keys()
    assert item["url"] == shown["url"].replace("https://news.example", site.url)
    assert beginning in item["article_text"]
    assert "Section 5" not in item["article_text"]


def test_documented_make_targets_exist() -> None:
    commands = re.findall(r"^\$ make (\w+)", "".join(README.blocks("console")), re.M)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    assert commands == ["demo", "test"]
    assert {*commands, "docs", "screenshots"} <= set(targets)


def test_library_example_prints_title_and_text(tmp_path: Path) -> None:
    (code,) = README.section("Without Scrapy").blocks()
    done = run("-c", code, folder=tmp_path)
    assert done.stdout == "Harbour\nIt was a long day,\nand nobody went home.\n"


def test_documented_commands_print_the_article_and_write_a_report(
    project: Project, site: Site
) -> None:
    (project.folder / "page.html").write_bytes(page())
    outputs = project.run_commands(*README.section("See why").blocks("console"))
    assert outputs == [f"{TEXT}\n", ""]
    assert (project.folder / "why.html").exists()


def test_readme_shows_a_screenshot() -> None:
    (image,) = README.images()
    assert (ROOT / image).read_bytes().startswith(b"\x89PNG")


def test_links_of_readme_lead_to_files() -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README.text)
    missing = [t for t in targets if "://" not in t and not (ROOT / t).exists()]
    assert not missing
