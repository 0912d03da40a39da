"""A batch that is continued from call to call, for engines that hand over pages in portions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from queue import SimpleQueue
from typing import Any

from scrapy_cetr.extraction.batch.messages import Record

Rows = Generator[dict[str, Any], None, None]


class Session:
    """Keeps a worker process between calls of ``rows``, as its start takes longer than many pages.

    ``run`` makes rows of records, as ``articles()`` does. After an error, the next call starts
    anew.
    """

    def __init__(self, run: Callable[[Iterable[Record]], Rows]) -> None:
        self._run = run
        self._queue: SimpleQueue[Record | None] = SimpleQueue()
        self._rows: Rows | None = None

    def rows(self, records: Iterable[Record]) -> Iterator[dict[str, Any]]:
        """Yield a row per record."""
        if self._rows is None:
            self._queue = SimpleQueue()
            self._rows = self._run(iter(self._queue.get, None))
        number = 0
        try:
            for record in records:
                self._queue.put(record)
                number += 1
                # Enough records under way to keep the worker busy.
                if number > AHEAD:
                    yield next(self._rows)
            for _ in range(min(number, AHEAD)):
                yield next(self._rows)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the worker process."""
        self._queue.put(None)
        if self._rows is not None:
            self._rows.close()
            self._rows = None


# Records that are under way, so that reading and extracting overlap.
AHEAD = 32
