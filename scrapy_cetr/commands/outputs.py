"""The output files of ``scrapy cetr``: JSON lines, CSV and Parquet.

Every output can be continued after a crash. ``checkpoint`` writes all rows so far to the disk and
returns a position. An output that is opened with a position drops everything after it.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from scrapy_cetr.commands.errors import UsageError

SUFFIXES = (".jsonl", ".jsonl.gz", ".csv", ".parquet")
# Bytes that are written at a time: more than a row, so that not each of them is a system call.
_BUFFER = 1 << 20


class Output(Protocol):
    """Takes rows, and can say how far it got."""

    def write(self, row: bytes) -> None:
        """Take a row, a JSON object."""

    def checkpoint(self) -> int:
        """Write all rows to the disk, and return the position to continue from."""

    def complete(self) -> None:
        """Make a complete file of all rows up to the last checkpoint."""

    def close(self) -> None:
        """Close the file."""


def open_output(path: Path, *, columns: Mapping[str, str], position: int, parts: Path) -> Output:
    """Open an output by its name; a ``position`` other than 0 continues it."""
    if path.name.lower().endswith(".parquet"):
        from scrapy_cetr.commands.parquet import ParquetOutput

        return ParquetOutput(path, columns=columns, position=position, parts=parts)
    if path.suffix.lower() == ".csv":
        return CsvOutput(path, columns=list(columns), position=position)
    if path.suffix.lower() == ".gz":
        return GzipLinesOutput(path, position=position)
    return LinesOutput(path, position=position)


def _opened(path: Path, position: int) -> IO[bytes]:
    """Open a file, and cut off what was written after the position."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if position and (not path.exists() or path.stat().st_size < position):
        raise UsageError(
            f"{path} cannot be continued, as it has fewer than {position:,} bytes;"
            f" delete {path}.progress to start again"
        )
    if not position:
        return path.open("wb", buffering=_BUFFER)
    file = path.open("r+b", buffering=_BUFFER)
    file.truncate(position)
    file.seek(position)
    return file


class LinesOutput:
    """JSON lines."""

    def __init__(self, path: Path, *, position: int) -> None:
        self._file = _opened(path, position)

    def write(self, row: bytes) -> None:
        """Write a row."""
        self._file.write(row + b"\n")

    def checkpoint(self) -> int:
        """Flush the file to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def complete(self) -> None:
        """Do nothing: the file is complete at each checkpoint."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class GzipLinesOutput(LinesOutput):
    """JSON lines in gzip. Each checkpoint ends a member, so the file can be cut there."""

    def __init__(self, path: Path, *, position: int) -> None:
        super().__init__(path, position=position)
        self._lines: list[bytes] = []

    def write(self, row: bytes) -> None:
        """Keep a row for the next member."""
        self._lines.append(row + b"\n")

    def checkpoint(self) -> int:
        """Write the rows since the last checkpoint as one member."""
        if self._lines:
            self._file.write(gzip.compress(b"".join(self._lines), mtime=0))
            self._lines.clear()
        return super().checkpoint()


class CsvOutput(LinesOutput):
    """CSV with a header; lists and objects are written as JSON."""

    def __init__(self, path: Path, *, columns: Sequence[str], position: int) -> None:
        super().__init__(path, position=position)
        self._columns = columns
        if not position:
            self._write_line(columns)

    def write(self, row: bytes) -> None:
        """Write a row; a column that it does not have is empty."""
        values = json.loads(row)
        self._write_line([_cell(values.get(name)) for name in self._columns])

    def _write_line(self, cells: Sequence[Any]) -> None:
        line = io.StringIO()
        csv.writer(line).writerow(cells)
        self._file.write(line.getvalue().encode("utf-8", "replace"))


def _cell(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return value
