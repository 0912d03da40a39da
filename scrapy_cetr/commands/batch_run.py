"""Runs ``scrapy cetr`` over many pages: extraction, checkpoints, progress bar and summary."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

from tqdm import tqdm

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.interrupts import CtrlC
from scrapy_cetr.commands.journal import Journal, State
from scrapy_cetr.commands.sinks import Sink
from scrapy_cetr.extraction.batch.messages import ERROR, ROW, Answer, Job, Record
from scrapy_cetr.extraction.batch.run import answers

# The name under which a row carries its text for the comparison, if no field has it.
TEXT_FIELD = "_text"
_URLS, _SIGNATURES = "urls.txt", "signatures.bin"


class Duplicates(NamedTuple):
    """How near-duplicates are found: CETR_DUPLICATES_THRESHOLD and CETR_DUPLICATES_MEMORY."""

    threshold: float
    memory: int


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
    duplicates: Duplicates | None = None
    text_field: str = TEXT_FIELD
    total: int = 0
    show_progress: bool = True

    def __post_init__(self) -> None:
        self._started = monotonic()
        self._pages_before = self.state.counts.get("pages", 0)
        self._urls = self._signatures = self._seen = None
        self._done_urls: set[int] = set()
        if self.journal is not None:
            self._urls = self.journal.open(_URLS, self.state.urls_size)
            # Hashes take less memory than URLs.
            self._done_urls = {hash(line.rstrip(b"\n")) for line in self._urls}
            self._signatures = self.journal.open(_SIGNATURES, self.state.signatures_size)
        if self.duplicates is not None:
            from scrapy_cetr.commands.seen_texts import SeenTexts

            self._seen = SeenTexts(*self.duplicates, file=self._signatures)

    def is_done(self, url: str) -> bool:
        """Return whether an earlier run has written the row of a URL."""
        return hash(url.encode("utf-8", "replace")) in self._done_urls

    def process(self, pages: Iterator[InputPage]) -> None:
        """Extract pages and write their rows."""
        drawn: deque[InputPage] = deque()
        found = answers(_records(pages, drawn), self.job, jobs=self.jobs, timeout=self.timeout)
        with CtrlC() as ctrl_c, closing(found), self._progress_bar() as bar:
            try:
                for answer in found:
                    with ctrl_c.delayed():
                        self._take(drawn[0], answer)
                        self._show(bar, drawn.popleft())
                        if self.journal is not None and self.journal.is_due():
                            self._checkpoint()
            except KeyboardInterrupt:
                self._checkpoint()
                raise
            self._checkpoint()

    def finish(self) -> str:
        """Complete the output, as everything is done, and return a summary."""
        self.stop()
        if self.journal is not None:
            self.journal.finish()
        seconds = monotonic() - self._started
        return summary(self.state.counts, seconds=seconds, before=self._pages_before)

    def stop(self) -> None:
        """Complete the output of the pages that are done; the run can be continued."""
        self.sink.complete()
        self.close()

    def close(self) -> None:
        """Close all files; the run can be continued from its last checkpoint."""
        for file in (self._urls, self._signatures, self.sink):
            with suppress(OSError):  # the disk may be full
                if file is not None:
                    file.close()

    def _take(self, page: InputPage, answer: Answer) -> None:
        """Write the row of a page, or count why there is none."""
        counts = self.state.counts
        counts["pages"] = counts.get("pages", 0) + 1
        kind = {ROW: "articles", ERROR: "errors"}.get(answer.status, "skipped")
        data = answer.data
        if kind == "articles" and self._seen is not None:
            row = answer.row
            kind = kind if self._seen.add(row[self.text_field]) else "duplicates"
            self.state.signatures_size = self._seen.size
            if row.pop(TEXT_FIELD, None) is not None:
                data = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
        counts[kind] = counts.get(kind, 0) + 1
        if kind == "errors":
            print_error(f"{page.name}: {answer.row['error']}")
            self.sink.write_error(data)
        elif kind == "articles":
            self.sink.write(page, data)
        if page.url is None:
            self.state.pages += 1
        elif self._urls is not None:
            self.state.urls_size += self._urls.write(page.url.encode("utf-8", "replace") + b"\n")

    def _checkpoint(self) -> None:
        """Write output and state to the disk; the state last, as it names the sizes of files."""
        if self.journal is None:
            return
        self.state.position = self.sink.checkpoint()
        for file in (self._urls, self._signatures):
            if file is not None:
                file.flush()
        self.journal.save(self.state)

    def _progress_bar(self) -> tqdm[Any]:
        """Return a bar of bytes, or of pages if the size of the inputs is unknown."""
        disable = None if self.show_progress else True  # None: only on a terminal
        if self.total:
            return tqdm(total=self.total, unit="B", unit_scale=True, leave=False, disable=disable)
        return tqdm(unit=" pages", leave=False, disable=disable)

    def _show(self, bar: tqdm[Any], page: InputPage) -> None:
        if bar.disable:
            return
        counts = self.state.counts
        rate = (counts["pages"] - self._pages_before) / max(monotonic() - self._started, 0.001)
        postfix = f"{rate:.0f} pages/s, {counts.get('errors', 0)} errors"
        bar.set_postfix_str(postfix, refresh=False)
        bar.update(max(page.position - bar.n, 0) if self.total else 1)


def _records(pages: Iterator[InputPage], drawn: deque[InputPage]) -> Iterator[Record]:
    """Yield the record of each page, and note the page until its answer comes."""
    for page in pages:
        drawn.append(page)
        yield page.record


def summary(counts: Mapping[str, int], *, seconds: float, before: int = 0) -> str:
    """Return a line about a finished run, which was continued after ``before`` pages.

    >>> summary({"pages": 1200, "articles": 1190, "errors": 10}, seconds=4)
    '1,200 pages in 4.0 s (300 pages/s): 1,190 articles, 10 errors'
    """
    pages = counts.get("pages", 0)
    names = ("articles", "skipped", "duplicates", "errors")
    parts = [f"{counts[name]:,} {name}" for name in names if counts.get(name)]
    new = pages - before
    done = f"{pages:,} pages, {new:,} of them" if before else f"{pages:,} pages"
    rate = new / max(seconds, 0.001)
    return f"{done} in {seconds:.1f} s ({rate:.0f} pages/s): {', '.join(parts) or 'none'}"
