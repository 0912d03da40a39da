"""A pool of worker processes that extract pages."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from time import monotonic

from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.html.decoding import EncodedPage
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory
from scrapy_cetr.extraction.messages import write_message
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.extraction.worker import Request, make_request, read_answer
from scrapy_cetr.extraction.worker_process import WorkerProcess, start_thread

# An article, the seconds that its extraction took, and what a memory can learn from the page.
Answer = tuple[Article, float, Observation | None]

# Workers are replaced after this many pages, which bounds memory leaks of any library.
PAGES_PER_WORKER = 1000
# A worker that is not ready after this many seconds is killed.
START_SECONDS = 60.0
# Pages that a worker has been sent, so that it need not wait for the next one.
IN_FLIGHT = 2
# The seconds between two looks at the clock.
_WATCH_SECONDS = 0.05
# What reading and writing raise if the process is gone, or its pipes are closed.
_CLOSED = (OSError, ValueError)


class WorkerError(Exception):
    """A worker could not extract a page. Other pages are not affected."""


class WorkerPool:
    """A pool of at most ``size`` workers, each with a thread that sends it pages.

    Workers are started when they are first needed. One more thread kills those that take too long.
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
        self._lock = threading.Lock()  # of the workers and their deadlines
        self._closed = threading.Event()

    async def extract(
        self,
        page: str | EncodedPage,
        *,
        url: str | None,
        options: Options,
        rule: PageRule | None = None,
        site: SiteMemory | None = None,
    ) -> Answer:
        """Extract a page in a worker; return the article and the seconds it took there."""
        if self._closed.is_set():
            raise WorkerError("the crawl has ended")
        request = make_request(
            page,
            url=url,
            options=options,
            attributes=self._attributes,
            rule=rule,
            # As bytes, because the memory may change before the page is sent.
            site=site.to_bytes() if site is not None else None,
        )
        task = _Task(request)
        if not self._threads:
            _thread(self._watch)
        if not self._idle.acquire(blocking=False) and len(self._threads) < self._size:
            self._threads.append(_thread(self._run))
        self._tasks.put(task)
        return await _result(task.future)

    def _run(self) -> None:
        """Send pages to one worker after the other; the target of each thread."""
        pending: deque[_Task] = deque()
        worker: Worker | None = None
        while self._take(pending, worker):
            if worker is not None and not worker.unanswered and worker.is_spent:
                self._drop(worker)
                worker = None
            worker = worker or self._start(pending)
            if worker is not None:
                for task in islice(pending, worker.unanswered, None):
                    self._send(worker, task)
                found, is_usable = self._receive(worker)
                # Before the answer, so that nothing of the process is left when it is there.
                if not is_usable:
                    self._drop(worker)
                    worker = None
                self._finish(pending, found)
        if worker is not None:
            self._drop(worker)

    def _take(self, pending: deque[_Task], worker: Worker | None) -> bool:
        """Take pages, but wait for one only if there is nothing else to do.

        A worker that is to be replaced gets no more. Return False if there are no more pages.
        """
        while len(pending) < IN_FLIGHT and not (pending and worker and worker.has_enough):
            try:
                task = self._tasks.get(block=not pending)
            except Empty:
                break
            if task is None:
                self._tasks.put(None)  # for the other threads
                break
            if task.future.set_running_or_notify_cancel():
                pending.append(task)
            elif not pending:
                self._idle.release()
        return bool(pending)

    def _start(self, pending: deque[_Task]) -> Worker | None:
        """Start a worker. If that fails, the oldest page fails, and None is returned."""
        if self._closed.is_set():
            self._finish(pending, WorkerError("the crawl has ended"))
            return None
        try:
            worker = Worker()
        except OSError as error:
            self._finish(pending, WorkerError(f"worker processes cannot be started: {error}"))
            return None
        # The start of the process does not count; it may take longer than a page.
        worker.deadline = monotonic() + max(self._timeout, START_SECONDS)
        with self._lock:
            self._workers.add(worker)
        # The pool may have been closed meanwhile, without this worker.
        if self._closed.is_set():
            worker.kill()
        if worker.start():
            worker.deadline = None
            return worker
        self._drop(worker)
        self._finish(pending, self._reason(worker))
        return None

    def _send(self, worker: Worker, task: _Task) -> None:
        worker.deadline = worker.deadline or monotonic() + self._timeout
        worker.send(task.request)

    def _receive(self, worker: Worker) -> tuple[Answer | WorkerError, bool]:
        """Wait for the answer to the oldest page; return it, and whether the worker is alive."""
        is_usable = True
        found: Answer | WorkerError
        try:
            found = worker.receive()
        except WorkerError as error:
            found = error
        except Exception:
            is_usable, found = False, self._reason(worker)
        with self._lock:
            worker.deadline = monotonic() + self._timeout if worker.unanswered else None
            # An answer may come while the process is being killed; the next page is not late.
            return found, is_usable and not worker.timed_out

    def _reason(self, worker: Worker) -> WorkerError:
        """Return why a worker has ended."""
        if self._closed.is_set():
            return WorkerError("the crawl has ended")
        if worker.timed_out:
            return WorkerError(f"took more than {self._timeout:g} seconds (CETR_TIMEOUT)")
        return WorkerError("the worker process ended unexpectedly")

    def _finish(self, pending: deque[_Task], found: Answer | WorkerError) -> None:
        """Give the oldest page its answer."""
        task = pending.popleft()
        if not pending:
            # Before the answer, so that the next page uses this thread, not a new one.
            self._idle.release()
        if isinstance(found, WorkerError):
            task.future.set_exception(found)
        else:
            task.future.set_result(found)

    def _drop(self, worker: Worker) -> None:
        """End a worker."""
        worker.close()
        with self._lock:
            self._workers.discard(worker)

    def _watch(self) -> None:
        """Kill workers that take too long."""
        while not self._closed.wait(_WATCH_SECONDS):
            with self._lock:
                for worker in filter(Worker.is_late, self._workers):
                    worker.timed_out = True
                    worker.kill()

    def close(self) -> None:
        """Kill all workers. The pages that they are extracting fail."""
        self._closed.set()
        self._tasks.put(None)
        with self._lock:
            workers = tuple(self._workers)
        for worker in workers:
            worker.close()


