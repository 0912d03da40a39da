"""One extraction of a hostile page in a process of its own, which it may hang or bring down.

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
    """What came of one page: ``outcome`` is found, lost, error, crash or hang."""

    outcome: str
    seconds: float = 0.0
    peak: int = 0
    size: int = 0


def sized_page(trap: str, size: int) -> str:
    """Make a hostile page of about so many bytes, whatever its characters take."""
    html = hostile_page(trap, size)
    written = byte_size(html)
    return html if written < 1.5 * size else hostile_page(trap, size * size // written)


def limit(seconds: int, memory: int) -> None:
    """End this process after some more seconds of its own time; refuse it some more memory."""
    spent = int(process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, spent + seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def extract_here(contender: Contender, *, trap: str, size: int) -> Extraction:
    """Extract once, after a small page that everything is imported for."""
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
    """Do what the other process asks for, and print what came of it."""
    task = json.loads(order)
    options: tuple[tuple[str, Value], ...] = tuple(map(tuple, task["options"]))
    contender = Contender(task["name"], options, is_peer=task["is_peer"])
    limit(task["seconds"], task["gigabytes"] * GIGABYTE)
    print(json.dumps(asdict(extract_here(contender, trap=task["trap"], size=task["size"]))))


if __name__ == "__main__":
    main(sys.argv[1])
