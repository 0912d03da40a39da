"""Ctrl-C while rows are written: state and output must agree."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self


class CtrlC:
    """Raises KeyboardInterrupt at a Ctrl-C, but not inside of ``delayed``.

    Does nothing in other threads than the main one, which get no signals.
    """

    def __init__(self) -> None:
        self._is_main = threading.current_thread() is threading.main_thread()
        self._delays = False
        self._is_pending = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if self._is_main:
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_main:
            signal.signal(signal.SIGINT, self._before)

    def _handle(self, *_: object) -> None:
        if not self._delays:
            raise KeyboardInterrupt
        self._is_pending = True

    @contextmanager
    def delayed(self) -> Iterator[None]:
        """Raise KeyboardInterrupt only at the end of the block."""
        self._delays = True
        try:
            yield
        finally:
            self._delays = False
        if self._is_pending:
            self._is_pending = False
            raise KeyboardInterrupt
