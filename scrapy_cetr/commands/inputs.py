"""Stored pages for ``scrapy cetr``: HTML, JSON-lines, WARC and Parquet files, and folders.

Pages are read one at a time. An unreadable page yields a request with the error.
"""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import glob, has_magic
from itertools import chain
from pathlib import Path
from typing import IO, cast

from scrapy_cetr.extraction.batch_worker import Request

STANDARD_INPUT = "-"
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
_WARC_SUFFIXES = (".warc",)
_PARQUET_SUFFIXES = (".parquet",)
_MANY_PAGES = (*_JSON_LINES_SUFFIXES, *_WARC_SUFFIXES, *_PARQUET_SUFFIXES)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPage:
    """A page to extract.

    ``name`` is shown to the user. ``file_name`` is the name of the page's own output file, without
    a suffix. ``number`` is that of the page in its file, from 1 on. ``position`` is the number of
    bytes of the inputs that have been read so far. ``url`` is that of a page to download, as given.
    """

    name: str
    request: Request
    file_name: str = ""
    number: int = 0
    position: int = 0
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of Parquet files that contain the HTML and the URL."""

    html: str = "html"
    url: str = "url"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file with pages, and the path that its output files get in an output folder."""

    path: Path
    output_path: str

    @property
    def size(self) -> int:
        """The size in bytes; 0 if the file cannot be read."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


def find_files(word: str) -> list[StoredFile]:
    """Return the files of an argument: a file, a folder with its subfolders, or a glob pattern."""
    path = Path(word)
    if path.is_dir():
        known = (*_HTML_SUFFIXES, *_MANY_PAGES)
        files = sorted(file for file in path.rglob("*") if _suffix(file) in known)
        return [
            StoredFile(path=file, output_path=str(file.relative_to(path)))
            for file in files
            if file.is_file()
        ]
    if has_magic(word) and not path.exists():
        found = sorted(glob(word, recursive=True))  # noqa: PTH207 (an absolute pattern)
        return list(chain.from_iterable(find_files(name) for name in found))
    return [StoredFile(path=path, output_path=path.name)]


def is_one_page(word: str) -> bool:
    """Return whether an argument is a file that holds a single page."""
    path = Path(word)
    if path.is_dir() or (has_magic(word) and not path.exists()):
        return False
    return word != STANDARD_INPUT and _suffix(path) not in _MANY_PAGES


def read_pages(
    file: StoredFile, *, columns: Columns, error_pages: bool = False
) -> Iterator[InputPage]:
    """Yield the pages of a file; ``error_pages`` includes WARC responses with an error status."""
    path, suffix = file.path, _suffix(file.path)
    if suffix not in _MANY_PAGES:
        request = Request("file", os.fsencode(path), source_file=str(path), source_offset=0)
        yield InputPage(name=str(path), request=request, position=file.size)
        return
    try:
        if suffix in _WARC_SUFFIXES:
            from scrapy_cetr.commands.warc import read_warc

            yield from read_warc(path, error_pages=error_pages)
        elif suffix in _PARQUET_SUFFIXES:
            from scrapy_cetr.commands.parquet import read_parquet

            yield from read_parquet(path, html=columns.html, url=columns.url)
        else:
            with _opened(path) as (raw, stream):
                yield from read_json_lines(stream, name=str(path), raw=raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        yield unreadable(str(path), f"cannot be read: {reason}", position=file.size)


def unreadable(name: str, error: str, *, position: int = 0) -> InputPage:
    """Return a page that stands for something that cannot be read."""
    request = Request("error", error.encode("utf-8", "replace"), source_file=name)
    return InputPage(name=name, request=request, position=position)


def _suffix(path: Path) -> str:
    """Return the suffix that says what a file contains.

    >>> _suffix(Path("crawl.WARC.gz"))
    '.warc'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


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
    stream: IO[bytes], *, name: str, raw: IO[bytes] | None = None
) -> Iterator[InputPage]:
    """Yield a page per line. The worker parses the line, so that this process reads on."""
    offset = 0
    for number, line in enumerate(stream, start=1):
        if line.strip():
            yield InputPage(
                name=f"{name}, line {number}",
                request=Request("json", line, source_file=name, source_offset=offset),
                number=number,
                position=raw.tell() if raw is not None else 0,
            )
        offset += len(line)


def read_standard_input(stream: IO[bytes]) -> Iterator[InputPage]:
    """Yield the page on standard input, or its pages if it starts with a JSON object."""
    first = stream.readline()
    while first and not first.strip():
        first = stream.readline()
    if first.lstrip().startswith(b"{"):
        lines = chain([first], stream)
        yield from read_json_lines(cast("IO[bytes]", lines), name="standard input")
        return
    request = Request("html", first + stream.read(), source_file="standard input", source_offset=0)
    yield InputPage(name="standard input", request=request, file_name="standard-input")


def stored_pages(
    words: Sequence[str], *, columns: Columns, error_pages: bool
) -> Iterator[InputPage]:
    """Yield the pages of all arguments, in their order."""
    done, names = 0, Counter[str]()
    for word in words:
        if word == STANDARD_INPUT:
            yield from read_standard_input(sys.stdin.buffer)
            continue
        files = find_files(word)
        if not files:
            yield unreadable(word, "contains no .html, .jsonl, .warc or .parquet files")
        for file in files:
            stem = _unique_stem(file, names)
            for page in read_pages(file, columns=columns, error_pages=error_pages):
                name = stem if page.request.kind == "file" else f"{stem}-{page.number}"
                yield replace(page, file_name=name, position=done + page.position)
            done += file.size


def _unique_stem(file: StoredFile, names: Counter[str]) -> str:
    """Return the name of a file's output without a suffix, numbered if an earlier one has it."""
    path = Path(file.output_path)
    stem = str(path.with_name(path.name.partition(".")[0] or path.name))
    names[stem] += 1
    return stem if names[stem] == 1 else f"{stem}-{names[stem]}"
