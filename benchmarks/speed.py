"""Time and memory that contenders take for the same pages."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from statistics import fmean, median
from time import perf_counter

from benchmarks.contenders import PROBE, Contender, Extractor, extractor
from benchmarks.corpus import Corpus
from benchmarks.memory import in_fresh_process, peak_bytes
from benchmarks.progress import progress
from benchmarks.table import ABSENT, Table

MEGABYTE = 1_000_000

HEADERS = (
    "corpus",
    "contender",
    "ms/page",
    "median",
    "p99",
    "MB/s",
    "peak MB",
    "pages",
    "failures",
)


@dataclass(kw_only=True)
class Timing:
    """The seconds that a contender took for each page, and the number of pages it failed on."""

    contender: Contender
    seconds: list[float] = field(default_factory=list)
    failures: int = 0


@dataclass(frozen=True, kw_only=True)
class CorpusSpeed:
    """The measurements of all contenders on a corpus; sizes and peaks are in bytes."""

    corpus: str
    size: int
    timings: Sequence[Timing]
    peaks: Sequence[int | None]


def measure_corpus(
    corpus: Corpus,
    *,
    contenders: Sequence[Contender],
    repeat: int,
    seed: int,
    force_progress: bool = False,
) -> CorpusSpeed:
    """Measure the time and the memory of all contenders on a corpus, with a progress bar."""
    pages = [page.html for page in corpus.pages()]
    shown = progress(pages, total=len(pages), name=corpus.name, force=force_progress)
    return CorpusSpeed(
        corpus=corpus.name,
        size=sum(map(byte_size, pages)),
        timings=time_pages(
            shown, warm_up=pages[0], contenders=contenders, repeat=repeat, seed=seed
        ),
        peaks=[in_fresh_process(peak_over_pages, contender, pages) for contender in contenders],
    )


def time_pages(
    pages: Iterable[str], *, warm_up: str, contenders: Sequence[Contender], repeat: int, seed: int
) -> list[Timing]:
    """Time the contenders page by page in random order, so that noise affects all of them."""
    shuffler = random.Random(seed)  # noqa: S311 - an order of measuring, not a secret
    timings = [Timing(contender=contender) for contender in contenders]
    runs = [extractor(contender) for contender in contenders]
    for run in runs:
        time_page(run, warm_up)
    for page in pages:
        results: list[list[tuple[float, bool]]] = [[] for _ in runs]
        for _ in range(repeat):
            for index in shuffler.sample(range(len(runs)), len(runs)):
                results[index].append(time_page(runs[index], page))
        for timing, page_results in zip(timings, results, strict=True):
            timing.seconds.append(median(seconds for seconds, _ in page_results))
            timing.failures += any(failed for _, failed in page_results)
    return timings


def time_page(run: Extractor, html: str) -> tuple[float, bool]:
    """Return the seconds that a page takes, and whether it fails."""
    failed = False
    start = perf_counter()
    try:
        run(html)
    except Exception:
        failed = True
    return perf_counter() - start, failed


def peak_over_pages(contender: Contender, pages: Sequence[str]) -> int | None:
    """Return the peak memory over all pages, without that of the pages and the contender."""
    run = extractor(contender)
    time_page(run, PROBE)  # Imports at the first call are no memory of a page.
    return peak_bytes(partial(run_over, run, pages))


def run_over(run: Extractor, pages: Iterable[str]) -> None:
    """Extract all pages, and keep nothing."""
    for html in pages:
        time_page(run, html)


def speed_rows(speed: CorpusSpeed) -> list[list[str]]:
    """Return a row per contender, with its time as a multiple of each peer's."""
    peer_means = [fmean(peer.seconds) for peer in speed.timings if peer.contender.is_peer]
    rows = []
    for timing, peak in zip(speed.timings, speed.peaks, strict=True):
        mean = fmean(timing.seconds)
        times = (mean, median(timing.seconds), percentile(timing.seconds, 99))
        rows.append(
            [
                speed.corpus,
                timing.contender.label,
                *(f"{seconds * 1000:.2f}" for seconds in times),
                f"{speed.size / MEGABYTE / sum(timing.seconds):.2f}",
                ABSENT if peak is None else f"{peak / MEGABYTE:.1f}",
                str(len(timing.seconds)),
                str(timing.failures),
                *(f"{mean / peer_mean:.2f}" for peer_mean in peer_means),
            ]
        )
    return rows


def speed_table(rows: Sequence[Sequence[str]], contenders: Sequence[Contender]) -> Table:
    """Make the table of all corpora, with a column per peer."""
    ratios = [f"× {contender.label}" for contender in contenders if contender.is_peer]
    return Table([*HEADERS, *ratios], rows, name_columns=2)


def percentile(figures: Sequence[float], percent: int) -> float:
    """Return the smallest figure that at least ``percent`` percent of the figures do not exceed.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 50), percentile([4.0, 1.0, 3.0, 2.0], 99)
    (2.0, 4.0)
    """
    return sorted(figures)[ceil(len(figures) * percent / 100) - 1]


def byte_size(html: str) -> int:
    """Return the size of a page in bytes of UTF-8."""
    # JSON can hold lone surrogates.
    return len(html.encode("utf-8", "surrogatepass"))
