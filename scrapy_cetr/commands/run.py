"""Runs ``scrapy cetr``: checks its arguments, chooses inputs and output, and reports errors."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from scrapy_cetr.commands.arguments import make_plan
from scrapy_cetr.commands.batch_run import BatchRun, print_error
from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, stored_pages
from scrapy_cetr.commands.journal import Journal, State
from scrapy_cetr.commands.outputs import open_output
from scrapy_cetr.commands.plan import Plan
from scrapy_cetr.commands.sinks import File, Folder, Sink, Terminal
from scrapy_cetr.extraction.batch import BatchError

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

    from scrapy_cetr.commands.check import Checker
    from scrapy_cetr.commands.printing import Printer

# Exit codes.
SUCCESS, SOME_FAILED, INVALID_ARGUMENTS, INTERRUPTED = 0, 1, 2, 130
# Scrapy's reason for the end of a crawl at a Ctrl-C.
CTRL_C = "shutdown"


def run(
    args: list[str], opts: Namespace, *, settings: Settings, process: CrawlerProcessBase
) -> int:
    """Run the command, and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot encode become question marks instead of an error.
        sys.stdout.reconfigure(errors="replace")
    if opts.merge_reports:
        return _merge_reports(args, opts.report)
    try:
        plan = make_plan(args, opts, settings)
    except ValueError as error:
        print_error(str(error))
        return INVALID_ARGUMENTS
    try:
        if not plan.memory:
            return _run(plan, process)
        # Not above: without a memory, only worker processes need the library.
        from scrapy_cetr.commands.first_pass import with_memory

        with with_memory(plan) as ready:
            return _run(ready, process)
    except UsageError as error:
        print_error(str(error))
        return INVALID_ARGUMENTS
    except BatchError as error:
        print_error(str(error))
        return SOME_FAILED
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe, such as head, has stopped reading.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS
    except OSError as error:
        name = error.filename or plan.report or plan.target
        print_error(f"{name}: cannot be written: {error.strerror or error}")
        return SOME_FAILED


def _run(plan: Plan, process: CrawlerProcessBase) -> int:
    return _explain(plan, process) if plan.is_explained else _extract(plan, process)


def _merge_reports(args: list[str], report: str | None) -> int:
    """Write one report of the surveys of several processes."""
    from scrapy_cetr.reports.merging import merge_reports

    if report is None or not args:
        print_error("--merge-reports needs the files of crawls, and --report FILE")
        return INVALID_ARGUMENTS
    try:
        pages = merge_reports([Path(name) for name in args], Path(report))
    except ValueError as error:
        print_error(str(error))
        return SOME_FAILED
    except OSError as error:
        print_error(f"{report}: cannot be written: {error.strerror or error}")
        return SOME_FAILED
    print_error(f"report on {pages:,} pages of {len(args)} processes written to {report}")
    return SUCCESS


def _explain(plan: Plan, process: CrawlerProcessBase) -> int:
    """Compare methods, write a report or check rules, page by page in this process."""
    explainer: Checker | Printer
    if plan.checks:
        from scrapy_cetr.commands.check import Checker

        explainer = Checker(plan)
    else:
        from scrapy_cetr.commands.printing import Printer

        explainer = Printer(plan.job.options, plan=plan)
    failed = False

    def add_all(pages: Iterator[InputPage]) -> None:
        nonlocal failed
        for page in pages:
            if (problem := explainer.add(page)) is not None:
                print_error(f"{page.name}: {problem}")
                failed = True

    _feed(plan, process, add_all)
    worse = explainer.close()
    return SOME_FAILED if failed or worse else SUCCESS


def _extract(plan: Plan, process: CrawlerProcessBase) -> int:
    """Extract pages into the output of the plan."""
    journal = Journal(plan.target) if plan.target is not None else None
    if journal is not None and plan.resumes and not journal.exists and plan.target_has_content:
        print_error(f"{plan.target} is complete; there is nothing to resume")
        return SUCCESS
    batch = _open(plan, journal)
    counts = batch.state.counts
    try:
        stopped = _feed(plan, process, batch.process, batch=batch)
    except KeyboardInterrupt:
        stopped = CTRL_C
    except BaseException:
        batch.close()
        raise
    if stopped is not None:
        batch.stop()
        reason = "interrupted"
        if stopped != CTRL_C:
            reason = f"the crawl was stopped ({stopped}; -s LOG_ENABLED=1 shows why)"
        hint = "; --resume continues the run" if journal is not None else ""
        print_error(f"{reason} after {counts.get('pages', 0):,} pages{hint}")
        return INTERRUPTED if stopped == CTRL_C else SOME_FAILED
    done = batch.finish()
    if plan.target is not None:
        print_error(done)
    return SOME_FAILED if counts.get("errors") else SUCCESS


def _open(plan: Plan, journal: Journal | None) -> BatchRun:
    """Open the output, to start or to continue a run."""
    state = _state(plan, journal)
    try:
        sink = _sink(plan, state, journal)
    except BaseException:
        if journal is not None and not state.counts:
            journal.finish()
        raise
    return BatchRun(
        job=plan.job,
        sink=sink,
        jobs=plan.processes,
        timeout=plan.timeout,
        state=state,
        journal=journal,
        duplicates=plan.duplicates,
        text_field=plan.text_field,
        total=plan.input_size,
        show_progress=plan.is_several,
    )


def _state(plan: Plan, journal: Journal | None) -> State:
    """Return the state to start from."""
    if journal is None:
        return State({})
    if plan.resumes and journal.exists:
        return journal.resume(plan.identity)
    if journal.exists:
        raise UsageError(
            f"{plan.target} belongs to a run that was stopped; use --resume to continue it,"
            f" or delete {journal.folder} to start again"
        )
    return journal.begin(plan.identity)


def _sink(plan: Plan, state: State, journal: Journal | None) -> Sink:
    if plan.output is not None and journal is not None:
        output = open_output(
            plan.output, columns=plan.columns, position=state.position, parts=journal.parts
        )
        return File(output)
    if plan.folder is not None:
        return Folder(plan.folder, format=plan.format, position=state.position)
    return Terminal(format=plan.format, several=plan.is_several)


def _feed(
    plan: Plan,
    process: CrawlerProcessBase,
    consume: Callable[[Iterator[InputPage]], None],
    *,
    batch: BatchRun | None = None,
) -> str | None:
    """Pass stored pages to ``consume``, then downloaded ones, without those of earlier runs.

    Return why the crawl was stopped, or None.
    """
    if plan.renders:
        from scrapy_cetr.commands.rendered import rendering

        consume = rendering(
            consume, offline=plan.is_offline, timeout=plan.timeout, warn=print_error
        )
    if plan.words:
        stored = stored_pages(
            plan.inputs, columns=plan.input_columns, error_pages=plan.includes_error_pages
        )
        consume(islice(stored, batch.state.pages if batch else 0, None))
    if not plan.has_urls:
        return None
    from scrapy_cetr.commands.download import Downloads

    is_done = batch.is_done if batch else lambda _: False
    downloads = Downloads(lambda: (url for url in plan.urls() if not is_done(url)), process)
    downloads.run(consume)
    return downloads.stopped
