"""The benchmarks ``engines`` and ``shared``: processor time, pages and tables."""

import os
import subprocess
import sys
import time
from collections import Counter

import pytest

from benchmarks.batch import CpuClock, sample_memory
from benchmarks.corpus import Page
from benchmarks.engines import EngineRun, engines_table
from benchmarks.shared_crawl import GROUP, SharedCrawl, shared_crawl_table, shared_pages

# A process whose child uses half a second, is not waited for, and ends.
BUSY = """\
import signal, subprocess, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
burn = "import time\\nwhile time.process_time() < 0.5: pass\\ntime.sleep(1)"
subprocess.Popen([sys.executable, "-c", burn])
print("started", flush=True)
sys.stdin.read()
"""


def test_clock_counts_processes_that_nobody_waits_for() -> None:
    clock = CpuClock()
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-W", "ignore", "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        clock.sample(process.pid)
        start = time.monotonic()
        seconds = 0.0
        while seconds < 0.4 and time.monotonic() < start + 60:
            time.sleep(0.05)
            clock.sample(process.pid)
            seconds = clock.between(start, time.monotonic())
        # Samples after the end of the child still count it.
        time.sleep(1.5)
        clock.sample(process.pid)
        assert clock.between(start, time.monotonic()) >= seconds >= 0.4
        process.stdin.close()


def test_memory_of_python_and_that_of_other_programs_are_apart() -> None:
    before, _ = sample_memory(os.getpid())
    with subprocess.Popen(["sleep", "60"]) as process:  # noqa: S607
        python, others = sample_memory(os.getpid())
        process.kill()
    assert python >= 0.5 * before > 1_000_000
    assert others > 100_000


def test_ratios_are_those_to_the_first_engine() -> None:
    runs = [
        EngineRun(name="multiprocessing", pages=100, seconds=10, cpu=8),
        EngineRun(name="Spark", pages=100, seconds=20, cpu=10),
    ]
    assert [row[1:6] for row in engines_table(runs).rows] == [
        ["10.0", "10.0", "1.00", "80.0", "1.00"],
        ["20.0", "5.0", "0.50", "100.0", "0.80"],
    ]


def test_shared_pages_lead_to_all_and_each_tenth_has_the_text_of_the_one_before() -> None:
    pages = shared_pages(25)
    linked = {n for n in range(25) if any(f'"/{n}"' in page for page in pages)}
    assert linked == {*range(2, 25)}
    texts = [page.partition("<ul>")[0] for page in pages]
    assert texts[GROUP - 2] == texts[GROUP - 1]
    assert len({*texts}) == 25 - 25 // GROUP


def test_table_of_shared_crawls_counts_missing_and_repeated_pages() -> None:
    crawl = SharedCrawl(
        name="2 processes",
        pages=4,
        seconds=2,
        timed=4,
        cpu=0.1,
        found=Counter({0: 1, 1: 2, 3: 1}),
        lost=1,
        duplicates=1,
        across=1,
        shares=[1, 3],
    )
    (row,) = shared_crawl_table([crawl]).rows
    assert row[1:] == ["2.0", "2.0", "1.00", "25.0", "4", "1", "1", "1", "1", "1", "3, 1"]


def test_stages_add_up_and_scale_to_a_month() -> None:
    pytest.importorskip("pyarrow")
    from benchmarks.stages import MONTH_PAGE_BYTES, MONTH_PAGES, measure_stages

    page = Page(id="1", url=None, type=None, html="<p>One two three.</p>" * 50, text="")
    rows = {row[0]: row for row in measure_stages([page], count=30).rows}
    milliseconds = [float(row[1]) for row in rows.values() if row[1]]
    assert sum(milliseconds[:6]) == pytest.approx(milliseconds[6], abs=0.01)
    note = next(name for name in rows if name.startswith("("))
    packed = 1000 * float(note.partition("pages, ")[2].split()[0])
    hours = milliseconds[6] / 3_600_000 * MONTH_PAGES * MONTH_PAGE_BYTES / packed
    assert float(rows["all"][4].replace(",", "")) == pytest.approx(hours, rel=0.2)
