"""The cost of the plugin in a crawl: the same crawl with and without it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from benchmarks.crawl_process import Crawled
from benchmarks.errors import BenchmarkError
from benchmarks.speed import MEGABYTE
from benchmarks.table import ABSENT, Table

HEADERS = (
    "crawl",
    "pages/s",
    "of without",
    "articles",
    "longest stall ms",
    "RSS MB early",
    "RSS MB late",
)
ADDON = {"ADDONS": {"scrapy_cetr.Addon": 500}}
WITHOUT = "without"


def crawl_variants(workers: Sequence[int]) -> dict[str, Mapping[str, Any]]:
    """Return the settings of the crawls to compare, by their names."""
    with_workers = {f"workers={n}": {**ADDON, "CETR_WORKERS": n} for n in workers}
    return {WITHOUT: {}, **with_workers}


def run_crawl(site: str, *, pages: int, settings: Mapping[str, Any]) -> Crawled:
    """Crawl in a fresh process."""
    order = json.dumps({"site": site, "pages": pages, "settings": settings})
    command = [sys.executable, "-m", "benchmarks.crawl_process", order]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BenchmarkError(f"a crawl failed: {done.stderr.strip().splitlines()[-1:]}")
    return Crawled(**json.loads(done.stdout))


def crawl_table(crawls: Mapping[str, Sequence[Crawled]]) -> Table:
    """Compare every crawl with the one without the plugin, by the median of the repetitions."""
    speeds = {name: median(c.pages / c.seconds for c in runs) for name, runs in crawls.items()}
    rows = [
        [
            name,
            f"{speeds[name]:.0f}",
            f"{speeds[name] / speeds[WITHOUT]:.0%}",
            f"{runs[-1].articles}/{runs[-1].pages}",
            f"{median(c.stall for c in runs) * 1000:.0f}",
            *early_and_late(runs[-1].resident or ()),
        ]
        for name, runs in crawls.items()
    ]
    return Table(HEADERS, rows, name_columns=1)


def early_and_late(resident: Sequence[int]) -> tuple[str, str]:
    """Return the mean memory in the second and in the last fifth of a crawl, in MB."""
    fifth = len(resident) // 5
    if not fifth:
        return ABSENT, ABSENT
    early, late = resident[fifth : 2 * fifth], resident[-fifth:]
    return f"{fmean(early) / MEGABYTE:.1f}", f"{fmean(late) / MEGABYTE:.1f}"
