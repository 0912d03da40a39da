"""Worker and WorkerPool: extraction in other processes, and their failures."""

import asyncio
import io
import logging
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_twisted
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from scrapy_cetr import extract
from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.worker import (
    READY,
    read_answer,
    read_part,
    serve,
    write_message,
    write_request,
)
from scrapy_cetr.workers import Worker, WorkerError, WorkerPool
from testkit.server import (
    DEADLINE,
    TEXT,
    Reply,
    Script,
    Site,
    crawl,
    is_worker,
    page,
    spider_of,
    wait_until,
    workers_of,
)


def marked(site: Site, *markers: str) -> list[str]:
    return [site.add(f"/{marker}", Reply(page(marker))) for marker in markers]


def open_files() -> set[str]:
    """Return the names of the open pipes of this process; unlike numbers, they are not reused."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(link.readlink()))
        except OSError:
            continue  # the folder itself
    return {name for name in found if name.startswith("pipe:")}


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    """Check that no process, pipe or thread is left after the test."""
    from twisted.internet import reactor

    # The reactor opens pipes when it starts to run.
    pytest_twisted.blockon(deferLater(cast("IReactorTime", reactor), 0))
    before = open_files()
    yield
    assert workers_of(os.getpid()) == []
    assert open_files() <= before
    wait_until(lambda: not [t for t in threading.enumerate() if t.name.startswith("scrapy-cetr")])


# Worker


@pytest.fixture
def worker(leaves_nothing: None) -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


def ask(worker: Worker, html: str, *, timeout: float = 30) -> Any:
    return worker.extract(html, url="http://example.com", options=Options(), timeout=timeout)


def test_worker_extracts_as_the_library_does(worker: Worker) -> None:
    found, seconds = ask(worker, page().decode())
    assert found == extract(page(), url="http://example.com")
    assert 0 < seconds < 10


@pytest.mark.parametrize("html", ["", "\x00", "a\ud800b", "<p>漢字 🙂", "x" * 1_000_000])
def test_worker_receives_any_text(worker: Worker, html: str) -> None:
    assert ask(worker, html)[0] == extract(html, url="http://example.com")


def test_worker_survives_an_extraction_error(traps: str, worker: Worker) -> None:
    with pytest.raises(WorkerError, match="ZeroDivisionError: a page that fails"):
        ask(worker, "FAIL")
    assert not worker.spent
    assert ask(worker, "<p>good")[0].text == "good"


def test_worker_is_killed_after_the_timeout(traps: str, worker: Worker) -> None:
    ask(worker, "<p>good")
    with pytest.raises(WorkerError, match=r"took more than 0\.3 seconds"):
        ask(worker, "HANG", timeout=0.3)
    assert worker.spent


def test_worker_that_ends_raises_worker_error(traps: str, worker: Worker) -> None:
    with pytest.raises(WorkerError, match="the worker process ended unexpectedly"):
        ask(worker, "DIE")
    assert worker.spent


def test_worker_that_was_killed_while_idle_is_spent(worker: Worker) -> None:
    ask(worker, "<p>good")
    worker._process.kill()
    wait_until(lambda: worker.spent)


def test_worker_can_be_closed_twice(worker: Worker) -> None:
    worker.close()
    worker.close()
    assert worker.spent


def at_start(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Make workers run some code when they start."""
    folder.joinpath("sitecustomize.py").write_text(code)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


def answer_of_a_worker(*, timeout: float = 30) -> str:
    with closing(Worker()) as made:
        text: str = ask(made, "<p>words", timeout=timeout)[0].text
    return text


@pytest.mark.parametrize("code", ["print('hello')", "print('hello', end='')"])
def test_worker_output_before_its_start_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None, code: str
) -> None:
    at_start(tmp_path, monkeypatch, code)
    assert answer_of_a_worker(timeout=5) == "words"


def test_worker_start_does_not_count_for_the_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    at_start(tmp_path, monkeypatch, "import time; time.sleep(0.7)")
    assert answer_of_a_worker(timeout=0.5) == "words"


def test_worker_that_never_starts_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    at_start(tmp_path, monkeypatch, "import time; time.sleep(100)")
    monkeypatch.setattr("scrapy_cetr.workers.START_SECONDS", 0.3)
    with pytest.raises(WorkerError, match="took more than"):
        answer_of_a_worker(timeout=0.1)


def test_worker_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    (tmp_path / "turbohtml.py").write_text("raise SystemExit('a file of the user')")
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    monkeypatch.chdir(tmp_path)
    assert answer_of_a_worker() == "words"


