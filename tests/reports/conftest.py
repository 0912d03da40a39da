"""A browser for the tests of reports."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testkit.browser import Window, chromium
from testkit.report_pages import explained, write


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    """Start a browser once per module."""
    with chromium() as started:
        yield started


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the report of a news page, extracted with cetr."""
    return write(tmp_path, explained())
