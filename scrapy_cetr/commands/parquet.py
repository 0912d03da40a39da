"""Parquet files of articles, with a typed schema. Needs pyarrow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrapy_cetr.commands.errors import UsageError

try:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from scrapy_cetr.extraction.batch.arrow import COMPRESSION, make_batch, schema_of
except ImportError as error:
    raise UsageError("Parquet needs pyarrow: pip install 'scrapy-cetr[parquet]'") from error

# Rows of a row group at most: enough to compress well, few enough for the memory.
_GROUP_ROWS = 2_000
# Parts are read once more, for the file. Only that has to be small.
_PART_COMPRESSION = "lz4"


class ParquetOutput:
    """Rows in part files, one per checkpoint, which become one file at the end.

    A Parquet file without its end cannot be read, so a crash would lose all of it.
    """

    def __init__(
        self, path: Path, *, columns: Mapping[str, str], position: int, parts: Path
    ) -> None:
        self._path = path
        self._schema = schema_of(columns)
        self._parts = parts
        self._count = position
        self._rows: list[Mapping[str, Any]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        parts.mkdir(parents=True, exist_ok=True)
        known = {_part_name(number) for number in range(position)}
        for part in parts.iterdir():
            if part.name not in known:
                part.unlink()
        if len(list(parts.iterdir())) < position:
            raise UsageError(f"{parts} is incomplete; delete {parts.parent} to start again")

    def write(self, row: bytes) -> None:
        """Keep a row for the next part."""
        self._rows.append(json.loads(row))
        if len(self._rows) == _GROUP_ROWS:
            self._write_part()

    def checkpoint(self) -> int:
        """Write the rows since the last checkpoint as a part."""
        if self._rows:
            self._write_part()
        return self._count

    def _write_part(self) -> None:
        table = pa.Table.from_batches([make_batch(self._rows, self._schema)])
        written = self._parts / "part.tmp"
        pq.write_table(table, written, compression=_PART_COMPRESSION)
        written.replace(self._parts / _part_name(self._count))
        self._count += 1
        self._rows = []

    def complete(self) -> None:
        """Put the parts together into one file. The parts are kept, so that more can follow."""
        written = self._path.with_name(f".{self._path.name}.tmp")
        with pq.ParquetWriter(written, self._schema, compression=COMPRESSION) as writer:
            rows: list[pa.Table] = []
            for number in range(self._count):
                rows.append(pq.read_table(self._parts / _part_name(number)))
                if sum(map(len, rows)) >= _GROUP_ROWS:
                    writer.write_table(pa.concat_tables(rows))
                    rows = []
            if rows:
                writer.write_table(pa.concat_tables(rows))
        written.replace(self._path)

    def close(self) -> None:
        """Do nothing: no file is open."""


def _part_name(number: int) -> str:
    return f"part-{number:06d}.parquet"
