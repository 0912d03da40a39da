"""Fixtures of all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_cetr.extraction.loops import compiled
from testkit.processes import write_traps
from testkit.server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve pages on loopback."""
    with Site().serving() as served:
        yield served


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let workers really hang, end or fail at pages with HANG, DIE or FAIL in them."""
    folder = write_traps(tmp_path / "traps")
    monkeypatch.setattr(sys, "path", [folder, *sys.path])
    return folder


@pytest.fixture(params=[compiled.COMPILED, False], ids=["default", "numpy"])
def each_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what can be done with compiled loops without them, too."""
    monkeypatch.setattr(compiled, "COMPILED", request.param)
