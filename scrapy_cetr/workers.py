"""A pool of processes that extract pages beside the crawl."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, NamedTuple, cast

from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.worker import READY, read_answer, write_request

Answer = tuple[Article, float]

# A worker is replaced after so many pages, so that no leak anywhere can add up.
PAGES_PER_WORKER = 1000
# A process that has not even begun after so many seconds never will.
START_SECONDS = 60.0


class WorkerError(Exception):
    """A page that a worker could not extract; other pages are not concerned."""


class WorkerPool:
    """Processes, made when first needed, each with a thread here that waits for its answers."""

    def __init__(self, size: int, *, timeout: float, attributes: Sequence[str] = ()) -> None:
        self._size = size
        self._timeout = timeout
        self._attributes = attributes
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        # Not an executor, for whose pages a second Ctrl-C would have to wait.
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._workers: set[Worker] = set()
        self._closed = threading.Event()

    async def extract(self, html: str, *, url: str | None, options: Options) -> Answer:
        """Extract a page in a worker, and say how many seconds it took there."""
        if self._closed.is_set():
            raise WorkerError("the crawl is over")
        task = _Task(html, url, options, Future())
        if self._idle.acquire(blocking=False) or len(self._threads) == self._size:
            self._tasks.put(task)
        else:
            thread = threading.Thread(target=self._run, args=(task,), daemon=True)
            self._threads.append(thread)
            thread.start()
        return await _result(task.future)

    def _run(self, task: _Task | None) -> None:
        """Work off tasks in a thread, with a worker of its own."""
        _keep_ctrl_c_from_workers()
        worker: Worker | None = None
        while task is not None:
            answer: Answer | Exception | None = None
            if task.future.set_running_or_notify_cancel():
                try:
                    worker = self._fresh(worker)
                    answer = worker.extract(
                        *task[:3], attributes=self._attributes, timeout=self._timeout
                    )
                except Exception as error:
                    answer = error
            # Idle before it is told, so that the next page finds this thread and needs no other.
            self._idle.release()
            if isinstance(answer, Exception):
                task.future.set_exception(answer)
            elif answer is not None:
                task.future.set_result(answer)
            task = self._tasks.get()

    def _fresh(self, worker: Worker | None) -> Worker:
        """Replace a worker that is spent."""
        if worker is not None and not worker.spent:
            return worker
        if worker is not None:
            self._workers.discard(worker)
            worker.close()
        if self._closed.is_set():
            raise WorkerError("the crawl is over")
        worker = Worker()
        self._workers.add(worker)
        # Asked again, because the pool may have been closed meanwhile, without this worker.
        if self._closed.is_set():
            worker.close()
        return worker

    def close(self) -> None:
        """End all workers; what they are at is lost."""
        self._closed.set()
        for _ in self._threads:
            self._tasks.put(None)
        for worker in tuple(self._workers):
            worker.close()


class _Task(NamedTuple):
    html: str
    url: str | None
    options: Options
    future: Future[Answer]


class Worker:
    """One process, asked one page at a time."""

    def __init__(self) -> None:
        # Not multiprocessing, which runs a user's script again that has no __main__ guard; in a
        # session of its own, because Ctrl-C is for the crawl and not for its workers.
        self._process = subprocess.Popen(
            # -P: what lies in the current folder is not imported if the crawl would not.
            [sys.executable, "-P", "-m", "scrapy_cetr.extraction.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": _python_path()},
            start_new_session=True,
        )
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)
        self._pages = 0
        self._timed_out = False
        self._ready = False

    @property
    def spent(self) -> bool:
        """Whether the process has died or done its share."""
        return self._pages >= PAGES_PER_WORKER or self._process.poll() is not None

    def extract(
        self,
        html: str,
        url: str | None,
        options: Options,
        *,
        timeout: float,
        attributes: Sequence[str] = (),
    ) -> Answer:
        """Extract a page; a process that takes too long is killed."""
        self._pages += 1
        try:
            if not self._ready:
                # Its start does not count, which can take longer than any page may.
                with self._watched(max(timeout, START_SECONDS)):
                    self._ready = any(line.endswith(READY) for line in self._answers)
            with self._watched(timeout):
                write_request(self._requests, html, url=url, options=options, attributes=attributes)
                return read_answer(self._answers)
        except RuntimeError as error:
            raise WorkerError(str(error)) from error
        except Exception as error:
            self.close()
            reason = f"took over {timeout} seconds" if self._timed_out else "its worker died"
            raise WorkerError(reason) from error

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[None]:
        watchdog = threading.Timer(seconds, self._kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()

    def _kill(self) -> None:
        self._timed_out = True
        self._process.kill()

    def close(self) -> None:
        """End the process and the pipes to it."""
        self._process.kill()
        self._process.wait()
        self._answers.close()
        # What the process has not read any more cannot be flushed either.
        with suppress(OSError):
            self._requests.close()


def _keep_ctrl_c_from_workers() -> None:
    """Let no process that this thread starts ever see one.

    A session of its own comes too late for a Ctrl-C that finds it just forked.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _python_path() -> str:
    """Let a worker import what the crawl can import."""
    return os.pathsep.join(str(folder) or str(Path.cwd()) for folder in sys.path)


async def _result(future: Future[Answer]) -> Answer:
    """Wait for a thread under any reactor, and without one."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor

    deferred: Deferred[Answer] = Deferred()
    future.add_done_callback(lambda done: reactor.callFromThread(_fire, deferred, done))
    return await deferred


def _fire(deferred: Deferred[Answer], future: Future[Answer]) -> None:
    error = future.exception()
    if error is None:
        deferred.callback(future.result())
    else:
        deferred.errback(error)
