"""Corpora: JSON-lines files, gzipped or not, that hold one page and its gold text a line."""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from benchmarks.errors import BenchmarkError

KEYS = ("id", "url", "type", "html", "text")
NULLABLE_KEYS = ("url", "type")
# What only some corpora give; null where a page has none.
OPTIONAL_KEYS = ("title", "author", "date")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page, and the text that a person would keep of it."""

    id: str
    url: str | None
    type: str | None
    html: str
    text: str
    title: str | None = None
    author: str | None = None
    date: str | None = None


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """The pages of a file that take part in a benchmark, by their position in the file."""

    path: Path
    chosen: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the file, without what only tells its format."""
        return self.path.name.removesuffix(".gz").removesuffix(".jsonl")

    def pages(self) -> Iterator[Page]:
        """Read the chosen pages one by one, as a corpus need not fit in memory."""
        chosen = set(self.chosen)
        for position, page in enumerate(read_pages(self.path)):
            if position in chosen:
                yield page


def open_corpus(path: Path, *, page_type: str | None = None, limit: int | None = None) -> Corpus:
    """Read a file once to check every line of it and choose the pages that take part."""
    types = [page.type for page in read_pages(path)]
    if not types:
        raise BenchmarkError(f"{path}: no pages in it; one JSON object a line is expected")
    fitting = [
        position for position, found in enumerate(types) if page_type is None or found == page_type
    ]
    if not fitting:
        found = ", ".join(f"{name} ({count})" for name, count in Counter(types).most_common())
        raise BenchmarkError(f"{path}: no pages of type {page_type!r}; its types are: {found}")
    return Corpus(path=path, chosen=tuple(spread(fitting, limit)))


def spread(positions: Sequence[int], limit: int | None) -> list[int]:
    """Pick so many positions, evenly over all of them.

    >>> spread(range(10), 3)
    [0, 3, 6]
    """
    if limit is None or limit >= len(positions):
        return list(positions)
    return [positions[step * len(positions) // limit] for step in range(limit)]


def read_pages(path: Path) -> Iterator[Page]:
    """Read all pages of a file in order; blank lines are none."""
    try:
        with open_text(path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield parse_page(line, place=f"{path}, line {number}")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise BenchmarkError(
            f"{path}: cannot be read ({reason}); a UTF-8 .jsonl or .jsonl.gz file is expected"
        ) from error


def open_text(path: Path) -> TextIO:
    """Open a file as UTF-8 text, unpacked if its name ends in .gz."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def parse_page(line: str, *, place: str) -> Page:
    """Turn a line into a page, or say what is wrong at this place."""
    try:
        record = json.loads(line)
    except ValueError as error:
        raise BenchmarkError(f"{place}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BenchmarkError(f"{place}: a JSON object is expected, not {type(record).__name__}")
    missing = [key for key in KEYS if key not in record]
    if missing:
        raise BenchmarkError(f"{place}: lacks {', '.join(missing)}; needed are {', '.join(KEYS)}")
    for key in KEYS:
        value = record[key]
        if not isinstance(value, str) and not (value is None and key in NULLABLE_KEYS):
            raise BenchmarkError(f"{place}: {key!r} has to be a string, not {type(value).__name__}")
    for key in OPTIONAL_KEYS:
        value = record.get(key)
        if not isinstance(value, str) and value is not None:
            raise BenchmarkError(f"{place}: {key!r} has to be a string, not {type(value).__name__}")
    return Page(**{key: record[key] for key in (*KEYS, *OPTIONAL_KEYS) if key in record})