def test_worker_accepts_path_objects_in_sys_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path])
    assert answer_of_a_worker() == "words"


# Messages


def test_message_is_read_as_written() -> None:
    stream = io.BytesIO()
    write_message(stream, b"", b"one", b"\x00" * 100_000)
    stream.seek(0)
    assert [read_part(stream) for _ in range(3)] == [b"", b"one", b"\x00" * 100_000]


@pytest.mark.parametrize("cut", [b"", b"\x00\x00", struct.pack(">Q", 5) + b"four"])
def test_truncated_message_raises_eof_error(cut: bytes) -> None:
    with pytest.raises(EOFError):
        read_part(io.BytesIO(cut))


def test_serve_answers_requests_until_they_end() -> None:
    requests, answers = io.BytesIO(), io.BytesIO()
    for method in ("cetr", "cetr-km"):
        write_request(requests, page().decode(), url=None, options=Options(method=method))
    write_request(requests, "<p>", url=None, options=Options())
    requests.truncate(len(requests.getvalue()) - 1)
    requests.seek(0)
    serve(requests, answers)
    answers.seek(0)
    assert [read_answer(answers)[0].method for _ in range(2)] == ["cetr", "cetr-km"]
    assert answers.read() == b""


def test_output_of_a_library_does_not_disturb_answers(tmp_path: Path) -> None:
    code = (
        "from scrapy_cetr.extraction import article, worker\n"
        "real = worker.extract_article\n"
        "def loud(html, **o):\n    print('loud')\n    return real(html, **o)\n"
        "worker.extract_article = loud\n"
        "worker.main()"
    )
    request = io.BytesIO()
    write_request(request, "<p>words", url=None, options=Options())
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], input=request.getvalue(), capture_output=True, check=True
    )
    answers = io.BytesIO(run.stdout)
    assert answers.readline() == READY
    assert read_answer(answers)[0].text == "words"
    assert answers.read() == b""
    assert run.stderr == b"loud\n"


# WorkerPool


@pytest.fixture
def pool(leaves_nothing: None) -> Iterator[WorkerPool]:
    made = WorkerPool(2, timeout=30)
    yield made
    made.close()


def test_pool_without_pages_starts_no_processes(pool: WorkerPool) -> None:
    assert workers_of(os.getpid()) == []


@deferred_f_from_coro_f
async def test_pool_starts_only_the_processes_it_needs(pool: WorkerPool) -> None:
    for _ in range(5):
        await pool.extract("<p>words", url=None, options=Options())
    assert 1 <= len(workers_of(os.getpid())) <= 2


@deferred_f_from_coro_f
async def test_pool_replaces_workers_after_pages_per_worker(
    leaves_nothing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_cetr.workers.PAGES_PER_WORKER", 2)
    seen: list[int] = []
    # One worker, because the distribution of pages over several is random.
    with closing(WorkerPool(1, timeout=30)) as pool:
        for _ in range(8):
            found, _ = await pool.extract("<p>words", url=None, options=Options())
            assert found.text == "words"
            seen += workers_of(os.getpid())
    assert len(seen) == 8
    assert len(set(seen)) == 4


@deferred_f_from_coro_f
async def test_worker_ignores_ctrl_c(pool: WorkerPool) -> None:
    # A Ctrl-C reaches a worker between its fork and the creation of its session.
    await pool.extract("<p>words", url=None, options=Options())
    (worker,) = workers_of(os.getpid())
    os.kill(worker, signal.SIGINT)
    found, _ = await pool.extract("<p>more words", url=None, options=Options())
    assert found.text == "more words"
    assert workers_of(os.getpid()) == [worker]


@deferred_f_from_coro_f
async def test_closed_pool_refuses_pages(pool: WorkerPool) -> None:
    await pool.extract("<p>words", url=None, options=Options())
    pool.close()
    with pytest.raises(WorkerError, match="the crawl has ended"):
        await pool.extract("<p>words", url=None, options=Options())


@deferred_f_from_coro_f
async def test_closing_a_pool_fails_its_pages(traps: str, pool: WorkerPool) -> None:
    pages = ["HANG", "HANG", "<p>words", "<p>words"]
    asked = [
        asyncio.ensure_future(pool.extract(html, url=None, options=Options())) for html in pages
    ]
    while not Path(traps, "sitecustomize.py.hangs").exists():
        await asyncio.sleep(0.01)
    pool.close()
    found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 10)
    assert [type(error) for error in found] == [WorkerError] * 4


# Crawls


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


@pytest.mark.parametrize("where", ["asyncio", "reactorless"])
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


@pytest.mark.parametrize("where", ["asyncio", "reactorless"])
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
