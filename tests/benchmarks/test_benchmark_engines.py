"""The benchmarks ``engines`` and ``shared``: processor time, pages and tables."""

import subprocess
import sys
import time
from collections import Counter

from benchmarks.batch import CpuClock
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
