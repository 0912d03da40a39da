"""Crawls in other processes, their workers, and pages that hang or end a worker."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

# Seconds; much more than any test takes, as the machine may be busy.
DEADLINE = 90.0

SCRIPT = """\
import json, sys
import scrapy
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess

# Scrapy checks at this interval, in seconds, whether start items are done.
ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.1
task = json.loads(sys.argv[1])

class PageSpider(scrapy.Spider):
    name = "pages"

    async def start(self):
        for start in task["starts"]:
            yield scrapy.Request(start) if isinstance(start, str) else start

    def parse(self, response):
        yield {"url": response.url}

kind = AsyncCrawlerProcess if task["async"] else CrawlerProcess
process = kind({"ADDONS": {"scrapy_cetr.Addon": 500}, "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False, "LOG_LEVEL": "INFO",
    "FEEDS": {task["feed"]: {"format": "jsonlines"}}, **task["settings"]})
crawler = process.create_crawler(PageSpider)
process.crawl(crawler)
process.start()
print(json.dumps({k: v for k, v in crawler.stats.get_stats().items() if "time" not in k}))
"""


class Script:
    """A crawl in another process, run by a script without a main guard.

    Its spider requests the URLs that it starts with, and yields the items.
    """

    def __init__(
        self,
        folder: Path,
        *starts: str | dict[str, str],
        runs_async: bool = True,
        path: str = "",
        **settings: Any,
    ) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "crawl.py").write_text(SCRIPT)
        self._feed = folder / "items.jsonl"
        self._log = folder / "crawl.log"
        task = {
            "starts": starts,
            "async": runs_async,
            "feed": str(self._feed),
            "settings": settings,
        }
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-W", "error::ResourceWarning", "crawl.py", json.dumps(task)],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def interrupt(self) -> None:
        """Send SIGINT to the process group, as a terminal does at Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)

    def stats(self) -> dict[str, Any]:
        """Wait until the crawl has ended without an error, and return the statistics."""
        out, _ = self.process.communicate(timeout=DEADLINE)
        assert self.process.returncode == 0, self.log
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=DEADLINE)

    @property
    def items(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._feed.read_text().splitlines()]

    @property
    def log(self) -> str:
        return self._log.read_text()


def wait_until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds that another process or thread brings about."""
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < end, "the condition was not met in time"
        time.sleep(0.01)
    return found


def workers_of(pid: int) -> list[int]:
    """Return the process ids of the workers of a crawl."""
    return [child for child, parent in _parents() if parent == pid and is_worker(child)]


def is_worker(pid: int) -> bool:
    """Return whether a process is alive and a worker."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return re.search(rb"scrapy_cetr\.extraction\.(batch\.)?worker", command) is not None


def _parents() -> Sequence[tuple[int, int]]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found.append((int(status.parent.name), int(fields[1])))
    return found


TRAPS = """\
import os, sys, time
if {"scrapy_cetr.extraction.worker", "scrapy_cetr.extraction.batch.worker"} & {*sys.orig_argv}:
    from scrapy_cetr.extraction import article
    extract_article = article.extract_article

    def trapped(html, **options):
        if "HANG" in html:
            open(__file__ + ".hangs", "w").close()
            while True:
                time.sleep(1)
        if "DIE" in html:
            os._exit(1)
        if "EAT" in html:
            return bytearray(1 << 40)
        if "GROW" in html:
            eaten = []
            while True:
                eaten.append(bytes(20_000_000))
        if "SLOW" in html:
            time.sleep(0.05)
        if "FAIL" in html:
            raise ZeroDivisionError("a page that fails")
        return extract_article(html, **options)

    article.extract_article = trapped
"""


def write_traps(folder: Path) -> str:
    """Make pages with HANG, DIE, GROW or FAIL do so in workers that have this folder in sys.path.

    A page that hangs creates the file ``sitecustomize.py.hangs`` first.
    """
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(TRAPS)
    return str(folder)
