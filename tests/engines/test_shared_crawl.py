"""Several processes of the example project on one frontier in Redis."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from testkit.commands import scrapy
from testkit.engines import need_engine
from testkit.processes import DEADLINE, wait_until
from testkit.redis_server import client, redis_server
from testkit.server import Reply, Site, page

pytestmark = pytest.mark.engines
ROOT = Path(__file__).parents[2]
PAGES = 120
CONCURRENT = 8
SETTINGS = {
    "ROBOTSTXT_OBEY": "0",
    "DOWNLOAD_DELAY": "0",
    "CONCURRENT_REQUESTS": str(CONCURRENT),
    "CONCURRENT_REQUESTS_PER_DOMAIN": str(CONCURRENT),
    "MAX_IDLE_TIME_BEFORE_CLOSE": "5",
    "TELNETCONSOLE_ENABLED": "0",
    "REMOTE_CONTROL_ENABLED": "0",
    "LOG_LEVEL": "INFO",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    need_engine("scrapy_redis", "redis-server")
    with redis_server(tmp_path) as url:
        yield url


def html(number: int) -> bytes:
    """Return a page that links to others; each tenth one has the text of the one before."""
    story = number - (number % 10 == 9)
    words = " ".join(f"word{story}x{n}" for n in range(100))
    links = "".join(
        f'<a href="/{n}">{n}</a>' for n in (2 * number + 1, 2 * number + 2) if n < PAGES
    )
    return page(f"{words}.").replace(b"</body>", links.encode() + b"</body>") + links.encode()


@pytest.fixture
def pages(site: Site) -> Site:
    for number in range(PAGES):
        site.add(f"/{number}", Reply(html(number)))
    return site


class Process:
    """A process of the shared crawl, with its files in a folder."""

    def __init__(self, folder: Path, url: str, number: int) -> None:
        options = [part for item in SETTINGS.items() for part in ("-s", "=".join(item))]
        self.log = folder / f"{number}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [
                    *(sys.executable, "-m", "scrapy", "crawl", "redis-news", *options),
                    *("-s", f"REDIS_URL={url}"),
                ],
                cwd=folder,
                env={
                    **os.environ,
                    "SCRAPY_SETTINGS_MODULE": "news.shared_settings",
                    "PYTHONPATH": os.pathsep.join([str(ROOT / "example_project"), str(ROOT)]),
                },
                stderr=log,
            )

    def finish(self) -> None:
        assert self.process.wait(2 * DEADLINE) == 0, self.log.read_text()
        errors = re.findall(r"^.* ERROR: .*$", self.log.read_text(), re.MULTILINE)
        assert errors == []


Start = Callable[[int], list[Process]]


@pytest.fixture
def start(server: str, tmp_path: Path) -> Iterator[Start]:
    """Start processes of a crawl; kill those that are left at the end."""
    started: list[Process] = []

    def start_some(number: int) -> list[Process]:
        new = [Process(tmp_path, server, len(started) + place) for place in range(number)]
        started.extend(new)
        return new

    yield start_some
    for process in started:
        process.process.kill()
        process.process.wait(DEADLINE)


def items(folder: Path) -> list[dict[str, Any]]:
    files = folder.glob("articles-*.jsonl")
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def numbers(found: list[dict[str, Any]]) -> Counter[int]:
    return Counter(int(urlsplit(item["url"]).path[1:]) for item in found)


@pytest.mark.parametrize("processes", [2, 4])
def test_every_page_is_crawled_once(
    processes: int, pages: Site, server: str, start: Start, tmp_path: Path
) -> None:
    redis = client(server)
    redis.lpush("news:start_urls", f"{pages.url}/0", json.dumps({"url": f"{pages.url}/1"}))
    for crawl in start(processes):
        crawl.finish()
    found = items(tmp_path)
    assert numbers(found) == Counter(range(PAGES))
    assert all(item["article_text"] for item in found)
    # Of each pair with the same text, one is a duplicate, whichever process came first.
    duplicates = [item for item in found if "duplicate_of" in item]
    pairs = Counter(number // 10 for number in numbers(duplicates))
    assert pairs == Counter(range(PAGES // 10))
    stats = redis.hgetall("redis-news:stats")
    assert int(stats[b"cetr/pages"]) == PAGES
    assert int(stats[b"cetr/milliseconds"]) > 0
    redis.close()
    files = [file.name for file in tmp_path.glob("report-*.json.gz")]
    done = scrapy("cetr", "--merge-reports", *files, "--report", "all.html", folder=tmp_path)
    assert f"report on {PAGES} pages of {len(files)} processes" in done.stderr


def test_killed_process_loses_no_more_than_it_had_in_hand(
    pages: Site, server: str, start: Start, tmp_path: Path
) -> None:
    redis = client(server)
    redis.lpush("news:start_urls", f"{pages.url}/0")
    crawls = start(2)
    wait_until(lambda: len(pages.hits) > PAGES // 4)
    crawls[0].process.kill()
    crawls[0].process.wait(DEADLINE)
    crawls[1].finish()
    requested = {int(path[1:]) for path in pages.hits if path[1:].isdigit()}
    known = redis.scard("redis-news:dupefilter")
    # Every URL that was seen was requested, but those in hand of the killed process.
    assert known - len(requested) <= CONCURRENT
    # The guide's way to get the rest.
    got = {*numbers(items(tmp_path))}
    missing = [f"{pages.url}/{number}" for number in range(PAGES) if number not in got]
    redis.delete("redis-news:dupefilter")
    if missing:
        redis.lpush("news:start_urls", *missing)
    (last,) = start(1)
    last.finish()
    assert {*numbers(items(tmp_path))} == {*range(PAGES)}
    redis.close()
