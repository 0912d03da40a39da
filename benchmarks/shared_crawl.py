"""Crawls local pages with one and with several processes of scrapy-redis on one frontier."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from benchmarks.batch import CpuClock
from benchmarks.crawl_server import serving
from benchmarks.errors import BenchmarkError
from benchmarks.growth import make_vocabulary, sentence
from benchmarks.table import Table
from testkit.redis_server import client, redis_server

_ROOT = Path(__file__).parents[1]
# Of each so many pages, the last one has the text of the one before.
GROUP = 10
_PARAGRAPHS = 30
CONCURRENT = 16
# Seconds without a request after which a process ends; they do not count.
_IDLE = 40
_TICK = 0.1
_SETTINGS = {
    "ROBOTSTXT_OBEY": 0,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": CONCURRENT,
    "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENT,
    "MAX_IDLE_TIME_BEFORE_CLOSE": _IDLE,
    "TELNETCONSOLE_ENABLED": 0,
    "REMOTE_CONTROL_ENABLED": 0,
    "LOG_LEVEL": "INFO",
}


@dataclass(frozen=True, kw_only=True)
class SharedCrawl:
    """One crawl: the items of each page, near-duplicates, and the share of each process.

    ``seconds`` are those between the first item of the last process to begin and the last item of
    all, ``timed`` the items that came in them, and ``cpu`` the processor time of the processes.
    ``lost`` URLs count as seen, but have no item.
    """

    name: str
    pages: int
    seconds: float
    timed: int
    cpu: float
    found: Counter[int]
    lost: int
    duplicates: int
    across: int
    shares: Sequence[int]

    @property
    def rate(self) -> float:
        """Items per second while all processes crawl."""
        return self.timed / self.seconds


def shared_pages(count: int) -> list[str]:
    """Make pages that link to two others, so that the first two lead to all."""
    return [_page(number, count=count) for number in range(count)]


def _page(number: int, *, count: int) -> str:
    story = number - (number % GROUP == GROUP - 1)
    chance = random.Random(story)  # noqa: S311 - made-up words, not a secret
    vocabulary = make_vocabulary(chance)
    text = "".join(f"<p>{sentence(chance, vocabulary)}</p>" for _ in range(_PARAGRAPHS))
    following = range(2 * number + 2, min(2 * number + 4, count))
    links = "".join(f'<li><a href="/{other}">Page {other}</a></li>' for other in following)
    return f"<html><body><article>{text}</article><ul>{links}</ul></body></html>"


def measure_shared_crawls(*, count: int, processes: Sequence[int]) -> Iterator[SharedCrawl]:
    """Crawl with each number of processes, and with two, one of which is killed."""
    pages = shared_pages(count)
    with serving(pages) as site:
        for number in processes:
            yield _measure(site, count=count, processes=number, kill=False)
        yield _measure(site, count=count, processes=2, kill=True)


def _measure(site: str, *, count: int, processes: int, kill: bool) -> SharedCrawl:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="scrapy-cetr-")))
        url = stack.enter_context(redis_server(folder))
        redis = client(url)
        stack.callback(redis.close)
        crawls = [_start(folder, url, number) for number in range(processes)]
        for crawl in crawls:
            stack.callback(_end, crawl)
        # The processes are idle until there is a URL: their start-up does not count.
        _wait(lambda: all(_is_open(folder, number) for number in range(processes)))
        if any(crawl.poll() is not None for crawl in crawls):
            raise BenchmarkError("a process ended before there was a URL: the machine is too busy")
        redis.lpush("news:start_urls", f"{site}/0", f"{site}/1")
        # An idle process looks for requests every few seconds, so they do not begin together.
        _wait(lambda: len(_files(folder)) == processes or not _any_runs(crawls))
        progress = _Progress(redis, crawls)
        if kill:
            _wait(lambda: progress.items() > count // 4)
            crawls[0].send_signal(signal.SIGKILL)
        seconds, timed, cpu = progress.until_last()
        codes = [crawl.wait() for crawl in crawls[kill:]]
        if any(codes):
            raise BenchmarkError(f"a crawl failed: {_log(folder, codes.index(max(codes)) + kill)}")
        name = f"{processes} processes, one killed" if kill else f"{processes} processes"
        found = _crawl(
            name,
            folder,
            pages=count,
            seen=redis.scard("redis-news:dupefilter"),
            seconds=seconds,
            timed=timed,
            cpu=cpu,
        )
        # Without this, a process that did nothing would look like a gain or a loss.
        if len(found.shares) < processes:
            raise BenchmarkError(
                f"{name}: only {len(found.shares)} of them had pages; crawl more pages"
            )
        return found


def _start(folder: Path, url: str, number: int) -> subprocess.Popen[bytes]:
    settings = {**_SETTINGS, "REDIS_URL": url}
    options = [part for key, value in settings.items() for part in ("-s", f"{key}={value}")]
    paths = os.pathsep.join([str(_ROOT / "example_project"), str(_ROOT)])
    with (folder / f"{number}.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "scrapy", "crawl", "redis-news", *options],
            cwd=folder,
            env={
                **os.environ,
                "SCRAPY_SETTINGS_MODULE": "news.shared_settings",
                "PYTHONPATH": paths,
            },
            stderr=log,
        )


def _end(crawl: subprocess.Popen[bytes]) -> None:
    crawl.kill()
    crawl.wait()


def _log(folder: Path, number: int) -> str:
    return (folder / f"{number}.log").read_text(errors="replace")[-2000:]


def _is_open(folder: Path, number: int) -> bool:
    return "Spider opened" in (folder / f"{number}.log").read_text(errors="replace")


def _wait(condition: Any) -> None:
    end = time.monotonic() + 300
    while not condition():
        if time.monotonic() > end:
            raise BenchmarkError("the crawl has not begun, or does not go on")
        time.sleep(_TICK)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("articles-*.jsonl"))


def _any_runs(crawls: Sequence[subprocess.Popen[bytes]]) -> bool:
    return any(crawl.poll() is None for crawl in crawls)


class _Progress:
    """The number of items of all processes, which they count in Redis.

    The files of items tell it too late: a process writes the last ones when it ends.
    """

    def __init__(self, redis: Any, crawls: Sequence[subprocess.Popen[bytes]]) -> None:
        self._redis = redis
        self._crawls = crawls
        self._clock = CpuClock()
        self._sample()
        self._begin = time.monotonic()
        self._before = self.items()

    def items(self) -> int:
        return int(self._redis.hget("redis-news:stats", "item_scraped_count") or 0)

    def until_last(self) -> tuple[float, int, float]:
        """Wait for the processes.

        Return the seconds up to the last item, the items in them, and their processor time.
        """
        known, changed = self._before, self._begin
        while _any_runs(self._crawls):
            self._sample()
            now = self.items()
            if now != known:
                known, changed = now, time.monotonic()
            time.sleep(_TICK)
        seconds = max(changed - self._begin, _TICK)
        return seconds, known - self._before, self._clock.between(self._begin, changed)

    def _sample(self) -> None:
        for crawl in self._crawls:
            self._clock.sample(crawl.pid)


def _crawl(
    name: str, folder: Path, *, pages: int, seen: int, seconds: float, timed: int, cpu: float
) -> SharedCrawl:
    by_page: dict[int, int] = {}
    found: Counter[int] = Counter()
    twins: list[tuple[int, int]] = []
    shares = []
    for process, file in enumerate(_files(folder)):
        lines = file.read_bytes().splitlines(keepends=True)
        shares.append(len(lines))
        for line in lines:
            if not line.endswith(b"\n"):
                continue
            item = json.loads(line)
            number = _number(item["url"])
            found[number] += 1
            by_page[number] = process
            if "duplicate_of" in item:
                twins.append((number, _number(item["duplicate_of"])))
    across = sum(by_page.get(one) != by_page.get(other) for one, other in twins)
    return SharedCrawl(
        name=name,
        pages=pages,
        seconds=seconds,
        timed=timed,
        cpu=cpu,
        found=found,
        lost=seen - len(found),
        duplicates=len(twins),
        across=across,
        shares=shares,
    )


def _number(url: str) -> int:
    return int(urlsplit(url).path[1:])


def shared_crawl_table(crawls: Sequence[SharedCrawl]) -> Table:
    """Make a table of crawls; the ratio is that of the rate to the first crawl's.

    Pages are missing that a killed process had in hand (lost), and those to which only these link.
    """
    headers = [
        *("crawl", "seconds", "pages/s", "ratio", "CPU ms/page"),
        *("pages", "missing", "lost", "twice"),
        *("near-duplicates", "of other processes", "pages per process"),
    ]
    rows = [
        [
            crawl.name,
            f"{crawl.seconds:.1f}",
            f"{crawl.rate:.1f}",
            f"{crawl.rate / crawls[0].rate:.2f}",
            f"{1000 * crawl.cpu / max(crawl.timed, 1):.1f}",
            str(crawl.pages),
            str(crawl.pages - len(crawl.found)),
            str(crawl.lost),
            str(sum(number > 1 for number in crawl.found.values())),
            str(crawl.duplicates),
            str(crawl.across),
            ", ".join(map(str, sorted(crawl.shares, reverse=True))),
        ]
        for crawl in crawls
    ]
    return Table(headers, rows, name_columns=1)
