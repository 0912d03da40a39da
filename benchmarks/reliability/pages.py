"""Hostile pages: hangs, failures, lost articles, time and memory of each contender."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.contenders import Contender
from benchmarks.reliability.one_page import Extraction
from benchmarks.table import Table

GIGABYTES = 8
# Times the limit of CPU time: ends processes that wait without using the CPU.
PATIENCE = 10
FAILURES = ("hang", "crash", "error", "lost")
HEADERS = (
    *("extractor", "pages", "hangs", "crashes", "exceptions", "article lost"),
    *("most seconds", "on", "most memory / page", "on"),
)

Extractions = Mapping[tuple[str, str], Extraction]


def extract_apart(contender: Contender, *, trap: str, size: int, seconds: int) -> Extraction:
    """Extract a page in a separate process with a limit of CPU time in seconds."""
    task = {
        "name": contender.name,
        "options": contender.options,
        "is_peer": contender.is_peer,
        "trap": trap,
        "size": size,
        "seconds": seconds,
        "gigabytes": GIGABYTES,
    }
    command = [sys.executable, "-m", "benchmarks.reliability.one_page", json.dumps(task)]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False, timeout=PATIENCE * seconds
        )
    except subprocess.TimeoutExpired:
        return Extraction(outcome="hang", seconds=seconds)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Extraction(outcome="hang", seconds=seconds)
    if done.returncode:
        return Extraction(outcome="crash")
    return Extraction(**json.loads(done.stdout.splitlines()[-1]))


def extract_all(
    contenders: Sequence[Contender], *, traps: Sequence[str], size: int, seconds: int
) -> Iterator[tuple[tuple[str, str], Extraction]]:
    """Yield the outcome of each page with each contender."""
    for trap in traps:
        for contender in contenders:
            found = extract_apart(contender, trap=trap, size=size, seconds=seconds)
            yield (contender.label, trap), found


def contenders_table(found: Extractions) -> Table:
    """Count the failures of each contender, and show its worst time and memory."""
    rows = []
    for label in dict.fromkeys(label for label, _ in found):
        own = {trap: one for (name, trap), one in found.items() if name == label}
        outcomes = [one.outcome for one in own.values()]
        measured = {trap: one for trap, one in own.items() if one.size}
        counts = [str(outcomes.count(kind)) for kind in FAILURES]
        rows.append([label, str(len(own)), *counts, *_worst(measured)])
    return Table(HEADERS, rows, name_columns=1)


def _worst(measured: Mapping[str, Extraction]) -> list[str]:
    if not measured:
        return ["", "", "", ""]
    slowest = max(measured, key=lambda trap: measured[trap].seconds)
    largest = max(measured, key=lambda trap: measured[trap].peak / measured[trap].size)
    most = measured[largest]
    return [
        f"{measured[slowest].seconds:.1f}",
        slowest,
        f"{most.peak / most.size:.1f}",
        largest,
    ]


def traps_table(found: Extractions) -> Table:
    """Show the seconds for each page, or the outcome if the article was not found."""
    labels = list(dict.fromkeys(label for label, _ in found))
    traps = list(dict.fromkeys(trap for _, trap in found))
    rows = [[trap, *(_cell(found[label, trap]) for label in labels)] for trap in traps]
    return Table(("page", *labels), rows, name_columns=1)


def _cell(one: Extraction) -> str:
    return f"{one.seconds:.1f}" if one.outcome == "found" else one.outcome
