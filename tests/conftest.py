"""Fixtures of all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from testkit.implementations import IMPLEMENTATIONS, using_loops
from testkit.server import Site, write_traps


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


@pytest.fixture(autouse=True)
def each_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test with the compiled loops and with those in numpy, if its folder is below."""
    if hypothesis := getattr(getattr(request.node, "obj", None), "hypothesis", None):
        # pytest-twisted wraps it for each run; this restores it, so that it is wrapped once.
        monkeypatch.setattr(hypothesis, "inner_test", hypothesis.inner_test)
    if implementation := getattr(request, "param", None):
        with using_loops(implementation):
            yield
    else:
        yield


_FOLDERS = ("html", "loops", "methods", "output", "page")
_EACH_WAY = tuple(Path(__file__).parent / "extraction" / name for name in _FOLDERS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of what calls loops each way, unless they choose one by a mark."""
    marks = metafunc.definition.iter_markers("parametrize")
    if any(mark.args[0] == "each_way" for mark in marks):
        return
    if any(metafunc.definition.path.is_relative_to(folder) for folder in _EACH_WAY):
        metafunc.parametrize("each_way", IMPLEMENTATIONS, indirect=True)
