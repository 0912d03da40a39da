"""The time and memory until the first page is extracted, compared with Scrapy alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.errors import BenchmarkError
from benchmarks.speed import MEGABYTE
from benchmarks.table import Table
from testkit.recorded import SITE

HEADERS = ("process", "seconds", "more seconds", "RSS MB", "more MB")
PAGE = SITE / "news" / "harbour-bridge.html"

_SCRAPY = """\
import scrapy.core.engine, scrapy.core.scraper
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.core.downloader.handlers import http11
from scrapy.http import HtmlResponse
with open(sys.argv[1], "rb") as file:
    response = HtmlResponse("https://news.example/", body=file.read(), encoding="utf-8")
title = response.css("title::text").get()
"""
_ADDON = "import scrapy_cetr.addon\n"
_FIRST_PAGE = """\
from scrapy_cetr import article
article(response).kind
"""
_MEASURED = """\
import json, sys
from time import perf_counter
start = perf_counter()
{code}
seconds = perf_counter() - start
with open("/proc/self/statm") as statm:
    pages = int(statm.read().split()[1])
import resource
print(json.dumps([seconds, pages * resource.getpagesize()]))
"""
# The first is what the others are compared with.
PROCESSES = {
    "Scrapy": _SCRAPY,
    "with the plugin": _SCRAPY + _ADDON,
    "and its first page": _SCRAPY + _ADDON + _FIRST_PAGE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The seconds that a process took, and its resident memory in bytes after them."""

    seconds: float
    resident: int


def measure_starts(*, repeat: int) -> dict[str, list[Start]]:
    """Start each process several times, in turn."""
    starts: dict[str, list[Start]] = {name: [] for name in PROCESSES}
    for _ in range(repeat):
        for name, code in PROCESSES.items():
            starts[name].append(measure_start(code))
    return starts


def measure_start(code: str) -> Start:
    """Run some code in a process of its own."""
    command = [sys.executable, "-c", _MEASURED.format(code=code), str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BenchmarkError(f"a process failed: {done.stderr.strip().splitlines()[-1:]}")
    seconds, resident = json.loads(done.stdout)
    return Start(seconds=seconds, resident=resident)


def start_table(starts: dict[str, list[Start]]) -> Table:
    """Compare the processes with the first, by the medians of the repetitions."""
    seconds = {name: median(run.seconds for run in runs) for name, runs in starts.items()}
    memory = {name: median(run.resident for run in runs) for name, runs in starts.items()}
    first = next(iter(starts))
    rows: Sequence[Sequence[str]] = [
        [
            name,
            f"{seconds[name]:.3f}",
            f"{seconds[name] - seconds[first]:.3f}",
            f"{memory[name] / MEGABYTE:.1f}",
            f"{(memory[name] - memory[first]) / MEGABYTE:.1f}",
        ]
        for name in starts
    ]
    return Table(HEADERS, rows, name_columns=1)
