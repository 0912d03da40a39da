"""Pages that hang, exit, grow and fail in the worker processes of engines."""

from pathlib import Path

import pytest

from testkit.processes import write_traps


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a PYTHONPATH with which marked pages are traps; it also tells processes apart."""
    return write_traps(tmp_path_factory.mktemp("traps"))


@pytest.fixture
def archives_folder(tmp_path: Path) -> Path:
    return tmp_path / "archives"
