"""The parent's side of a worker process: its start, its pipes and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from scrapy_cetr.extraction.messages import READY

# The size of a pipe on Linux: an answer of usual size is read by one system call.
_BUFFER = 1 << 16


class WorkerProcess:
    """A process that runs a module, with pipes for requests and answers."""

    def __init__(self, module: str) -> None:
        # Not multiprocessing, which would run a script without a __main__ guard again. A new
        # session, because a Ctrl-C in the terminal is meant for the parent, not for its workers.
        self._process = subprocess.Popen(  # noqa: S603
            # -P: do not import modules from the current folder.
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=_BUFFER,
            env={**os.environ, "PYTHONPATH": _python_path()},
            start_new_session=True,
        )
        self.requests = cast("IO[bytes]", self._process.stdin)
        self.answers = cast("IO[bytes]", self._process.stdout)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def wait_until_ready(self) -> bool:
        """Wait until the process has imported everything; return False if it ended instead."""
        return any(line.endswith(READY) for line in self.answers)

    def kill(self) -> None:
        """Kill the process; a thread that reads its answers sees the end of the stream."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        self.answers.close()
        # Data that the process has not read cannot be flushed.
        with suppress(OSError):
            self.requests.close()


def start_thread(target: Callable[[], None], *, name: str) -> threading.Thread:
    """Start a thread that leaves Ctrl-C to the main thread, and so do processes that it starts."""

    def run() -> None:
        # A new session is not enough: a Ctrl-C may come between the fork and its creation.
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        target()

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


def _python_path() -> str:
    """Return the PYTHONPATH with which a worker can import what its parent can import."""
    return os.pathsep.join(str(folder) or str(Path.cwd()) for folder in sys.path)
