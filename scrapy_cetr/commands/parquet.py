"""Parquet: a typed schema for articles, rows in, and pages out. Needs pyarrow."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, unreadable
from scrapy_cetr.extraction.batch_worker import Request

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise UsageError("Parquet needs pyarrow: pip install 'scrapy-cetr[parquet]'") from error

_TEXT = pa.string()
_TEXTS = pa.list_(_TEXT)
_LINKS = pa.list_(pa.struct({"text": _TEXT, "url": _TEXT}))
_TYPES: Mapping[str, pa.DataType] = {
    "source_offset": pa.int64(),
    "words": pa.int64(),
    "page_chars": pa.int64(),
    "short": pa.bool_(),
    "truncated": pa.bool_(),
    "paywalled": pa.bool_(),
    "probability": pa.float64(),
    "authors": _TEXTS,
    "keywords": _TEXTS,
    "captions": _TEXTS,
    "links": _LINKS,
    "images": pa.list_(pa.struct({"url": _TEXT, "alt": _TEXT})),
    "breadcrumbs": pa.list_(pa.struct({"name": _TEXT, "url": _TEXT})),
    "sources": pa.map_(_TEXT, _TEXT),
}
# Rows of a row group at most: enough to compress well, few enough for the memory.
_GROUP_ROWS = 2_000
# Rows with HTML that are in memory at a time.
_BATCH_ROWS = 64


def schema_of(columns: Mapping[str, str]) -> pa.Schema:
    """Give the schema of columns, each with the attribute that it holds; all can be null."""
    return pa.schema([(name, _TYPES.get(attribute, _TEXT)) for name, attribute in columns.items()])


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
        parts.mkdir(parents=True, exist_ok=True)
        for part in parts.iterdir():
            if part.stem not in map(_part_name, range(position)):
                part.unlink()

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
        table = pa.Table.from_pylist(self._rows, self._schema)
        written = self._parts / "part.tmp"
        pq.write_table(table, written, compression="zstd")
        written.replace(self._parts / f"{_part_name(self._count)}.parquet")
        self._count += 1
        self._rows = []

    def stop(self) -> None:
        """Do nothing: all parts are closed."""

    def close(self) -> None:
        """Put the parts together into one file."""
        self.checkpoint()
        written = self._path.with_name(f".{self._path.name}.tmp")
        with pq.ParquetWriter(written, self._schema, compression="zstd") as writer:
            rows: list[pa.Table] = []
            for number in range(self._count):
                rows.append(pq.read_table(self._parts / f"{_part_name(number)}.parquet"))
                if sum(map(len, rows)) >= _GROUP_ROWS:
                    writer.write_table(pa.concat_tables(rows))
                    rows = []
            if rows:
                writer.write_table(pa.concat_tables(rows))
        written.replace(self._path)
        shutil.rmtree(self._parts)


def _part_name(number: int) -> str:
    return f"part-{number:06d}"


def read_parquet(path: Path, *, html: str, url: str) -> Iterator[InputPage]:
    """Yield a page per row of a file, from the columns with the HTML and the URL."""
    try:
        with pq.ParquetFile(path) as file:
            known = file.schema_arrow.names
            if html not in known:
                error = (
                    f"has no column {html!r} but {', '.join(known)};"
                    " name the column with the HTML by --html-column"
                )
                yield unreadable(str(path), error)
                return
            columns = [name for name in (html, url) if name in known]
            batches = file.iter_batches(batch_size=_BATCH_ROWS, columns=columns)
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows):
                yield _page(row.get(html), row.get(url), path, number=number)
    except pa.ArrowException as error:
        yield unreadable(str(path), f"cannot be read: {error}")


def _page(html: Any, url: Any, path: Path, *, number: int) -> InputPage:
    """Return the page of a row: decoded HTML, or bytes as they came."""
    kind, body = "error", b"is empty"
    if isinstance(html, str):
        kind, body = "text", html.encode("utf-8", "surrogatepass")
    elif isinstance(html, bytes):
        kind, body = "html", html
    url = url if isinstance(url, str) else None
    request = Request(kind, body, url=url, source_file=str(path), source_offset=number)
    return InputPage(name=url or f"{path}, row {number}", request=request, number=number + 1)
