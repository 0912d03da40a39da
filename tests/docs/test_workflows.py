"""The workflows of GitHub: they call make targets that exist, for the supported Python versions."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path

import pytest

from testkit.documented_code import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def supported_versions() -> list[str]:
    """Return the Python versions that the classifiers of the package name."""
    setup = configparser.ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return re.findall(r"Python :: (3\.\d+)", setup["metadata"]["classifiers"])


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflow_calls_existing_make_targets(file: Path) -> None:
    called = re.findall(r"run: make (\w+)", file.read_text())
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert called
    assert {*called} <= {*targets}


def test_tests_run_on_all_supported_versions() -> None:
    (versions,) = re.findall(
        r"python: (\[.+\])", (ROOT / ".github/workflows/tests.yml").read_text()
    )
    assert re.findall(r"3\.\d+", versions) == supported_versions()


def test_wheels_are_built_for_all_supported_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    expected = [f"cp{version.replace('.', '')}-*" for version in supported_versions()]
    assert project["tool"]["cibuildwheel"]["build"] == expected
