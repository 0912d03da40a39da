"""Measures rendered pages: ``python -m benchmarks.rendering COMMAND``.

``stamping`` measures what stamps cost in a browser, ``time`` what reading them and CLG cost, and
``site`` what the bundled site gives with its style sheet and with others, and ``forged`` time and
memory of pages with stamps that no browser has written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.corpus import open_corpus
from benchmarks.memory import in_fresh_process, peak_bytes
from benchmarks.progress import progress
from benchmarks.styled import site_table
from benchmarks.table import Table, as_markdown
from scrapy_cetr.extraction.analysis import analyse
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.stamps import has_stamps, without_stamps
from scrapy_cetr.rendering.chromium import Chromium
from testkit.forged import FORGED

if TYPE_CHECKING:
    from playwright.sync_api import Page

_REPEATS = 3
# Characters of forged pages.
_SIZES = (500_000, 2_000_000, 11_000_000)


@dataclass
class Stamping:
    """The time of the stamping in seconds, and the size of the HTML with and without stamps."""

    seconds: float
    stamped: int
    plain: int


class TimedChromium(Chromium):
    """A browser that stamps each page several times, and notes the shortest time."""

    seconds = 0.0

    def _stamp(self, page: Page) -> str:
        self.seconds = float("inf")
        problem = ""
        for _ in range(_REPEATS):
            began = perf_counter()
            problem = super()._stamp(page)
            self.seconds = min(self.seconds, perf_counter() - began)
        return problem


def measure_stamping(path: Path, limit: int) -> Iterator[Stamping]:
    """Render the pages of a corpus, without network, and measure those that are stamped."""
    corpus = open_corpus(path, limit=limit)
    with TimedChromium(offline=True) as browser:
        for page in progress(corpus.pages(), total=len(corpus.chosen), name="rendering"):
            rendered = browser.render(page.html, url=page.url)
            if not rendered.problem:
                plain = len(without_stamps(rendered.html).encode())
                yield Stamping(browser.seconds, len(rendered.html.encode()), plain)


def stamping_table(found: Sequence[Stamping]) -> Table:
    """Summarise the stamping of pages."""
    seconds = np.array([one.seconds for one in found]) * 1000
    growth = np.array([one.stamped / one.plain - 1 for one in found])
    whole = sum(one.stamped for one in found) / sum(one.plain for one in found) - 1
    rows = [
        ["milliseconds", *(f"{np.percentile(seconds, share):.0f}" for share in (50, 95)), ""],
        [
            "larger HTML",
            *(f"{np.percentile(growth, share):.1%}" for share in (50, 95)),
            f"{whole:.1%}",
        ],
    ]
    return Table([f"{len(found)} pages", "median", "95 %", "all together"], rows, 1)


def time_table(path: Path, limit: int) -> Table:
    """Compare the CPU time of methods on stamped pages: reading and judging, the shortest of 5."""
    methods = ("coreex", "learned", "clg")
    times: dict[str, list[float]] = {method: [] for method in methods}
    for page in open_corpus(path, limit=limit).pages():
        if not has_stamps(page.html):
            continue
        for method in methods:
            times[method].append(_shortest(page.html, Options(method=method)))
    total = {method: sum(found) for method, found in times.items()}
    rows = [
        [method, f"{np.median(times[method]) * 1000:.1f}", f"{total[method] / total['coreex']:.2f}"]
        for method in methods
    ]
    return Table([f"{len(times['clg'])} pages", "median ms", "times coreex"], rows, 1)


def _shortest(html: str, options: Options, repeats: int = 5) -> float:
    found = []
    for _ in range(repeats):
        began = process_time()
        analyse(html, options=options)
        found.append(process_time() - began)
    return min(found)


def forged_table() -> Table:
    """Measure reading and judging forged pages of three sizes: CPU time, and memory per byte."""
    rows = []
    for trap in progress(FORGED, total=len(FORGED), name="forged pages"):
        found = [in_fresh_process(measure_forged, trap, size) for size in _SIZES]
        rows.append(
            [trap, *(f"{one[0]:.2f}" for one in found), *(f"{one[1]:.1f}" for one in found)]
        )
    millions = [f"{size / 1e6:g} MB" for size in _SIZES]
    columns = [f"{what}, {size}" for what in ("seconds", "memory") for size in millions]
    return Table(["forged page", *columns], rows, 1)


def measure_forged(trap: str, size: int) -> tuple[float, float]:
    """Return the CPU time of clg on a page, and the memory that it takes per byte."""
    options, html = Options(method="clg"), FORGED[trap](size)
    for one in (FORGED[trap](10_000), "<p>x</p>"):  # Triggers all imports.
        analyse(one, options=options)
    began = process_time()
    peak = peak_bytes(lambda: analyse(html, options=options))
    return process_time() - began, (peak or 0) / len(html)


def main() -> None:
    """Run a measurement, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rendering", description=__doc__)
    parser.add_argument("command", choices=("stamping", "time", "site", "forged"))
    parser.add_argument("corpus", nargs="?", type=Path, help="pages; stamped ones for time")
    parser.add_argument("--limit", type=int, default=300, help="pages to measure (default: 300)")
    arguments = parser.parse_args()
    if arguments.command == "site":
        table = site_table()
    elif arguments.command == "forged":
        table = forged_table()
    elif arguments.corpus is None:
        parser.error(f"{arguments.command} needs a corpus")
    elif arguments.command == "stamping":
        table = stamping_table(list(measure_stamping(arguments.corpus, arguments.limit)))
    else:
        table = time_table(arguments.corpus, arguments.limit)
    sys.stdout.write(f"{as_markdown(table)}\n")


if __name__ == "__main__":
    main()
