"""One extraction of a hostile page in a separate process, which may hang or crash.

``python -m benchmarks.reliability.one_page JSON``
"""

from __future__ import annotations

import json
import resource
import sys
from dataclasses import asdict, dataclass
from time import process_time

from benchmarks.contenders import PROBE, Contender, Value, extractor
from benchmarks.memory import peak_bytes
from benchmarks.speed import byte_size, time_page
from testkit.hostile import FIRST, LAST, hostile_page

GIGABYTE = 1_000_000_000


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The outcome for a page: found, lost, error, crash or hang; sizes are in bytes."""

    outcome: str
    seconds: float = 0.0
    peak: int = 0
    size: int = 0


def sized_page(trap: str, size: int) -> str:
    """Make a hostile page of about ``size`` bytes of UTF-8."""
    html = hostile_page(trap, size)
    written = byte_size(html)
    return html if written < 1.5 * size else hostile_page(trap, size * size // written)


def limit(seconds: int, memory: int) -> None:
    """Limit the further CPU time of this process in seconds, and its memory in bytes."""
    spent = int(process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, spent + seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def extract_here(contender: Contender, *, trap: str, size: int) -> Extraction:
    """Extract a page, after a small page that triggers all imports."""
    html = sized_page(trap, size)
    run = extractor(contender)
    time_page(run, PROBE)
    texts: list[str] = []
    started, failed = process_time(), False
    try:
        peak = peak_bytes(lambda: texts.append(run(html)))
    except Exception:
        peak, failed = 0, True
    seconds = process_time() - started
    text = " ".join("".join(texts).split())
    found = "error" if failed else "found" if FIRST in text and LAST in text else "lost"
    return Extraction(outcome=found, seconds=seconds, peak=peak or 0, size=byte_size(html))


def main(order: str) -> None:
    """Run the task of the parent process, and print the outcome."""
    task = json.loads(order)
    options: tuple[tuple[str, Value], ...] = tuple(map(tuple, task["options"]))
    contender = Contender(task["name"], options, is_peer=task["is_peer"])
    limit(task["seconds"], task["gigabytes"] * GIGABYTE)
    print(json.dumps(asdict(extract_here(contender, trap=task["trap"], size=task["size"]))))


if __name__ == "__main__":
    main(sys.argv[1])
