"""Worker and WorkerPool: extraction in other processes, and their failures."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import extract
from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.html.decoding import EncodedPage
from scrapy_cetr.extraction.worker import make_request
from scrapy_cetr.workers import Worker, WorkerError, WorkerPool
from testkit.processes import wait_until, workers_of
from testkit.server import page

# Worker


@pytest.fixture
def worker(leaves_nothing: None) -> Iterator[Worker]:
    made = Worker()
    assert made.start()
    yield made
    made.close()


def ask(worker: Worker, html: str) -> Any:
    worker.send(make_request(html, url="http://example.com", options=Options()))
    return worker.receive()


def test_worker_extracts_as_the_library_does(worker: Worker) -> None:
    found, seconds, _ = ask(worker, page().decode())
    assert found == extract(page(), url="http://example.com")
    assert 0 < seconds < 10


@pytest.mark.parametrize("html", ["", "\x00", "a\ud800b", "<p>漢字 🙂", "x" * 1_000_000])
def test_worker_receives_any_text(worker: Worker, html: str) -> None:
    assert ask(worker, html)[0] == extract(html, url="http://example.com")


@pytest.mark.parametrize("charset", [None, "utf-8", "cp1251", "no-charset"])
def test_worker_decodes_pages_as_the_library_does(worker: Worker, charset: str | None) -> None:
    encoded = EncodedPage("<p>Рыбаки вернулись в порт поздно вечером.".encode("cp1251"), charset)
    worker.send(make_request(encoded, url=None, options=Options()))
    assert worker.receive()[0].text == extract(encoded.decode()).text


def test_worker_answers_in_the_order_of_the_pages(worker: Worker) -> None:
    # More than a pipe holds, in both directions.
    texts = [f"{number} " + "words " * 50_000 for number in range(4)]
    for text in texts:
        worker.send(make_request(f"<p>{text}", url=None, options=Options()))
    assert worker.unanswered == 4
    assert [worker.receive()[0].text for _ in texts] == [text.strip() for text in texts]
    assert worker.unanswered == 0


def test_worker_survives_an_extraction_error(traps: str, worker: Worker) -> None:
    with pytest.raises(WorkerError, match="ZeroDivisionError: a page that fails"):
        ask(worker, "FAIL")
    assert not worker.is_spent
    assert ask(worker, "<p>good")[0].text == "good"


def test_worker_that_ends_is_spent(traps: str, worker: Worker) -> None:
    with pytest.raises(EOFError):
        ask(worker, "DIE")
    wait_until(lambda: worker.is_spent)


def test_worker_that_was_killed_while_idle_is_spent(worker: Worker) -> None:
    ask(worker, "<p>good")
    worker._process.kill()
    wait_until(lambda: worker.is_spent)


def test_worker_can_be_closed_twice(worker: Worker) -> None:
    worker.close()
    worker.close()
    assert worker.is_spent


def at_start(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Make workers run some code when they start."""
    folder.joinpath("sitecustomize.py").write_text(code)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


async def answer_of_a_worker(*, timeout: float = 30) -> str:
    with closing(WorkerPool(1, timeout=timeout)) as pool:
        found, _, _ = await pool.extract("<p>words", url=None, options=Options())
    return found.text


@pytest.mark.parametrize("code", ["print('hello')", "print('hello', end='')"])
@deferred_f_from_coro_f
async def test_worker_output_before_its_start_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None, code: str
) -> None:
    at_start(tmp_path, monkeypatch, code)
    assert await answer_of_a_worker(timeout=5) == "words"


@deferred_f_from_coro_f
async def test_worker_start_does_not_count_for_the_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    at_start(tmp_path, monkeypatch, "import time; time.sleep(1.5)")
    assert await answer_of_a_worker(timeout=1) == "words"


@deferred_f_from_coro_f
async def test_worker_that_never_starts_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    at_start(tmp_path, monkeypatch, "import time; time.sleep(100)")
    monkeypatch.setattr("scrapy_cetr.workers.START_SECONDS", 0.3)
    with pytest.raises(WorkerError, match="took more than"):
        await answer_of_a_worker(timeout=0.1)


