"""Fixtures of all tests."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_twisted
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from testkit.implementations import IMPLEMENTATIONS, using_loops
from testkit.processes import wait_until, workers_of, write_traps
from testkit.server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve pages on loopback."""
    with Site().serving() as served:
        yield served


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make workers hang, end or fail on pages that contain HANG, DIE or FAIL."""
    folder = write_traps(tmp_path / "traps")
    monkeypatch.setattr(sys, "path", [folder, *sys.path])
    return folder


@pytest.fixture
def failing_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make extraction fail in the process of the crawl."""

    def extract_article(html: str, **options: Any) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("scrapy_cetr.extractor.extract_article", extract_article)


def _open_pipes() -> set[str]:
    """Return the names of the open pipes of this process; unlike numbers, they are not reused."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(link.readlink()))
        except OSError:
            continue  # the folder itself
    return {name for name in found if name.startswith("pipe:")}


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    """Check that no process, pipe or thread is left after the test."""
    from twisted.internet import reactor

    # The reactor opens pipes when it starts to run.
    pytest_twisted.blockon(deferLater(cast("IReactorTime", reactor), 0))
    before = _open_pipes()
    yield
    assert workers_of(os.getpid()) == []
    assert _open_pipes() <= before
    wait_until(lambda: not [t for t in threading.enumerate() if t.name.startswith("scrapy-cetr")])


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
