"""Progress on standard error: a bar on a terminal, plain lines elsewhere, as in a log file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

from benchmarks.progress import progress as progress_bar

Step = TypeVar("Step")

# The seconds between two lines.
INTERVAL = 30.0


def progress(steps: Iterable[Step], *, total: int, name: str) -> Iterable[Step]:
    """Yield the steps, and show how many are done."""
    if sys.stderr.isatty():
        return progress_bar(steps, total=total, name=name)
    return _with_lines(steps, total=total, name=name)


def report(line: str) -> None:
    """Write a line at once, also from another process."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _with_lines(steps: Iterable[Step], *, total: int, name: str) -> Iterator[Step]:
    start = last = monotonic()
    for done, step in enumerate(steps, start=1):
        now = monotonic()
        if done == total or now - last >= INTERVAL:
            report(f"{name}: {done} of {total}, {now - start:.0f} s")
            last = now
        yield step
