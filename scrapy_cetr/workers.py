"""A pool of processes that extract pages beside the crawl."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, cast

from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.worker import read_answer, write_request

Answer = tuple[Article, float]

# A worker is replaced after so many pages, so that no leak anywhere can add up.
PAGES_PER_WORKER = 1000


class WorkerError(Exception):
    """A page that a worker could not extract; other pages are not concerned."""


class WorkerPool:
    """Processes, made when first needed, each with a thread here that waits for its answers."""

    def __init__(self, size: int, *, timeout: float) -> None:
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="scrapy-cetr")
        self._own = threading.local()  # the worker of each thread
        self._workers: set[Worker] = set()
        self._timeout = timeout
        self._closed = False

    async def extract(self, html: str, *, url: str | None, options: Options) -> Answer:
        """Extract a page in a worker, and say how many seconds it took there."""
        return await _result(self._threads.submit(self._extract, html, url, options))

    def _extract(self, html: str, url: str | None, options: Options) -> Answer:
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is None or worker.spent:
            if worker is not None:
                self._workers.discard(worker)
                worker.close()
            worker = self._own.worker = Worker()
            self._workers.add(worker)
        if self._closed:
            worker.close()
            raise WorkerError("the crawl is over")
        return worker.extract(html, url=url, options=options, timeout=self._timeout)

    def close(self) -> None:
        """End all workers; what they are at is lost."""
        self._closed = True
        self._threads.shutdown(wait=False)
        for worker in tuple(self._workers):
            worker.close()


class Worker:
    """One process, asked one page at a time."""

    def __init__(self) -> None:
        # Not multiprocessing, which runs a user's script again that has no __main__ guard; in a
        # session of its own, because Ctrl-C is for the crawl and not for its workers.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scrapy_cetr.extraction.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)
        self._pages = 0
        self._timed_out = False

    @property
    def spent(self) -> bool:
        """Whether the process has died or done its share."""
        return self._pages >= PAGES_PER_WORKER or self._process.poll() is not None

    def extract(self, html: str, *, url: str | None, options: Options, timeout: float) -> Answer:
        """Extract a page; a process that takes too long is killed."""
        self._pages += 1
        watchdog = threading.Timer(timeout, self._kill)
        watchdog.start()
        try:
            write_request(self._requests, html, url=url, options=options)
            return read_answer(self._answers)
        except (OSError, EOFError) as error:
            self.close()
            reason = f"took over {timeout} seconds" if self._timed_out else "its worker died"
            raise WorkerError(reason) from error
        except RuntimeError as error:
            raise WorkerError(str(error)) from error
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
