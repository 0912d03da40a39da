"""Runs ``scrapy cetr``: checks its arguments, and passes pages to the printer."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings
from tqdm import tqdm

from scrapy_cetr.commands.cetr import FORMATS
from scrapy_cetr.commands.download import download
from scrapy_cetr.commands.inputs import InputPage, find_files, is_one_page, read_stored
from scrapy_cetr.commands.printing import Printer
from scrapy_cetr.extraction.options import RULES, Options, make_options
from scrapy_cetr.settings import from_command_line, read_settings

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

# Exit codes.
SUCCESS, SOME_FAILED, INVALID_ARGUMENTS = 0, 1, 2


def run(
    args: Sequence[str], opts: Namespace, *, settings: Settings, process: CrawlerProcessBase
) -> int:
    """Run the command, and return its exit code."""
    try:
        options = _options(opts, settings)
        printer = _printer(args, opts, options)
    except ValueError as error:
        _print_error(str(error))
        return INVALID_ARGUMENTS
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot encode become question marks instead of an error.
        sys.stdout.reconfigure(errors="replace")
    code = SUCCESS
    try:
        for page in _pages(args, process):
            problem = page.error or printer.add(page)
            if problem:
                _print_error(f"{page.name}: {problem}")
                code = SOME_FAILED
        printer.close()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of a pipe, such as head, has stopped reading.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        name = error.filename or opts.report
        _print_error(f"{name}: cannot be written: {error.strerror or error}")
        code = SOME_FAILED
    return code


def _options(opts: Namespace, settings: Settings) -> Options:
    """Return the options of the settings, overridden by those of the command line."""
    given = {name: getattr(opts, f"cetr_{name}") for name in RULES}
    chosen = {
        name: value if RULES[name].accepts(value) else from_command_line(value)
        for name, value in given.items()
        if value is not None
    }
    return make_options({**asdict(read_settings(settings).options), **chosen})


def _printer(args: Sequence[str], opts: Namespace, options: Options) -> Printer:
    unknown = [word for word in args if word.startswith("-")]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]}; scrapy cetr -h lists all options")
    if not args:
        raise ValueError("give at least one URL, file or folder; scrapy cetr -h shows the usage")
    if opts.format is not None and opts.format not in FORMATS:
        raise ValueError(f"--format must be one of {', '.join(FORMATS)}, not {opts.format!r}")
    if opts.compare and opts.format in ("markdown", "html"):
        raise ValueError(
            f"--compare can only be used with --format text or json, not {opts.format}"
        )
    quiet = opts.report is not None and opts.format is None and not opts.compare
    return Printer(
        options,
        format=None if quiet else opts.format or "text",
        compare=opts.compare,
        report=Path(opts.report) if opts.report is not None else None,
        several=len(args) > 1 or not (_is_url(args[0]) or is_one_page(Path(args[0]))),
    )


def _is_url(word: str) -> bool:
    return "://" in word or word.startswith("data:")


def _pages(args: Sequence[str], process: CrawlerProcessBase) -> Iterator[InputPage]:
    """Yield the pages in the order of the arguments, with a progress bar for stored pages."""
    downloaded = download([word for word in args if _is_url(word)], process)
    files = {word: find_files(Path(word)) for word in args if not _is_url(word)}
    total = sum(_size(file) for found in files.values() for file in found)
    # None: tqdm shows a bar only on a terminal.
    alone = not total or (len(args) == 1 and is_one_page(Path(args[0])))
    disable = True if alone else None
    with tqdm(total=total, unit="B", unit_scale=True, leave=False, disable=disable) as bar:
        for word in args:
            if word in downloaded:
                yield downloaded[word]
                continue
            if not files[word]:
                yield InputPage(name=word, error="contains no .html, .jsonl or .warc files")
            for file in files[word]:
                done = bar.n
                for page in read_stored(file):
                    bar.update(done + page.position - bar.n)
                    yield page


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0


def _print_error(error: str) -> None:
    tqdm.write(f"scrapy cetr: {error}", file=sys.stderr)
