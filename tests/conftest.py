"""Fixtures of all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from server import Site, write_traps


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
