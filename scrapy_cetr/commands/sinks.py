"""The destinations of ``scrapy cetr``: terminal, output file, or folder with a file per page."""

from __future__ import annotations

import json
import re
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from tqdm import tqdm

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.outputs import LinesOutput, Output

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 100
FILE_SUFFIXES = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json"}
ERRORS_FILE = "scrapy-cetr-errors.jsonl"


class Sink(Protocol):
    """Takes the rows of pages in order. A row is a JSON object."""

    def write(self, page: InputPage, row: bytes) -> None:
        """Take the row of a page."""

    def write_error(self, row: bytes) -> None:
        """Take the row of a page that could not be extracted."""

    def checkpoint(self) -> int:
        """Write everything to the disk; return a position to continue from."""

    def complete(self) -> None:
        """Make complete files of all rows up to the last checkpoint."""

    def close(self) -> None:
        """Close all files."""


class Terminal:
    """Prints the text of each page, under its name if there are several; or rows as JSON."""

    def __init__(self, *, format: str, several: bool) -> None:  # noqa: A002
        self._format = format
        self._several = several

    def write(self, page: InputPage, row: bytes) -> None:
        """Print a page."""
        if self._format == "json":
            tqdm.write(row.decode(), file=sys.stdout)
            return
        text = json.loads(row)[self._format]
        tqdm.write(f"== {page.name}\n{text}" if self._several else text, file=sys.stdout)

    def write_error(self, row: bytes) -> None:
        """Do nothing: errors are printed on standard error."""

    def checkpoint(self) -> int:
        """Flush the output."""
        sys.stdout.flush()
        return 0

    def complete(self) -> None:
        """Flush the output."""
        sys.stdout.flush()

    def close(self) -> None:
        """Do nothing: standard output stays open."""


class File:
    """Writes rows into one output file, those of unreadable pages with their error."""

    def __init__(self, output: Output) -> None:
        self.write_error = output.write
        self.checkpoint = output.checkpoint
        self.complete = output.complete
        self.close = output.close

    def write(self, page: InputPage, row: bytes) -> None:  # noqa: ARG002
        """Write a row."""
        self.write_error(row)


class Folder:
    """Writes a file per page, and errors into ERRORS_FILE. A file is complete or not there."""

    def __init__(self, folder: Path, *, format: str, position: int) -> None:  # noqa: A002
        self._folder = folder
        self._format = format
        self._errors = LinesOutput(folder / ERRORS_FILE, position=position)

    def write(self, page: InputPage, row: bytes) -> None:
        """Write the file of a page."""
        path = self._folder / file_name(page, suffix=FILE_SUFFIXES[self._format])
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_name(f".{path.name}.tmp")
        written.write_text(self._content(row), encoding="utf-8", errors="replace")
        written.replace(path)

    def _content(self, row: bytes) -> str:
        values: dict[str, Any] = json.loads(row)
        if self._format == "json":
            return json.dumps(values, ensure_ascii=False, indent=1) + "\n"
        return f"{values[self._format]}\n"

    def write_error(self, row: bytes) -> None:
        """Write an error."""
        self._errors.write(row)

    def checkpoint(self) -> int:
        """Write the errors to the disk; pages are written at once."""
        return self._errors.checkpoint()

    def complete(self) -> None:
        """Remove the file of errors if there are none."""
        if not self._errors.checkpoint():
            (self._folder / ERRORS_FILE).unlink()

    def close(self) -> None:
        """Close the file of errors."""
        self._errors.close()


def file_name(page: InputPage, *, suffix: str) -> str:
    """Return the path of a page's file inside of the output folder.

    The path of a stored page is that of its file, with a suffix. A URL becomes a name with a hash,
    as different URLs may look the same without their special characters.
    """
    if page.url is None:
        path = Path(page.file_name)
        return str(path.with_name(_shortened(path.name) + suffix))
    readable = _UNSAFE.sub("-", page.url.partition("://")[2]).strip("-.")[:_MAX_NAME]
    return f"{readable}-{_key(page.url)}{suffix}"


def _shortened(name: str) -> str:
    """Shorten names to which no suffix can be added, as file systems allow 255 bytes."""
    return name if len(name.encode("utf-8", "replace")) <= 200 else f"{name[:50]}-{_key(name)}"


def _key(name: str) -> str:
    return blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
