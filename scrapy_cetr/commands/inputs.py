"""Stored pages for ``scrapy cetr``: HTML, JSON-lines, WARC and Parquet files, and folders.

Pages are read one at a time. An unreadable page yields a record with the error.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, cast

from scrapy_cetr.commands.files import (
    MANY_PAGES,
    PARQUET_SUFFIXES,
    STANDARD_INPUT,
    WARC_SUFFIXES,
    StoredFile,
    StoredInputs,
    file_suffix,
)
from scrapy_cetr.extraction.batch import Record
from scrapy_cetr.extraction.warc import read_warc

_STANDARD_INPUT = "standard input"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPage:
    """A page to extract.

    ``name`` is shown to the user. ``file_name`` is the path of the page's own file in an output
    folder, without a suffix. ``position`` is the number of bytes of the inputs that have been
    read so far. ``url`` is that of a page to download, as it was given.
    """

    name: str
    record: Record
    file_name: str = ""
    position: int = 0
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of Parquet files that contain the HTML and the URL."""

    html: str = "html"
    url: str = "url"


def read_pages(
    file: StoredFile, *, columns: Columns, error_pages: bool = False
) -> Iterator[InputPage]:
    """Yield the pages of a file; ``error_pages`` includes WARC responses with an error status."""
    path, suffix = file.path, file_suffix(file.path.name)
    if suffix not in MANY_PAGES:
        record = Record(os.fsencode(path), source_file=str(path), source_offset=0, form="file")
        name = file.output_path
        yield InputPage(name=str(path), record=record, file_name=name, position=file.size)
        return
    try:
        for page in _read_many(path, suffix, columns=columns, error_pages=error_pages):
            # One folder per file, with one file per page.
            yield replace(page, file_name=f"{file.output_path}/{page.file_name}")
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        yield unreadable(str(path), f"cannot be read: {reason}", position=file.size)


def _read_many(
    path: Path, suffix: str, *, columns: Columns, error_pages: bool
) -> Iterator[InputPage]:
    if suffix in WARC_SUFFIXES:
        yield from _read_warc(path, error_pages=error_pages)
    elif suffix in PARQUET_SUFFIXES:
        from scrapy_cetr.commands.parquet_input import read_parquet

        yield from read_parquet(path, html=columns.html, url=columns.url)
    else:
        with _opened(path) as (raw, stream):
            yield from read_json_lines(stream, name=str(path), raw=raw)


def _read_warc(path: Path, *, error_pages: bool) -> Iterator[InputPage]:
    with path.open("rb") as file:
        found = read_warc(file, name=str(path), error_pages=error_pages)
        for number, record in enumerate(found, start=1):
            name = record.url or str(path)
            yield InputPage(name=name, record=record, file_name=str(number), position=file.tell())


def unreadable(name: str, error: str, *, position: int = 0) -> InputPage:
    """Return a page that stands for something that cannot be read."""
    record = Record(source_file=name, error=error)
    return InputPage(name=name, record=record, position=position)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file; yield its raw bytes, and its content, which is decompressed if it is .gz."""
    with path.open("rb") as raw:
        if path.suffix.lower() != ".gz":
            yield raw, raw
            return
        with gzip.open(raw, "rb") as content:
            yield raw, cast("IO[bytes]", content)


def read_json_lines(
    stream: Iterable[bytes], *, name: str, raw: IO[bytes] | None = None
) -> Iterator[InputPage]:
    """Yield a page per line. The worker parses the line, so that this process reads on."""
    offset = 0
    for number, line in enumerate(stream, start=1):
        if line.strip():
            yield InputPage(
                name=f"{name}, line {number}",
                record=Record(line, source_file=name, source_offset=offset, form="json"),
                file_name=str(number),
                position=raw.tell() if raw is not None else 0,
            )
        offset += len(line)


def read_standard_input(stream: IO[bytes]) -> Iterator[InputPage]:
    """Yield the page on standard input, or its pages if it starts with a JSON object."""
    first = stream.readline()
    while first and not first.strip():
        first = stream.readline()
    if first.lstrip().startswith(b"{"):
        for page in read_json_lines(chain([first], stream), name=_STANDARD_INPUT):
            yield replace(page, file_name=f"standard-input/{page.file_name}")
        return
    record = Record(first + stream.read(), source_file=_STANDARD_INPUT, source_offset=0)
    yield InputPage(name=_STANDARD_INPUT, record=record, file_name="standard-input")


def stored_pages(
    inputs: StoredInputs, *, columns: Columns, error_pages: bool
) -> Iterator[InputPage]:
    """Yield the pages of all arguments, in their order."""
    done = 0
    for word in inputs.words:
        if word == STANDARD_INPUT:
            # Not sys.stdin: a thread that still reads it would block the end of the process.
            with open(0, "rb", closefd=False) as stream:
                yield from read_standard_input(stream)
            continue
        is_empty = True
        for file in inputs.files(word):
            is_empty = False
            for page in read_pages(file, columns=columns, error_pages=error_pages):
                yield replace(page, position=done + page.position)
            done += file.size
        if is_empty:
            yield unreadable(word, "contains no .html, .jsonl, .warc or .parquet files")
