"""The how-to guides on rules for sites, own weights and the memory of a crawl."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scrapy.settings import Settings

from scrapy_cetr.extraction.memory.site import Observation
from scrapy_cetr.extraction.memory.store import CrawlMemory
from scrapy_cetr.extraction.methods.learned.weights import save_network, shipped_network
from scrapy_cetr.extraction.sites.rules import load_sites
from scrapy_cetr.settings import read_settings
from testkit.documented_code import ROOT
from testkit.site_pages import STORIES, write_site
from tests.commands.test_cetr_command import call

GUIDES = ROOT / "docs" / "howto"


def blocks(name: str, language: str) -> list[str]:
    """Return the code blocks of a guide in some language."""
    text = (GUIDES / f"{name}.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def settings_of(code: str) -> Settings:
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102
    return Settings({name: value for name, value in names.items() if name.startswith("CETR_")})


def test_rules_guide_corrects_a_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_site(tmp_path / "site")
    (rules,) = blocks("correct-a-site", "toml")
    Path("sites.toml").write_text(rules, encoding="utf-8")
    (code,) = blocks("correct-a-site", "python")
    assert read_settings(settings_of(code)).sites == load_sites("sites.toml")
    consoles = blocks("correct-a-site", "console")
    report, single, check, _ = (console.splitlines()[0].split()[3:] for console in consoles)
    assert call(*report) == 0
    assert Path("report.html").exists()
    assert call(*single) == 0
    assert capsys.readouterr().out.strip() == "\n\n".join(STORIES["harbour"])
    assert call(*check) == 0
    assert capsys.readouterr().out.splitlines() == consoles[2].splitlines()[1:]


def test_model_guide_loads_weights() -> None:
    with Path("my.npz").open("wb") as file:
        save_network(file, shipped_network())
    (code,) = blocks("own-model", "python")
    assert read_settings(settings_of(code)).options.model == "my.npz"


def test_memory_guide_sets_and_merges() -> None:
    setting, merging = blocks("memory", "python")
    assert read_settings(settings_of(setting)).memory is True
    for name in ("monday", "tuesday"):
        memory = CrawlMemory()
        keys = [1, len(name) * 100]
        memory.learn("a.example", Observation(keys, keys, [False, True], [0, *keys]))
        memory.save(f"{name}.bin")
    exec(merging, {})  # noqa: S102
    merged = CrawlMemory()
    merged.load("memory.bin")
    assert merged.of("a.example").pages == 2
