"""Crawls with CETR_WORKERS: failing pages, killed processes, Ctrl-C."""

import logging
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from testkit.processes import DEADLINE, Script, is_worker, wait_until, workers_of
from testkit.server import TEXT, Reply, Site, crawl, page, spider_of

EACH_LOOP = pytest.mark.parametrize(
    "where", ["asyncio", pytest.param("reactorless", marks=pytest.mark.slow)]
)


def marked(site: Site, *markers: str) -> list[str]:
    return [site.add(f"/{marker}", Reply(page(marker))) for marker in markers]


@deferred_f_from_coro_f
async def test_workers_end_with_the_crawl(site: Site, leaves_nothing: None) -> None:
    seen: list[int] = []

    def parse(response: Response) -> Any:
        seen.extend(workers_of(os.getpid()))
        yield {"url": response.url}

    urls = [site.add(f"/{n}") for n in range(10)]
    crawled = await crawl(spider_of(*urls, parse=parse), CETR_WORKERS=2)
    assert [item["article_text"] for item in crawled.items] == [TEXT] * 10
    assert 1 <= len(set(seen)) <= 2
    assert crawled.cetr("pages", "errors") == (10, None)


@deferred_f_from_coro_f
async def test_crawl_without_pages_starts_no_workers(site: Site, leaves_nothing: None) -> None:
    seen: list[int] = []

    def parse(response: Response) -> Any:
        seen.extend(workers_of(os.getpid()))

    url = site.add("/1", Reply(b"{}", type="application/json"))
    await crawl(spider_of(url, parse=parse), CETR_WORKERS=2)
    assert seen == []


@deferred_f_from_coro_f
async def test_pages_that_hang_or_fail_lose_only_their_own_text(
    site: Site, traps: str, leaves_nothing: None, caplog: pytest.LogCaptureFixture
) -> None:
    bad = marked(site, "HANG", "DIE", "FAIL")
    good = marked(site, *"abcdef")
    crawled = await crawl(spider_of(*bad, *good), CETR_WORKERS=2, CETR_TIMEOUT=3)
    assert sorted(item["url"] for item in crawled.items) == sorted(bad + good)
    assert {item["url"] for item in crawled.items if item["article_text"]} == set(good)
    assert crawled.cetr("pages", "extracted", "errors", "errors/WorkerError") == (9, 6, 3, 3)
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert {record.getMessage() for record in errors} == {
        f"Cannot extract {bad[0]}: took more than 3 seconds (CETR_TIMEOUT)",
        f"Cannot extract {bad[1]}: the worker process ended unexpectedly",
        f"Cannot extract {bad[2]}: ZeroDivisionError: a page that fails",
    }
    assert not any(record.exc_info for record in errors)


@deferred_f_from_coro_f
async def test_killed_workers_lose_only_the_text_of_their_pages(
    site: Site, traps: str, leaves_nothing: None
) -> None:
    good = marked(site, *"abcdef")
    (bad,) = marked(site, "HANG")

    def kill() -> None:
        wait_until(Path(traps, "sitecustomize.py.hangs").exists)
        for pid in workers_of(os.getpid()):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    crawled = await crawl(spider_of(bad, *good), CETR_WORKERS=1, CETR_TIMEOUT=20)
    killer.join()
    assert sorted(item["url"] for item in crawled.items) == sorted([bad, *good])
    assert sum(item["article_text"] == "" for item in crawled.items) == 1
    assert crawled.cetr("pages", "errors/WorkerError") == (7, 1)


@EACH_LOOP
def test_ctrl_c_ends_a_crawl_without_losing_items(site: Site, tmp_path: Path, where: str) -> None:
    going_on = threading.Event()

    def reply() -> Reply:
        if len(site.hits) > 8:
            going_on.wait(DEADLINE)
        return Reply()

    urls = [site.add(f"/{n}", reply) for n in range(100)]
    with Script(
        tmp_path,
        *urls,
        CETR_WORKERS=2,
        CONCURRENT_REQUESTS_PER_DOMAIN=4,
        TWISTED_REACTOR_ENABLED=where == "asyncio",
    ) as script:
        wait_until(lambda: len(site.hits) >= 10)
        workers = wait_until(lambda: workers_of(script.process.pid))
        script.interrupt()
        wait_until(lambda: "Send again to force" in script.log)
        assert all(is_worker(pid) for pid in workers)
        going_on.set()
        stats = script.stats()
    assert stats["finish_reason"] == "shutdown"
    assert 10 <= len(site.hits) < 100
    assert sorted(item["url"] for item in script.items) == sorted(site.url + h for h in site.hits)
    assert {item["article_text"] for item in script.items} == {TEXT}
    assert "Traceback" not in script.log
    assert not any(is_worker(pid) for pid in workers)


def test_workers_end_if_their_crawl_is_killed(site: Site, tmp_path: Path) -> None:
    held = threading.Event()

    def reply() -> Reply:
        held.wait(DEADLINE)
        return Reply()

    urls = [*(site.add(f"/{n}") for n in range(5)), site.add("/held", reply)]
    with Script(tmp_path, *urls, CETR_WORKERS=2) as script:
        workers = wait_until(lambda: workers_of(script.process.pid))
        wait_until(lambda: "/held" in site.hits)
        script.kill()
    held.set()
    wait_until(lambda: not any(is_worker(pid) for pid in workers))


def test_worker_ends_in_the_middle_of_a_page_if_its_crawl_is_killed(
    site: Site, tmp_path: Path, traps: str
) -> None:
    with Script(tmp_path, *marked(site, "HANG"), path=traps, CETR_WORKERS=1) as script:
        wait_until(Path(traps, "sitecustomize.py.hangs").exists)
        workers = workers_of(script.process.pid)
        script.kill()
    assert len(workers) == 1
    wait_until(lambda: not any(is_worker(pid) for pid in workers))


@EACH_LOOP
def test_second_ctrl_c_does_not_wait_for_pages(
    site: Site, tmp_path: Path, traps: str, where: str
) -> None:
    urls = [site.add(f"/{n}", Reply(page("HANG"))) for n in range(4)]
    with Script(
        tmp_path,
        *urls,
        path=traps,
        CETR_WORKERS=1,
        CETR_TIMEOUT=600,
        TWISTED_REACTOR_ENABLED=where == "asyncio",
    ) as script:
        wait_until(Path(traps, "sitecustomize.py.hangs").exists)
        workers = workers_of(script.process.pid)
        assert len(workers) == 1
        script.interrupt()
        wait_until(lambda: "Send again to force" in script.log)
        script.interrupt()
        # Each of the pages would take ten minutes.
        script.process.wait(DEADLINE)
    wait_until(lambda: not any(is_worker(pid) for pid in workers))