@deferred_f_from_coro_f
async def test_worker_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    (tmp_path / "turbohtml.py").write_text("raise SystemExit('a file of the user')")
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    monkeypatch.chdir(tmp_path)
    assert await answer_of_a_worker() == "words"


@deferred_f_from_coro_f
async def test_worker_accepts_path_objects_in_sys_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves_nothing: None
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path])
    assert await answer_of_a_worker() == "words"


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
            found, _, _ = await pool.extract("<p>words", url=None, options=Options())
            assert found.text == "words"
            seen += workers_of(os.getpid())
    assert len(seen) == 8
    assert len(set(seen)) == 4


@deferred_f_from_coro_f
async def test_pool_kills_a_worker_after_the_timeout(traps: str, leaves_nothing: None) -> None:
    with closing(WorkerPool(1, timeout=1)) as pool:
        await pool.extract("<p>good", url=None, options=Options())
        with pytest.raises(WorkerError, match=r"took more than 1 seconds \(CETR_TIMEOUT\)"):
            await pool.extract("HANG", url=None, options=Options())
        found, _, _ = await pool.extract("<p>good", url=None, options=Options())
    assert found.text == "good"


@pytest.mark.parametrize(
    ("bad", "reason"), [("HANG", "took more than"), ("DIE", "ended unexpectedly"), ("FAIL", "Zero")]
)
@deferred_f_from_coro_f
async def test_bad_page_costs_no_page_that_was_sent_after_it(
    traps: str, leaves_nothing: None, bad: str, reason: str
) -> None:
    pages = ["<p>0", bad, "<p>2", "<p>3", bad, bad, "<p>6"]
    with closing(WorkerPool(1, timeout=1)) as pool:
        asked = [
            asyncio.ensure_future(pool.extract(html, url=None, options=Options())) for html in pages
        ]
        found = await asyncio.gather(*asked, return_exceptions=True)
    texts = {n: answer[0].text for n, answer in enumerate(found) if isinstance(answer, tuple)}
    assert texts == {0: "0", 2: "2", 3: "3", 6: "6"}
    assert all(reason in str(found[number]) for number in (1, 4, 5))


@deferred_f_from_coro_f
async def test_pool_replaces_a_worker_that_was_killed_while_idle(pool: WorkerPool) -> None:
    await pool.extract("<p>words", url=None, options=Options())
    (worker,) = workers_of(os.getpid())
    os.kill(worker, signal.SIGKILL)
    # Until all of its threads have ended, and not only the first; its exit code is left.
    os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)
    found, _, _ = await pool.extract("<p>more words", url=None, options=Options())
    assert found.text == "more words"


@deferred_f_from_coro_f
async def test_pool_that_cannot_start_processes_fails_the_page(
    leaves_nothing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with closing(WorkerPool(1, timeout=1)) as pool:
        for _ in range(2):
            with pytest.raises(WorkerError, match="worker processes cannot be started"):
                await pool.extract("<p>words", url=None, options=Options())


@deferred_f_from_coro_f
async def test_worker_ignores_ctrl_c(pool: WorkerPool) -> None:
    # A Ctrl-C reaches a worker between its fork and the creation of its session.
    await pool.extract("<p>words", url=None, options=Options())
    (worker,) = workers_of(os.getpid())
    os.kill(worker, signal.SIGINT)
    found, _, _ = await pool.extract("<p>more words", url=None, options=Options())
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


@deferred_f_from_coro_f
async def test_closing_a_pool_fails_pages_of_a_worker_that_has_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: WorkerPool
) -> None:
    started = tmp_path / "started"
    at_start(tmp_path, monkeypatch, f"import time; open({str(started)!r}, 'w'); time.sleep(100)")
    asked = [
        asyncio.ensure_future(pool.extract("<p>words", url=None, options=Options()))
        for _ in range(5)
    ]
    while not started.exists():
        await asyncio.sleep(0.01)
    pool.close()
    found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 10)
    assert [str(error) for error in found] == ["the crawl has ended"] * 5
