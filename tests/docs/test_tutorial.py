"""The tutorial, followed from its first command to its last."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from serve import serve

from testkit.documented_code import ROOT, Document, read_lines, run

TUTORIAL = Document.read("docs/tutorial.md")
ADDRESS = "http://127.0.0.1:8000"


def test_tutorial_can_be_followed(tmp_path: Path) -> None:
    create = TUTORIAL.section("Create a project")
    (commands,) = create.blocks("console")
    (start, change_folder) = commands.splitlines()
    run("-m", *_words(start), folder=tmp_path)
    project = tmp_path / change_folder.removeprefix("$ cd ")
    (crawl,) = TUTORIAL.section("Crawl").blocks("console")[:1]
    settings = [code for code in TUTORIAL.blocks() if code.startswith("# courier/settings.py")]
    assert len(settings) == 4

    with serve() as site:
        _write(project, create.block("courier/spiders"), site=site)
        crawls = []
        for code in settings:
            _write(project, code, site=site)
            log = run("-m", *_words(crawl), folder=project).stderr
            assert not re.search(r"\b(ERROR|CRITICAL)\b", log), log
            crawls.append((log, read_lines(project / "articles.jsonl")))
        (report,) = TUTORIAL.section("See why a row was kept").blocks("console")
        run("-m", *_words(report.replace(ADDRESS, site)), folder=project)

    (log, items), (_, with_fields), (dropping, articles), _ = crawls
    (summary,) = TUTORIAL.section("Crawl").blocks("text")
    assert re.search(re.sub(r"\d+", r"\\d+", re.escape(summary.strip())), log)
    assert all(item.keys() == {"url", "article_text"} for item in items)
    assert any(item["authors"] for item in with_fields)
    assert any(item["published"] is None for item in with_fields)
    assert len(articles) < len(with_fields)
    assert "'item_dropped_count'" in dropping
    assert not any(item["url"] == f"{site}/index.html" for item in articles)
    assert (project / "why.html").exists()
    assert (project / "report.html").exists()


def test_tutorial_shows_what_the_server_prints() -> None:
    (shown,) = TUTORIAL.section("Serve the site").blocks("console")
    command, printed = shown.splitlines()
    assert (ROOT / _words(command)[1]).exists()
    assert printed == f"{ADDRESS}/ (Ctrl-C stops it)"


def _words(command: str) -> list[str]:
    return shlex.split(command.removeprefix("$ "))


def _write(project: Path, code: str, *, site: str) -> None:
    """Append a block to the file that its first line names."""
    name = code.splitlines()[0].removeprefix("# ")
    with (project / name).open("a", encoding="utf-8") as file:
        file.write(code.replace(ADDRESS, site))
