"""Runs ``scrapy cetr`` over many pages: extraction, checkpoints, progress bar and summary."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Any

import numpy as np
from tqdm import tqdm

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.journal import Journal, State
from scrapy_cetr.commands.sinks import Sink
from scrapy_cetr.duplicates import SIZE, Memory, signature
from scrapy_cetr.extraction.batch import Answer, answers
from scrapy_cetr.extraction.batch_worker import ERROR, ROW, Job, Request

# The name under which a row carries its text for the comparison, if no field has it.
TEXT_FIELD = "_text"
_DUPLICATES_MEMORY = 20_000
_THRESHOLD = 0.8
_URLS, _SIGNATURES = "urls.txt", "signatures.bin"


def print_error(error: str) -> None:
    """Print an error of the command on standard error."""
    tqdm.write(f"scrapy cetr: {error}", file=sys.stderr)


@dataclass(kw_only=True)
class BatchRun:
    """One run. ``total`` is the size of the stored inputs in bytes, for the progress bar."""

    job: Job
    sink: Sink
    jobs: int
    timeout: float
    state: State
    journal: Journal | None = None
    deduplicate: bool = False
    text_field: str = TEXT_FIELD
    total: int = 0
    show_progress: bool = True

    def __post_init__(self) -> None:
        self._memory = Memory(_DUPLICATES_MEMORY)
        self._urls = self._signatures = None
        if self.journal is not None:
            self._urls = self.journal.open(_URLS, self.state.urls_size)
            self._done_urls = frozenset(line.rstrip(b"\n") for line in self._urls)
            self._signatures = self.journal.open(_SIGNATURES, self.state.signatures_size)
            while len(found := self._signatures.read(SIZE)) == SIZE:
                self._memory.add(np.frombuffer(found, np.uint8), None)

    def is_done(self, url: str) -> bool:
        """Return whether an earlier run has written the row of a URL."""
        return self._urls is not None and url.encode("utf-8", "replace") in self._done_urls

    def process(self, pages: Iterator[InputPage]) -> None:
        """Extract pages and write their rows; the first ``state.pages`` stored pages are done."""
        pages = islice(pages, self.state.pages, None)
        drawn: deque[InputPage] = deque()
        started = monotonic()
        disable = None if self.show_progress and self.total else True
        with tqdm(total=self.total, unit="B", unit_scale=True, leave=False, disable=disable) as bar:
            try:
                found = answers(
                    _requests(pages, drawn), self.job, jobs=self.jobs, timeout=self.timeout
                )
                for answer in found:
                    page = drawn.popleft()
                    self._take(page, answer)
                    self._show(bar, page, seconds=monotonic() - started)
                    if self.journal is not None and self.journal.is_due():
                        self._checkpoint(self.journal)
            finally:
                if self.journal is not None:
                    self._checkpoint(self.journal)

    def finish(self) -> None:
        """Complete the output: everything is done."""
        self.sink.close()
        self._close_journal()
        if self.journal is not None:
            self.journal.finish()

    def stop(self) -> None:
        """Close all files; the run can be continued."""
        self.sink.stop()
        self._close_journal()

    def _close_journal(self) -> None:
        for file in (self._urls, self._signatures):
            if file is not None:
                file.close()

    def _take(self, page: InputPage, answer: Answer) -> None:
        """Write the row of a page, or count why there is none."""
        counts = self.state.counts
        counts["pages"] = counts.get("pages", 0) + 1
        kind = {ROW: "articles", ERROR: "errors"}.get(answer.status, "skipped")
        data = answer.data
        if kind == "articles" and self.deduplicate:
            row = answer.row
            kind = "duplicates" if self._is_duplicate(row[self.text_field]) else kind
            if row.pop(TEXT_FIELD, None) is not None:
                data = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
        counts[kind] = counts.get(kind, 0) + 1
        if kind == "errors":
            print_error(f"{page.name}: {answer.row['error']}")
        if kind == "articles" or (kind == "errors" and self.sink.records_errors):
            self.sink.write(page, data)
        if page.url is None:
            self.state.pages += 1
        elif self._urls is not None:
            self.state.urls_size += self._urls.write(page.url.encode("utf-8", "replace") + b"\n")

    def _is_duplicate(self, text: str) -> bool:
        new = signature(text)
        if new is None:
            return False
        if next(self._memory.similar(new, threshold=_THRESHOLD), 0) != 0:
            return True
        self._memory.add(new, None)
        if self._signatures is not None:
            self.state.signatures_size += self._signatures.write(new.tobytes())
        return False

    def _checkpoint(self, journal: Journal) -> None:
        """Write output and state to the disk; URLs and signatures first, as the state has sizes."""
        self.state.position = self.sink.checkpoint()
        for file in (self._urls, self._signatures):
            if file is not None:
                file.flush()
        journal.save(self.state)

    def _show(self, bar: tqdm[Any], page: InputPage, *, seconds: float) -> None:
        if not bar.disable:
            counts = self.state.counts
            rate = f"{counts['pages'] / max(seconds, 0.001):.0f} pages/s"
            bar.set_postfix_str(f"{rate}, {counts.get('errors', 0)} errors", refresh=False)
            bar.update(max(page.position - bar.n, 0))


def _requests(pages: Iterator[InputPage], drawn: deque[InputPage]) -> Iterator[Request]:
    """Yield the request of each page, and note the page until its answer comes."""
    for page in pages:
        drawn.append(page)
        yield page.request


def summary(counts: dict[str, int], *, seconds: float) -> str:
    """Return a line about a finished run.

    >>> summary({"pages": 1200, "articles": 1190, "errors": 10}, seconds=4)
    '1,200 pages in 4.0 s (300 pages/s): 1,190 articles, 10 errors'
    """
    pages = counts.get("pages", 0)
    names = ("articles", "skipped", "duplicates", "errors")
    parts = [f"{counts[name]:,} {name}" for name in names if counts.get(name)]
    rate = pages / max(seconds, 0.001)
    return f"{pages:,} pages in {seconds:.1f} s ({rate:.0f} pages/s): {', '.join(parts) or 'none'}"
