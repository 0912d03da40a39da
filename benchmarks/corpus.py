"""Corpora: JSON Lines files, gzipped or not, with one page and its gold text per line."""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from benchmarks.errors import BenchmarkError

KEYS = ("id", "url", "type", "html", "text")
NULLABLE_KEYS = ("url", "type")
# Only some corpora have these; they are null on pages without a value.
OPTIONAL_KEYS = ("title", "author", "date", "language")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page and its gold text: the text that an annotator kept."""

    id: str
    url: str | None
    type: str | None
    html: str
    text: str
    title: str | None = None
    author: str | None = None
    date: str | None = None
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """The pages of a file that are measured; ``chosen`` are their positions in the file."""

    path: Path
    chosen: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the file without .jsonl and .gz."""
        return self.path.name.removesuffix(".gz").removesuffix(".jsonl")

    def pages(self) -> Iterator[Page]:
        """Yield the chosen pages one at a time, as a corpus may not fit in memory."""
        return read_pages(self.path, chosen=frozenset(self.chosen))


def open_corpus(path: Path, *, page_type: str | None = None, limit: int | None = None) -> Corpus:
    """Check every line of a file, and choose the pages to measure."""
    types = [page.type for page in read_pages(path)]
    if not types:
        raise BenchmarkError(f"{path}: the file has no pages; one JSON object per line is expected")
    fitting = [
        position for position, found in enumerate(types) if page_type is None or found == page_type
    ]
    if not fitting:
        found = ", ".join(f"{name} ({count})" for name, count in Counter(types).most_common())
        raise BenchmarkError(f"{path}: no pages of type {page_type!r}; its types are: {found}")
    return Corpus(path=path, chosen=tuple(spread(fitting, limit)))


def spread(positions: Sequence[int], limit: int | None) -> list[int]:
    """Pick at most ``limit`` positions, evenly spread.

    >>> spread(range(10), 3)
    [0, 3, 6]
    """
    if limit is None or limit >= len(positions):
        return list(positions)
    return [positions[step * len(positions) // limit] for step in range(limit)]


def read_pages(path: Path, *, chosen: Container[int] | None = None) -> Iterator[Page]:
    """Yield the pages of a file, or those at the chosen positions; blank lines are skipped."""
    try:
        with open_text(path) as lines:
            written = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
            for position, (number, line) in enumerate(written):
                if chosen is None or position in chosen:
                    yield parse_page(line, where=f"{path}, line {number}")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise BenchmarkError(
            f"{path}: cannot be read ({reason}); a UTF-8 .jsonl or .jsonl.gz file is expected"
        ) from error


def open_text(path: Path) -> TextIO:
    """Open a file as UTF-8 text, decompressed if its name ends in .gz."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def parse_page(line: str, *, where: str) -> Page:
    """Turn a line into a page, or raise an error that names the file and line."""
    try:
        record = json.loads(line)
    except ValueError as error:
        raise BenchmarkError(f"{where}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BenchmarkError(f"{where}: a JSON object is expected, not {type(record).__name__}")
    missing = [key for key in KEYS if key not in record]
    if missing:
        raise BenchmarkError(f"{where}: lacks {', '.join(missing)}; needed are {', '.join(KEYS)}")
    for key in KEYS:
        value = record[key]
        if not isinstance(value, str) and not (value is None and key in NULLABLE_KEYS):
            raise BenchmarkError(f"{where}: {key!r} has to be a string, not {type(value).__name__}")
    for key in OPTIONAL_KEYS:
        value = record.get(key)
        if not isinstance(value, str) and value is not None:
            raise BenchmarkError(f"{where}: {key!r} has to be a string, not {type(value).__name__}")
    return Page(**{key: record[key] for key in (*KEYS, *OPTIONAL_KEYS) if key in record})
