"""Runs ``scrapy cetr``: checks its arguments, chooses inputs and output, and reports errors."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from scrapy_cetr.commands.arguments import Plan, make_plan
from scrapy_cetr.commands.batch_run import BatchRun, print_error, summary
from scrapy_cetr.commands.download import Downloads
from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, stored_pages
from scrapy_cetr.commands.journal import Journal, State
from scrapy_cetr.commands.outputs import open_output
from scrapy_cetr.commands.printing import Printer
from scrapy_cetr.commands.sinks import File, Folder, Sink, Terminal

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

# Exit codes.
SUCCESS, SOME_FAILED, INVALID_ARGUMENTS, INTERRUPTED = 0, 1, 2, 130


def run(
    args: list[str], opts: Namespace, *, settings: Settings, process: CrawlerProcessBase
) -> int:
    """Run the command, and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot encode become question marks instead of an error.
        sys.stdout.reconfigure(errors="replace")
    try:
        plan = make_plan(args, opts, settings)
    except ValueError as error:
        print_error(str(error))
        return INVALID_ARGUMENTS
    try:
        return _explain(plan, process) if plan.is_explained else _extract(plan, process)
    except UsageError as error:
        print_error(str(error))
        return INVALID_ARGUMENTS
    except BrokenPipeError:
        # The reader of a pipe, such as head, has stopped reading.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS
    except OSError as error:
        name = error.filename or plan.report or plan.target
        print_error(f"{name}: cannot be written: {error.strerror or error}")
        return SOME_FAILED


def _explain(plan: Plan, process: CrawlerProcessBase) -> int:
    """Compare methods or write a report, page by page in this process."""
    printer = Printer(plan.job.options, plan=plan)
    failed = False

    def add_all(pages: Iterator[InputPage]) -> None:
        nonlocal failed
        for page in pages:
            if (problem := printer.add(page)) is not None:
                print_error(f"{page.name}: {problem}")
                failed = True

    _feed(plan, process, add_all)
    printer.close()
    return SOME_FAILED if failed else SUCCESS


def _extract(plan: Plan, process: CrawlerProcessBase) -> int:
    """Extract pages into the output of the plan."""
    started = monotonic()
    journal = Journal(plan.target) if plan.target is not None else None
    if journal is not None and plan.resumes and not journal.exists and plan.target_exists:
        print_error(f"{plan.target} is complete; there is nothing to resume")
        return SUCCESS
    state = _state(plan, journal)
    batch = BatchRun(
        job=plan.job,
        sink=_sink(plan, state, journal),
        jobs=plan.jobs,
        timeout=plan.timeout,
        state=state,
        journal=journal,
        deduplicate=plan.deduplicates,
        text_field=plan.text_field,
        total=plan.input_size,
    )
    try:
        complete = _feed(plan, process, batch.process, skip=batch.is_done)
    except KeyboardInterrupt:
        complete = False
    if not complete:
        batch.stop()
        hint = "; --resume continues the run" if journal is not None else ""
        print_error(f"interrupted after {state.counts.get('pages', 0):,} pages{hint}")
        return INTERRUPTED
    batch.finish()
    if plan.target is not None:
        print_error(summary(state.counts, seconds=monotonic() - started))
    return SOME_FAILED if state.counts.get("errors") else SUCCESS


def _state(plan: Plan, journal: Journal | None) -> State:
    """Return the state to start from."""
    if journal is None:
        return State(plan.identity)
    if plan.resumes and journal.exists:
        return journal.resume(plan.identity)
    if journal.exists:
        raise UsageError(
            f"{plan.target} belongs to a run that was stopped; --resume continues it,"
            f" and without {journal.folder} it starts again"
        )
    return journal.begin(plan.identity)


def _sink(plan: Plan, state: State, journal: Journal | None) -> Sink:
    if plan.output is not None and journal is not None:
        output = open_output(
            plan.output, columns=plan.columns, position=state.position, parts=journal.parts
        )
        return File(output)
    if plan.folder is not None:
        return Folder(plan.folder, format=plan.format)
    return Terminal(format=plan.format, several=plan.is_several)


def _feed(
    plan: Plan,
    process: CrawlerProcessBase,
    consume: Callable[[Iterator[InputPage]], None],
    skip: Callable[[str], bool] = lambda _: False,
) -> bool:
    """Pass stored pages to ``consume``, then downloaded ones; return False if interrupted."""
    stored = stored_pages(
        plan.words, columns=plan.input_columns, error_pages=plan.includes_error_pages
    )
    if not plan.has_urls:
        consume(stored)
        return True
    downloads = Downloads(lambda: (url for url in plan.urls() if not skip(url)), process)
    downloads.run(lambda downloaded: consume(chain(stored, downloaded)))
    return not downloads.interrupted
