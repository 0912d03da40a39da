"""A pool of worker processes that extract pages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from typing import NamedTuple

from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.extraction.worker import read_answer, write_request
from scrapy_cetr.extraction.worker_process import WorkerProcess, block_ctrl_c

# An article, the seconds that its extraction took, and what a memory can learn from the page.
Answer = tuple[Article, float, Observation | None]

# Workers are replaced after this many pages, which bounds memory leaks of any library.
PAGES_PER_WORKER = 1000
# A worker that is not ready after this many seconds is killed.
START_SECONDS = 60.0


class WorkerError(Exception):
    """A worker could not extract a page. Other pages are not affected."""


class WorkerPool:
    """A pool of at most ``size`` workers, each with a thread that waits for its answers.

    Workers are started when they are first needed.
    """

    def __init__(self, size: int, *, timeout: float, attributes: Sequence[str] = ()) -> None:
        self._size = size
        self._timeout = timeout
        self._attributes = attributes
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        # Daemon threads instead of an executor, for whose tasks a second Ctrl-C would wait.
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._workers: set[Worker] = set()
        self._closed = threading.Event()

    async def extract(
        self,
        html: str,
        *,
        url: str | None,
        options: Options,
        rule: PageRule | None = None,
        site: SiteMemory | None = None,
    ) -> Answer:
        """Extract a page in a worker; return the article and the seconds it took there."""
        if self._closed.is_set():
            raise WorkerError("the crawl has ended")
        # As bytes, because the memory may change before the page is sent.
        known = site.to_bytes() if site is not None else None
        task = _Task(html, url, options, rule, known, Future())
        if self._idle.acquire(blocking=False) or len(self._threads) == self._size:
            self._tasks.put(task)
        else:
            thread = threading.Thread(target=self._run, args=(task,), daemon=True)
            self._threads.append(thread)
            thread.start()
        return await _result(task.future)

    def _run(self, task: _Task | None) -> None:
        """Process tasks with one worker; the target of each thread."""
        block_ctrl_c()
        worker: Worker | None = None
        while task is not None:
            answer: Answer | Exception | None = None
            if task.future.set_running_or_notify_cancel():
                try:
                    worker = self._usable(worker)
                    answer = worker.extract(
                        *task[:5], attributes=self._attributes, timeout=self._timeout
                    )
                except Exception as error:
                    answer = error
            # Idle before the result is set, so that the next page uses this thread, not a new one.
            self._idle.release()
            if isinstance(answer, Exception):
                task.future.set_exception(answer)
            elif answer is not None:
                task.future.set_result(answer)
            task = self._tasks.get()

    def _usable(self, worker: Worker | None) -> Worker:
        """Return the worker, or a new one if it is spent."""
        if worker is not None and not worker.spent:
            return worker
        if worker is not None:
            self._workers.discard(worker)
            worker.close()
        if self._closed.is_set():
            raise WorkerError("the crawl has ended")
        worker = Worker()
        self._workers.add(worker)
        # The pool may have been closed meanwhile, without this worker.
        if self._closed.is_set():
            worker.close()
        return worker

    def close(self) -> None:
        """Kill all workers. The pages that they are extracting fail."""
        self._closed.set()
        for _ in self._threads:
            self._tasks.put(None)
        for worker in tuple(self._workers):
            worker.close()


class _Task(NamedTuple):
    html: str
    url: str | None
    options: Options
    rule: PageRule | None
    site: bytes | None
    future: Future[Answer]


class Worker(WorkerProcess):
    """A worker process, which extracts one page at a time."""

    def __init__(self) -> None:
        super().__init__("scrapy_cetr.extraction.worker")
        self._pages = 0
        self._timed_out = False
        self._ready = False

    @property
    def spent(self) -> bool:
        """Whether the process has ended or has extracted PAGES_PER_WORKER pages."""
        return self._pages >= PAGES_PER_WORKER or self.has_ended

    def extract(
        self,
        html: str,
        url: str | None,
        options: Options,
        rule: PageRule | None = None,
        site: bytes | None = None,
        *,
        timeout: float,
        attributes: Sequence[str] = (),
    ) -> Answer:
        """Extract a page; kill the process if that takes longer than ``timeout`` seconds."""
        self._pages += 1
        try:
            if not self._ready:
                # The start of the process does not count; it may take longer than a page.
                with self._watched(max(timeout, START_SECONDS)):
                    self._ready = self.wait_until_ready()
            with self._watched(timeout):
                write_request(
                    self.requests,
                    html,
                    url=url,
                    options=options,
                    attributes=attributes,
                    rule=rule,
                    site=site,
                )
                return read_answer(self.answers)
        except RuntimeError as error:
            raise WorkerError(str(error)) from error
        except Exception as error:
            self.close()
            timed_out = f"took more than {timeout} seconds (CETR_TIMEOUT)"
            reason = timed_out if self._timed_out else "the worker process ended unexpectedly"
            raise WorkerError(reason) from error

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[None]:
        watchdog = threading.Timer(seconds, self._time_out)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()

    def _time_out(self) -> None:
        self._timed_out = True
        self.kill()


async def _result(future: Future[Answer]) -> Answer:
    """Wait for the future of a thread, with any reactor and without one."""
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
