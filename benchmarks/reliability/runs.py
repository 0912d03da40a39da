"""Long runs: memory, open files and processes after the warm-up and at the end."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.crawl import ADDON
from benchmarks.crawl_process import resident_bytes
from benchmarks.crawl_server import generated_pages, serving
from benchmarks.errors import BenchmarkError
from benchmarks.speed import MEGABYTE
from benchmarks.table import Table

# The first fifth of a run is its warm-up, in which caches and the allocator grow.
WARM_UP = 5
SAMPLES = 50
HEADERS = (
    *("run", "pages", "articles", "MB warm", "MB late", "files warm", "files late"),
    *("workers late", "workers started"),
)
PAGE_SIZE, DIFFERENT_PAGES = 20_000, 100


@dataclass(frozen=True, kw_only=True)
class Run:
    """The resources of a run: the maximum until after its warm-up, and in its last fifth."""

    name: str
    pages: int
    articles: int
    warm: int
    late: int
    files_warm: int
    files_late: int
    processes_late: int
    processes_started: int


class Watch:
    """Samples the resources of this process."""

    def __init__(self, pages: int) -> None:
        self.every = max(1, pages // SAMPLES)
        self.resident: list[int] = []
        self.files: list[int] = []
        self.children: list[set[int]] = []

    def sample(self, number: int) -> None:
        """Sample memory, open files and children at regular page numbers."""
        if number % self.every == 0:
            self.resident.append(resident_bytes())
            self.files.append(len(list(Path("/proc/self/fd").iterdir())))
            self.children.append(children())

    def run(self, name: str, *, pages: int, articles: int) -> Run:
        """Return the maxima of the warm-up and of the last fifth."""
        fifth = max(1, len(self.resident) // WARM_UP)
        return Run(
            name=name,
            pages=pages,
            articles=articles,
            warm=max(self.resident[: 2 * fifth]),
            late=max(self.resident[-fifth:]),
            files_warm=max(self.files[: 2 * fifth]),
            files_late=max(self.files[-fifth:]),
            processes_late=max(map(len, self.children[-fifth:])),
            processes_started=len(set().union(*self.children)),
        )


def children() -> set[int]:
    """Return the ids of the running child processes of all threads."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for listed in lists for pid in listed.read_text().split()}


def extract_pages(count: int) -> Run:
    """Extract ``count`` pages in a fresh process."""
    return _in_process({"extractions": count})


def crawl_pages(count: int, *, workers: int) -> Run:
    """Crawl ``count`` pages in a fresh process."""
    with serving(generated_pages(count=DIFFERENT_PAGES, size=PAGE_SIZE)) as site:
        return _in_process({"crawl": count, "workers": workers, "site": site})


def _in_process(task: dict[str, Any]) -> Run:
    command = [sys.executable, "-m", "benchmarks.reliability.runs", json.dumps(task)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BenchmarkError(f"a run failed: {done.stderr.strip().splitlines()[-1:]}")
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def extract_here(count: int) -> Run:
    """Extract pages, including hostile ones, with all methods in turn."""
    from scrapy_cetr.extraction import METHODS, extract
    from testkit.hostile import TRAPS, hostile_page

    pages = generated_pages(count=DIFFERENT_PAGES, size=PAGE_SIZE)
    pages += [hostile_page(trap, PAGE_SIZE) for trap in TRAPS]
    watch, articles = Watch(count), 0
    work = zip(cycle(pages), cycle(METHODS), strict=False)
    for number, (html, method) in enumerate(islice(work, count), 1):
        articles += bool(extract(html, method=method).text)
        watch.sample(number)
    return watch.run("extractions", pages=count, articles=articles)


def crawl_here(count: int, *, site: str, workers: int) -> Run:
    """Crawl pages, and sample this process at their items."""
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess

    from benchmarks.crawl_process import PageSpider

    watch, numbers = Watch(count), {"items": 0, "articles": 0}

    def scraped(item: dict[str, Any]) -> None:
        numbers["items"] += 1
        numbers["articles"] += bool(item.get("article_text"))
        watch.sample(numbers["items"])

    class OnePass(PageSpider):
        """Requests each page once and follows nothing."""

        def parse(self, response: scrapy.http.Response) -> Any:
            yield {"url": response.url}

    settings = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0}
    process = AsyncCrawlerProcess({**settings, **ADDON, "CETR_WORKERS": workers})
    crawler = process.create_crawler(OnePass)
    crawler.signals.connect(scraped, signals.item_scraped)
    process.crawl(crawler, site=site, pages=count)
    process.start()
    return watch.run(
        f"crawl, workers {workers}", pages=numbers["items"], articles=numbers["articles"]
    )


def runs_table(runs: list[Run]) -> Table:
    """Show the resources of each run after its warm-up and at its end."""
    rows = [
        [
            run.name,
            str(run.pages),
            str(run.articles),
            f"{run.warm / MEGABYTE:.1f}",
            f"{run.late / MEGABYTE:.1f}",
            *map(str, (run.files_warm, run.files_late, run.processes_late, run.processes_started)),
        ]
        for run in runs
    ]
    return Table(HEADERS, rows, name_columns=1)


def main(task: dict[str, Any]) -> None:
    """Run the task of the parent process."""
    if "extractions" in task:
        run = extract_here(task["extractions"])
    else:
        run = crawl_here(task["crawl"], site=task["site"], workers=task["workers"])
    print(json.dumps(asdict(run)))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
