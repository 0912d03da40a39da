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
from scrapy_cetr.commands.outputs import Output

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 100
FILE_SUFFIXES = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json"}


class Sink(Protocol):
    """Takes the rows of pages in order. ``records_errors`` is whether it takes error rows."""

    records_errors: bool

    def write(self, page: InputPage, row: bytes) -> None:
        """Take the row of a page, a JSON object."""

    def checkpoint(self) -> int:
        """Write everything to the disk; return a position to continue from."""

    def stop(self) -> None:
        """Close everything as it is at the last checkpoint, to be continued."""

    def close(self) -> None:
        """Finish."""


class Terminal:
    """Prints the text of each page, under its name if there are several; or rows as JSON."""

    records_errors = False

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

    def checkpoint(self) -> int:
        """Flush the output."""
        sys.stdout.flush()
        return 0

    def stop(self) -> None:
        """Flush the output."""
        sys.stdout.flush()

    def close(self) -> None:
        """Flush the output."""
        sys.stdout.flush()


class File:
    """Writes rows into one output file, rows of unreadable pages with their error."""

    records_errors = True

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, page: InputPage, row: bytes) -> None:  # noqa: ARG002
        """Write a row."""
        self._output.write(row)

    def checkpoint(self) -> int:
        """Write all rows to the disk."""
        return self._output.checkpoint()

    def stop(self) -> None:
        """Close the file."""
        self._output.stop()

    def close(self) -> None:
        """Finish the file."""
        self._output.close()


class Folder:
    """Writes a file per page. A file is complete or not there."""

    records_errors = False

    def __init__(self, folder: Path, *, format: str) -> None:  # noqa: A002
        self._folder = folder
        self._format = format
        folder.mkdir(parents=True, exist_ok=True)

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

    def checkpoint(self) -> int:
        """Do nothing: files are written at once."""
        return 0

    def stop(self) -> None:
        """Do nothing: files are written at once."""

    def close(self) -> None:
        """Do nothing: files are written at once."""


def file_name(page: InputPage, *, suffix: str) -> str:
    """Return the path of a page's file inside of the output folder.

    A stored file keeps its name and subfolder. A URL becomes a name with a hash, as different URLs
    may look the same without their special characters. No name leads out of the folder.
    """
    if page.url is None:
        parts = [part for part in Path(page.file_name).parts if part not in ("/", "..", ".")]
        return str(Path(*parts)) + suffix
    readable = _UNSAFE.sub("-", page.url.partition("://")[2]).strip("-.")[:_MAX_NAME]
    key = blake2b(page.url.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{readable}-{key}{suffix}"
