"""``scrapy cetr`` with rules, gold lines and a memory: --sites, --check and two passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr.extraction.memory.store import CrawlMemory
from testkit.site_pages import BOX, STORIES, story_page, write_site
from tests.commands.test_cetr_command import call
from tests.test_site_rules import NAMES, shared_page

RULES = '["courier.example"]\ndrop = [".box-text"]\n'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder with a site and rules for it."""
    monkeypatch.chdir(tmp_path)
    write_site(tmp_path / "site")
    (tmp_path / "sites.toml").write_text(RULES, encoding="utf-8")


def gold_lines(*names: str, **changed: str) -> str:
    return "".join(
        json.dumps(
            {
                "url": f"https://www.courier.example/{name}.html",
                "html": story_page(name),
                "text": changed.get(name, "\n\n".join(STORIES[name])),
            }
        )
        + "\n"
        for name in names
    )


def test_sites_apply_to_stored_pages_by_their_canonical_url(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("site/harbour.html", "--sites", "sites.toml") == 0
    assert capsys.readouterr().out.strip() == "\n\n".join(STORIES["harbour"])
    assert call("site/harbour.html") == 0
    assert BOX[0] in capsys.readouterr().out


def test_sites_apply_in_worker_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("site", "--sites", "sites.toml", "--jobs", "1") == 0
    out = capsys.readouterr().out
    assert BOX[0] not in out
    assert all(paragraphs[0] in out for paragraphs in STORIES.values())


def test_wrong_rules_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sites.toml").write_text('["a.example"]\ndorp = "p"', encoding="utf-8")
    assert call("site", "--sites", "sites.toml") == 2
    assert "unknown key 'dorp'; did you mean 'drop'?" in capsys.readouterr().err
    (tmp_path / "sites.toml").write_text('["a.example"]\nmodel = "no.npz"', encoding="utf-8")
    assert call("site", "--sites", "sites.toml") == 2
    assert "--sites sites.toml['a.example']['model'] no.npz: cannot be read" in (
        capsys.readouterr().err
    )


def test_check_of_rules_prints_what_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("site", "--check", "sites.toml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("changed +0 −") for line in lines) == 3
    assert lines[-1] == "3 pages: 0 better, 0 worse, 0 same, 3 changed"


def test_check_with_gold_lines_tells_better_from_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = gold_lines("harbour", "bridge", "library", library=" ".join(BOX))
    (tmp_path / "gold.jsonl").write_text(gold, encoding="utf-8")
    assert call("--check", "gold.jsonl", "--check", "sites.toml") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["better", "better", "worse"]
    assert lines[3].startswith("3 pages: 2 better, 1 worse, 0 same, 0 changed; F1 ")


def test_check_names_selectors_without_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sites.toml").write_text('["courier.example"]\ndrop = ".gone"', encoding="utf-8")
    assert call("site", "--check", "sites.toml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "3 pages: 0 better, 0 worse, 3 same, 0 changed",
        "nothing matches 'courier.example: drop .gone' on 3 pages",
    ]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("site", "--check", "none.toml"), "--check none.toml: there is no such file"),
        (("site", "--check", "sites.toml", "--compare"), "--check cannot be used with --output"),
    ],
)
def test_wrong_check_is_named(
    words: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*words) == 2
    assert error in capsys.readouterr().err


def write_shared(folder: Path) -> None:
    folder.mkdir()
    lines = [
        {"url": f"https://x.example/{name}", "html": shared_page(name, number).decode()}
        for number, name in enumerate(NAMES)
    ]
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


@pytest.mark.parametrize("memory", [True, "memory.bin"])
def test_memory_reads_stored_pages_twice_so_that_all_profit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], memory: Any
) -> None:
    write_shared(tmp_path / "shared")
    assert call("shared", "--jobs", "1") == 0
    assert capsys.readouterr().out.count(BOX[0]) == len(NAMES)
    assert call("shared", "--jobs", "1", CETR_MEMORY=memory) == 0
    out = capsys.readouterr().out
    assert BOX[0] not in out
    assert out.count("says a captain") == 3 * len(NAMES)
    if isinstance(memory, str):
        stored = CrawlMemory()
        stored.load(memory)
        assert stored.of("x.example").pages == len(NAMES)


def test_memory_needs_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("-", CETR_MEMORY=True) == 2
    assert "standard input (-) cannot be read twice" in capsys.readouterr().err


def test_damaged_memory_is_named_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "memory.bin").write_bytes(b"nothing")
    assert call("site", CETR_MEMORY="memory.bin") == 2
    assert "memory.bin: is not a memory of crawls" in capsys.readouterr().err
    assert (tmp_path / "memory.bin").read_bytes() == b"nothing"
