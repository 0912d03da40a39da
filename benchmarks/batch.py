"""Times ``scrapy cetr`` on a folder of stored pages, next to the command of trafilatura."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter

from benchmarks.errors import BenchmarkError
from benchmarks.table import ABSENT, Table

MEGABYTE = 1_000_000
# Seconds between two samples of the memory.
_TICK = 0.1
# Folders with many files are slow to list on some file systems.
_FILES_PER_FOLDER = 1000


@dataclass(kw_only=True)
class BatchRun:
    """One run of a command: seconds, processor time, and samples of resident memory in bytes."""

    name: str
    pages: int
    seconds: float = 0.0
    main_cpu: float = 0.0
    workers_cpu: float = 0.0
    main: list[int] = field(default_factory=list)
    workers: list[int] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds


def write_pages(pages: Iterable[str], folder: Path, *, count: int) -> None:
    """Write pages as files, repeated until there are ``count``."""
    known = list(pages)
    if not known:
        raise BenchmarkError("the corpora have no pages")
    for number, html in enumerate(islice(cycle(known), count)):
        inside = folder / f"{number // _FILES_PER_FOLDER:03d}"
        inside.mkdir(exist_ok=True)
        (inside / f"{number:06d}.html").write_text(html, encoding="utf-8", errors="replace")


def measure_batches(
    pages: Iterable[str], *, count: int, jobs: Sequence[int], peer: bool = True
) -> Iterator[BatchRun]:
    """Run each command on the same files, one after the other; ``peer`` includes trafilatura."""
    with TemporaryDirectory(prefix="scrapy-cetr-") as name:
        folder = Path(name)
        stored = folder / "stored"
        stored.mkdir()
        write_pages(pages, stored, count=count)
        for number in jobs:
            run = BatchRun(name=f"scrapy cetr --jobs {number}", pages=count)
            output = ("-o", f"{number}.jsonl", "--fields", "text")
            _measure(run, ("scrapy", "cetr", "stored", *output, "--jobs", str(number)), folder)
            _check(run, (folder / f"{number}.jsonl").read_bytes().count(b"\n"))
            yield run
        if peer and find_spec("trafilatura") is not None:
            number = max(jobs)
            run = BatchRun(name=f"trafilatura --parallel {number}", pages=count)
            words = ("trafilatura.cli", "--input-dir", "stored", "--output-dir", "texts")
            _measure(run, (*words, "--parallel", str(number)), folder)
            yield run


def _check(run: BatchRun, rows: int) -> None:
    if rows != run.pages:
        raise BenchmarkError(f"{run.name} wrote {rows} rows for {run.pages} pages")


def _measure(run: BatchRun, words: Sequence[str], folder: Path) -> None:
    """Run a module, and sample the memory of its process and of those below it."""
    started, cpu = perf_counter(), _cpu_of_children()
    log = folder / "log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors
        ) as process,
    ):
        while True:
            try:
                process.wait(_TICK)
                break
            except subprocess.TimeoutExpired:
                run.main_cpu = _cpu(process.pid) or run.main_cpu
                run.main.append(_resident(process.pid))
                run.workers.append(sum(map(_resident, _descendants(process.pid))))
    run.seconds = perf_counter() - started
    run.workers_cpu = max(_cpu_of_children() - cpu - run.main_cpu, 0.0)
    # 1: some pages could not be extracted.
    if process.returncode not in (0, 1):
        says = log.read_text(errors="replace").strip().rpartition("\n")[2]
        raise BenchmarkError(f"{run.name} failed with exit code {process.returncode}: {says}")


def sample_memory(pid: int) -> tuple[int, int]:
    """Return the resident memory of a process and of all below it, in bytes.

    That of Python comes first, then that of other programs, such as a JVM, which decides itself
    how much memory it takes before it collects garbage.
    """
    sizes = [(_is_python(found), _resident(found)) for found in (pid, *_descendants(pid))]
    python = sum(size for is_python, size in sizes if is_python)
    return python, sum(size for _, size in sizes) - python


def _is_python(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/exe").readlink().name.startswith("python")
    except OSError:
        return False


def _resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(sizes[0]) * 1024 if sizes else 0


def _descendants(pid: int) -> Iterator[int]:
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from _descendants(child)


def _cpu(pid: int) -> float:
    """Return the processor time of a process in seconds; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class CpuClock:
    """Samples the processor time of a process and of all below it, those that have ended too.

    A process that no other waits for is not part of the usual sums. What a process uses after its
    last sample is missing.
    """

    def __init__(self) -> None:
        self._known: dict[int, float] = {}
        self._samples: list[tuple[float, float]] = []

    def sample(self, pid: int) -> None:
        """Add a sample."""
        for found in (pid, *_descendants(pid)):
            self._known[found] = max(_cpu(found), self._known.get(found, 0.0))
        self._samples.append((monotonic(), sum(self._known.values())))

    def between(self, start: float, stop: float) -> float:
        """Return the seconds that were used between two times of the monotonic clock."""
        return self._at(stop) - self._at(start)

    def _at(self, time: float) -> float:
        """Return the seconds up to the sample that is nearest to a time."""
        return min(self._samples, key=lambda sample: abs(sample[0] - time))[1]


def _cpu_of_children() -> float:
    """Return the processor time of all processes below this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def batch_table(runs: Sequence[BatchRun]) -> Table:
    """Make a table of runs; the ratio is that of the rate to the first run's.

    Early memory is the mean over the second fifth of a run, late memory over the last fifth. The
    peak is that of all processes together.
    """
    headers = [
        *("command", "seconds", "pages/s", "ratio", "main CPU s", "workers CPU s"),
        *("main MB early", "main MB late", "workers MB early", "workers MB late", "peak MB"),
    ]
    rows = [
        [
            run.name,
            f"{run.seconds:.1f}",
            f"{run.rate:.1f}",
            f"{run.rate / runs[0].rate:.2f}",
            f"{run.main_cpu:.1f}",
            f"{run.workers_cpu:.1f}",
            *early_and_late(run.main),
            *early_and_late(run.workers),
            _megabytes(map(sum, zip(run.main, run.workers, strict=True))),
        ]
        for run in runs
    ]
    return Table(headers, rows, name_columns=1)


def early_and_late(samples: Sequence[int]) -> tuple[str, str]:
    """Format the means over the second and the last fifth.

    >>> early_and_late([10_000_000, 90_000_000, 0, 0, 100_000_000])
    ('90', '100')
    """
    fifth = len(samples) // 5
    if not fifth:
        return ABSENT, ABSENT
    early, late = samples[fifth : 2 * fifth], samples[-fifth:]
    return _megabytes([round(fmean(early))]), _megabytes([round(fmean(late))])


def _megabytes(sizes: Iterable[int]) -> str:
    """Format the largest of some sizes."""
    largest = max(sizes, default=0)
    return f"{largest / MEGABYTE:.0f}" if largest else ABSENT
