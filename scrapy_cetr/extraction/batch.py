"""Extracts many pages on all cores: exactly one answer per page, in order, whatever a page does.

Pages are extracted in worker processes. A page that fails, hangs or ends its process costs one
answer with an error. Memory is bounded: at most ``PAGES_AHEAD`` pages per worker are under way.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from time import monotonic
from typing import Any, NamedTuple

from scrapy_cetr.extraction.batch_worker import ERROR, Job, Request, answer
from scrapy_cetr.extraction.worker import read_part, write_message
from scrapy_cetr.extraction.worker_process import WorkerProcess, block_ctrl_c

_MODULE = "scrapy_cetr.extraction.batch_worker"
# Requests in the pipe of a worker, so that it never waits for the next one.
IN_FLIGHT = 4
# Pages per worker that are sent or finished but not yet given out, because an earlier one is slow.
PAGES_AHEAD = 64
# A worker is replaced after this many pages, so that no leak can add up.
PAGES_PER_WORKER = 10_000
# Seconds for a process to import the library.
START_SECONDS = 60.0
# A page whose process dies is tried again, as another program may have killed the process.
ATTEMPTS = 2
_WATCH_SECONDS = 0.05


class Answer(NamedTuple):
    """What became of a page: ``status`` is ROW, ERROR or SKIPPED, ``data`` a row as JSON."""

    status: bytes
    data: bytes

    @property
    def row(self) -> dict[str, Any]:
        """The row: the fields of a page, or its ``url`` with ``error`` or ``skipped``."""
        found: dict[str, Any] = json.loads(self.data)
        return found


def answers(
    requests: Iterable[Request], job: Job, *, jobs: int, timeout: float
) -> Iterator[Answer]:
    """Extract pages in ``jobs`` processes, and yield one answer per request, in their order.

    With 0 jobs, pages are extracted in this process, without protection against bad pages.
    """
    if not jobs:
        for request in requests:
            message = answer(request, job)
            yield Answer(message[:1], message[1:])
        return
    run = _Run(iter(requests), job, jobs=jobs, timeout=timeout)
    try:
        yield from run.results()
    finally:
        run.close()


class _Task:
    """A request under way."""

    __slots__ = ("attempts", "index", "request")

    def __init__(self, index: int, request: Request) -> None:
        self.index = index
        self.request = request
        self.attempts = 0


class _Run:
    """The threads, processes and unordered answers of one run."""

    def __init__(self, requests: Iterator[Request], job: Job, *, jobs: int, timeout: float) -> None:
        self._requests = enumerate(requests)
        self._job = job.to_json()
        self._timeout = timeout
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._room = threading.Semaphore(jobs * PAGES_AHEAD)
        self._found: dict[int, Answer] = {}
        self._failure: BaseException | None = None
        self._is_over = threading.Event()  # no more requests, or closed
        self._workers: set[_Worker] = set()
        self._threads = [
            threading.Thread(target=self._work, name="scrapy-cetr-batch", daemon=True)
            for _ in range(jobs)
        ]
        self._active = jobs
        threading.Thread(target=self._watch, name="scrapy-cetr-watch", daemon=True).start()
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterator[Answer]:
        """Give the answers in the order of the requests."""
        for index in count():
            with self._changed:
                while index not in self._found and self._active:
                    self._changed.wait()
                found = self._found.pop(index, None)
            if found is None:
                break
            yield found
            self._room.release()
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        """Extract pages with one worker process after the other."""
        block_ctrl_c()
        pending: deque[_Task] = deque()
        worker: _Worker | None = None
        try:
            while True:
                self._fill(pending, worker)
                if not pending:
                    if worker is None or not worker.is_spent:
                        return
                    self._drop(worker)
                    worker = None
                    continue
                worker = worker or self._start(pending)
                if not self._receive(worker, pending):
                    self._drop(worker)
                    worker = None
        except BaseException as error:
            self._failure = self._failure or error
            self._is_over.set()
        finally:
            self._drop(worker)
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _fill(self, pending: deque[_Task], worker: _Worker | None) -> None:
        """Take tasks and send them, but wait for one only if there is nothing else to do."""
        while len(pending) < IN_FLIGHT and not (worker and worker.is_spent):
            task = self._next_task(wait=not pending)
            if task is None:
                return
            pending.append(task)
            if worker is not None:
                worker.send(task.request, deadline=self._deadline() if len(pending) == 1 else None)

    def _next_task(self, *, wait: bool) -> _Task | None:
        while not self._room.acquire(timeout=_WATCH_SECONDS if wait else 0):
            if not wait or self._is_over.is_set():
                return None
        with self._reading:
            item = None if self._is_over.is_set() else next(self._requests, None)
            if item is None:
                self._is_over.set()
                self._room.release()
                return None
        return _Task(*item)

    def _start(self, pending: deque[_Task]) -> _Worker:
        """Start a process and send it everything that has no answer yet."""
        worker = _Worker()
        worker.deadline = monotonic() + max(START_SECONDS, self._timeout)
        with self._changed:
            self._workers.add(worker)
        worker.start(self._job)
        for task in pending:
            worker.send(task.request, deadline=None)
        worker.deadline = self._deadline()
        return worker

    def _receive(self, worker: _Worker, pending: deque[_Task]) -> bool:
        """Wait for the answer to the oldest request; False if the process is gone."""
        try:
            message = worker.receive()
        except (EOFError, OSError, ValueError):
            task = pending[0]
            task.attempts += 1
            if worker.timed_out:
                self._fail(pending, f"took more than {self._timeout:g} seconds")
            elif task.attempts == ATTEMPTS:
                self._fail(pending, "the worker process ended unexpectedly")
            return False
        self._finish(pending.popleft(), Answer(message[:1], message[1:]))
        worker.deadline = self._deadline() if pending else None
        return True

    def _fail(self, pending: deque[_Task], error: str) -> None:
        task = pending.popleft()
        self._finish(task, Answer(ERROR, task.request.error_row(error)))

    def _finish(self, task: _Task, found: Answer) -> None:
        with self._changed:
            self._found[task.index] = found
            self._changed.notify_all()

    def _deadline(self) -> float:
        return monotonic() + self._timeout

    def _drop(self, worker: _Worker | None) -> None:
        if worker is not None:
            with self._changed:
                self._workers.discard(worker)
            worker.close()

    def _watch(self) -> None:
        """Kill processes that take too long."""
        while self._active:
            with self._changed:
                self._changed.wait(_WATCH_SECONDS)
                late = [worker for worker in self._workers if worker.is_late()]
            for worker in late:
                worker.timed_out = True
                worker.kill()

    def close(self) -> None:
        """End all processes and wait for the threads."""
        self._is_over.set()
        with self._changed:
            workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        for thread in self._threads:
            thread.join()


class _Worker(WorkerProcess):
    """A process with the number of its pages and the time by which it has to answer."""

    def __init__(self) -> None:
        super().__init__(_MODULE)
        self.deadline: float | None = None
        self.timed_out = False
        self._pages = 0

    @property
    def is_spent(self) -> bool:
        """Whether the process should get no more pages."""
        return self._pages >= PAGES_PER_WORKER

    def is_late(self) -> bool:
        """Tell whether the process should have answered."""
        return self.deadline is not None and monotonic() > self.deadline

    def start(self, job: bytes) -> None:
        """Wait for the process, and tell it what to do with the pages."""
        self.wait_until_ready()
        with suppress(OSError):
            write_message(self.requests, job)

    def send(self, request: Request, *, deadline: float | None) -> None:
        """Send a page; the failure of a dead process shows when its answer is read."""
        self._pages += 1
        self.deadline = deadline or self.deadline
        with suppress(OSError):
            request.write(self.requests)

    def receive(self) -> bytes:
        """Read the next answer; raise EOFError if the process has ended."""
        return read_part(self.answers)
