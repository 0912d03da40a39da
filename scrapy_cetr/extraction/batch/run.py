"""Extracts many pages on all cores: exactly one answer per page, in order, whatever a page does.

Pages are extracted in worker processes. A page that fails, hangs or ends its process costs one
answer with an error. Memory is bounded: at most ``PAGES_AHEAD`` pages per worker are under way.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic

from scrapy_cetr.extraction.batch.messages import ERROR, Answer, Job, Record
from scrapy_cetr.extraction.messages import read_part, write_message
from scrapy_cetr.extraction.worker_process import WorkerProcess, start_thread

_MODULE = "scrapy_cetr.extraction.batch.worker"
# Records in the pipe of a worker, so that it never waits for the next one.
IN_FLIGHT = 4
# Pages per worker that are read but not yet given out, because an earlier one is slow.
PAGES_AHEAD = 64
# A worker is replaced after this many pages, so that no leak can add up.
PAGES_PER_WORKER = 10_000
# Seconds for a process to import the library.
START_SECONDS = 60.0
# A page whose process dies is tried again, as another program may have killed the process.
ATTEMPTS = 2
_WATCH_SECONDS = 0.05
# Answers after which more records are read; less than PAGES_AHEAD.
_RELEASED = 16


class BatchError(Exception):
    """No page can be extracted; the message says why."""


def answers(
    records: Iterable[Record], job: Job, *, jobs: int, timeout: float
) -> Generator[Answer, None, None]:
    """Extract pages in ``jobs`` processes, and yield one answer per record, in their order.

    With 0 jobs, pages are extracted in this process, without protection against bad pages.
    """
    if not jobs:
        # Not above: only worker processes need the library.
        from scrapy_cetr.extraction.batch.worker import answer

        for record in records:
            message = answer(record, job)
            yield Answer(message[:1], message[1:])
        return
    run = _Run(iter(records), job, jobs=jobs, timeout=timeout)
    try:
        yield from run.results()
    finally:
        run.close()


class _Task:
    """A record under way."""

    __slots__ = ("attempts", "index", "record")

    def __init__(self, index: int, record: Record) -> None:
        self.index = index
        self.record = record
        self.attempts = 0


class _Run:
    """The threads, processes and unordered answers of one run.

    One thread reads the records, so that no worker has to wait for a slow input. Each worker
    process has a thread, and one thread kills the processes that take too long.
    """

    def __init__(self, records: Iterator[Record], job: Job, *, jobs: int, timeout: float) -> None:
        self._records = records
        self._job = job.to_json()
        self._timeout = timeout
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._room = threading.Semaphore(jobs * PAGES_AHEAD)
        # Each answer with the index of its record; None for each thread that has ended.
        self._found: SimpleQueue[tuple[int, Answer] | None] = SimpleQueue()
        self._failure: BaseException | None = None
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()  # of the workers and their deadlines
        self._is_closed = threading.Event()
        self._threads = [_thread(self._work) for _ in range(jobs)]
        # Not joined at the end, as it may wait for its input for ever.
        _thread(self._read)
        _thread(self._watch)

    def results(self) -> Iterator[Answer]:
        """Yield the answers in the order of the records."""
        early: dict[int, Answer] = {}
        active = len(self._threads)
        for index in count():
            while index not in early and active:
                found = self._found.get()
                if found is None:
                    active -= 1
                else:
                    early[found[0]] = found[1]
            if index not in early:
                break
            yield early.pop(index)
            # Several at a time, as each call wakes the thread that reads records.
            if index % _RELEASED == _RELEASED - 1:
                self._room.release(_RELEASED)
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """End all processes and wait for their threads."""
        self._is_closed.set()
        self._tasks.put(None)
        self._room.release()
        with self._lock:
            workers = tuple(self._workers)
        for worker in workers:
            worker.kill()
        for thread in self._threads:
            thread.join()

    def _read(self) -> None:
        """Read records while there is room; None is the end."""
        try:
            for index, record in enumerate(self._records):
                self._room.acquire()
                if self._is_closed.is_set():
                    return
                self._tasks.put(_Task(index, record))
        except BaseException as error:
            self._failure = error
        finally:
            self._tasks.put(None)

    def _work(self) -> None:
        """Extract pages with one worker process after the other."""
        pending: deque[_Task] = deque()
        worker: _Worker | None = None
        try:
            while not self._is_closed.is_set():
                self._fill(pending, worker)
                if pending:
                    worker = worker or self._start(pending)
                    is_usable = self._receive(worker, pending)
                elif worker is not None and worker.is_spent:
                    is_usable = False
                else:
                    return
                if not is_usable:
                    self._drop(worker)
                    worker = None
        except BaseException as error:
            self._failure = self._failure or error
            self._is_closed.set()
            self._tasks.put(None)
        finally:
            self._drop(worker)
            self._found.put(None)

    def _fill(self, pending: deque[_Task], worker: _Worker | None) -> None:
        """Take tasks and send them, but wait for one only if there is nothing else to do."""
        while len(pending) < IN_FLIGHT and not (worker and worker.is_spent):
            try:
                task = self._tasks.get(block=not pending)
            except Empty:
                return
            if task is None:
                self._tasks.put(None)  # for the other threads
                return
            pending.append(task)
            if worker is not None:
                worker.deadline = worker.deadline or self._deadline()
                worker.send(task.record)

    def _start(self, pending: deque[_Task]) -> _Worker:
        """Start a process and send it everything that has no answer yet."""
        for _ in range(ATTEMPTS):
            try:
                worker = _Worker()
            except OSError as error:
                raise BatchError(f"worker processes cannot be started: {error}") from error
            worker.deadline = monotonic() + max(START_SECONDS, self._timeout)
            with self._lock:
                self._workers.add(worker)
            # The run may have been closed meanwhile, without this worker.
            if self._is_closed.is_set():
                worker.kill()
            if worker.start(self._job) or self._is_closed.is_set():
                for task in pending:
                    worker.send(task.record)
                worker.deadline = self._deadline()
                return worker
            self._drop(worker)
        raise BatchError("worker processes cannot be started")

    def _receive(self, worker: _Worker, pending: deque[_Task]) -> bool:
        """Wait for the answer to the oldest record; return False if the process is gone."""
        task = pending[0]
        is_usable = True
        try:
            message = worker.receive()
        except (EOFError, OSError):
            task.attempts += 1
            is_usable, error = False, "the worker process ended unexpectedly"
            if worker.timed_out:
                error = f"took more than {self._timeout:g} seconds"
            elif task.attempts < ATTEMPTS:
                return False
            message = ERROR + task.record.error_row(error)
        pending.popleft()
        self._found.put((task.index, Answer(message[:1], message[1:])))
        with self._lock:
            worker.deadline = self._deadline() if pending else None
            # An answer may come while the process is being killed; the next page is not late.
            return is_usable and not worker.timed_out

    def _deadline(self) -> float:
        return monotonic() + self._timeout

    def _drop(self, worker: _Worker | None) -> None:
        if worker is not None:
            with self._lock:
                self._workers.discard(worker)
            worker.close()

    def _watch(self) -> None:
        """Kill processes that take too long."""
        while not self._is_closed.wait(_WATCH_SECONDS):
            with self._lock:
                for worker in filter(_Worker.is_late, self._workers):
                    worker.timed_out = True
                    worker.kill()


def _thread(target: Callable[[], None]) -> threading.Thread:
    return start_thread(target, name="scrapy-cetr-batch")


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

    def start(self, job: bytes) -> bool:
        """Wait for the process, and tell it what to do with the pages; False if it has ended."""
        try:
            if not self.wait_until_ready():
                return False
            write_message(self.requests, job)
        except OSError:
            return False
        return True

    def send(self, record: Record) -> None:
        """Send a page; the failure of a dead process shows when its answer is read."""
        self._pages += 1
        with suppress(OSError):
            record.write(self.requests)

    def receive(self) -> bytes:
        """Read the next answer; raise EOFError if the process has ended."""
        return read_part(self.answers)
