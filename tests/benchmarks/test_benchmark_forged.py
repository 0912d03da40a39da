"""The measurement of pages with forged stamps."""

from __future__ import annotations

from benchmarks.rendering import measure_forged
from testkit.forged import FORGED


def test_forged_page_is_measured() -> None:
    seconds, memory = measure_forged(next(iter(FORGED)), 20_000)
    assert 0 < seconds < 10
    assert memory >= 0