class _Task:
    """A page under way."""

    __slots__ = ("future", "request")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.future: Future[Answer] = Future()


class Worker(WorkerProcess):
    """A worker process, which answers pages in the order in which they are sent.

    ``unanswered`` is the number of pages without an answer yet, ``deadline`` the time by which the
    next answer has to come.
    """

    def __init__(self) -> None:
        super().__init__("scrapy_cetr.extraction.worker")
        self.unanswered = 0
        self.deadline: float | None = None
        self.timed_out = False
        self._pages = 0

    @property
    def has_enough(self) -> bool:
        """Whether the process has got PAGES_PER_WORKER pages."""
        return self._pages >= PAGES_PER_WORKER

    @property
    def is_spent(self) -> bool:
        """Whether another process has to extract the next page."""
        return self.has_enough or self.has_ended

    def is_late(self) -> bool:
        """Tell whether the process should have answered."""
        return self.deadline is not None and monotonic() > self.deadline

    def start(self) -> bool:
        """Wait for the process; return False if it has ended."""
        with suppress(*_CLOSED):
            return self.wait_until_ready()
        return False

    def send(self, request: Request) -> None:
        """Send a page; the failure of a dead process shows when its answer is read."""
        self._pages += 1
        self.unanswered += 1
        with suppress(*_CLOSED):
            write_message(self.requests, *request)

    def receive(self) -> Answer:
        """Read the next answer; raise WorkerError if the page could not be extracted.

        Any other exception means that the process has ended.
        """
        self.unanswered -= 1
        try:
            return read_answer(self.answers)
        except RuntimeError as error:
            raise WorkerError(str(error)) from error


def _thread(target: Callable[[], None]) -> threading.Thread:
    return start_thread(target, name="scrapy-cetr-worker")


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
