"""Articles with Ray Data: callable classes for ``map_batches``.

HTML does not go through Ray's object store: archives are read inside of the actors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import Any
from uuid import uuid4

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import fs
except ImportError as error:
    raise ImportError("Ray Data needs pyarrow: pip install 'scrapy-cetr[ray]'") from error

from scrapy_cetr import __version__
from scrapy_cetr.extraction.batch import MEMORY, TIMEOUT, Fields
from scrapy_cetr.extraction.batch.arrow import COMPRESSION, make_batch
from scrapy_cetr.extraction.batch.columns import BATCH_ROWS, Extraction, table_records
from scrapy_cetr.extraction.batch.messages import Record
from scrapy_cetr.extraction.batch.session import Session
from scrapy_cetr.extraction.warc import read_archive

__all__ = ["ExtractPages", "ExtractWarc"]

# The key of the footer under which a file tells what it was made with.
_IDENTITY = b"scrapy-cetr"
_SUMMARY = pa.schema(
    [
        ("path", pa.string()),
        ("file", pa.string()),
        ("records", pa.int64()),
        ("errors", pa.int64()),
    ]
)


class _Extractor:
    """Makes batches of rows with a worker process that stays between calls."""

    def __init__(
        self,
        *,
        fields: Fields = None,
        options: Mapping[str, Any] | None = None,
        timeout: float = TIMEOUT,
        memory: int | None = MEMORY,
    ) -> None:
        self._extraction = Extraction(
            fields=fields, options=options, timeout=timeout, memory=memory
        )
        self._schema = self._extraction.schema
        self._session = Session(self._extraction.rows)

    def _batches(self, records: Iterable[Record]) -> Iterator[pa.RecordBatch]:
        rows = self._session.rows(records)
        while batch := list(islice(rows, BATCH_ROWS)):
            yield make_batch(batch, self._schema)


class ExtractPages(_Extractor):
    """Makes articles of tables with HTML: one row per row, error or not.

    ``html`` and ``url`` name the columns. Use it with ``batch_format="pyarrow"``.
    """

    def __init__(self, *, html: str = "html", url: str = "url", **arguments: Any) -> None:
        super().__init__(**arguments)
        self._html, self._url = html, url

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return the rows of a table of pages."""
        pages = table.combine_chunks().to_batches()
        records = (
            record
            for batch in pages
            for record in table_records(batch, html=self._html, url=self._url)
        )
        return pa.Table.from_batches(self._batches(records), self._schema)


class ExtractWarc(_Extractor):
    """Makes articles of WARC files, whose paths are in the column ``path``.

    With an ``output`` folder, it writes a Parquet file per archive, and yields the number of its
    records and errors. A file appears when it is complete, and is not written again as long as
    archive, fields, options and version are the same: a job that is started again does the rest.
    Without an ``output``, it yields the rows. Use it with ``batch_format="pyarrow"`` and
    ``batch_size=1``.
    """

    def __init__(
        self, *, output: str | None = None, error_pages: bool = False, **arguments: Any
    ) -> None:
        super().__init__(**arguments)
        self._error_pages = error_pages
        self._output = output
        identity = {name: repr(value) for name, value in vars(self._extraction).items()}
        # A page that took too long or too much memory is not tried again by itself.
        self._identity = json.dumps(
            {**identity, "version": __version__, "error_pages": error_pages}, sort_keys=True
        ).encode()

    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        """Yield the rows of archives, or with an output a summary per archive."""
        for path in table.column("path").to_pylist():
            if self._output is not None:
                yield pa.Table.from_pylist([self._write(path, self._output)], _SUMMARY)
                continue
            for batch in self._batches(read_archive(path, error_pages=self._error_pages)):
                yield pa.Table.from_batches([batch])

    def _write(self, path: str, output: str) -> dict[str, Any]:
        """Write the file of an archive, unless it is there."""
        store, folder = _file_system(output)
        store.create_dir(folder, recursive=True)
        file = f"{folder}/{_name(path)}.parquet"
        found = self._counts(store, file)
        if found is None:
            written = f"{folder}/.{_name(path)}.{uuid4().hex}.tmp"
            try:
                self._write_rows(store, written, path)
                store.move(written, file)
            except BaseException:
                with suppress(OSError):
                    store.delete_file(written)
                raise
            found = self._counts(store, file) or (0, 0)
        return {"path": path, "file": file, "records": found[0], "errors": found[1]}

    def _write_rows(self, store: fs.FileSystem, file: str, path: str) -> None:
        errors = 0
        with (
            store.open_output_stream(file) as stream,
            pq.ParquetWriter(stream, self._schema, compression=COMPRESSION) as writer,
        ):
            for batch in self._batches(read_archive(path, error_pages=self._error_pages)):
                errors += batch.num_rows - batch.column("error").null_count
                writer.write_batch(batch)
            writer.add_key_value_metadata({_IDENTITY: self._identity, b"errors": b"%d" % errors})

    def _counts(self, store: fs.FileSystem, file: str) -> tuple[int, int] | None:
        """Return the records and errors of a file; None if it is to be written."""
        try:
            with store.open_input_file(file) as stream:
                metadata = pq.read_metadata(stream)
        except (OSError, pa.ArrowInvalid):
            return None
        known = metadata.metadata or {}
        if known.get(_IDENTITY) != self._identity:
            return None
        return metadata.num_rows, int(known[b"errors"])


def _file_system(output: str) -> tuple[fs.FileSystem, str]:
    """Return the file system of a folder, and its path there."""
    if "://" in output:
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(output)
        return found
    return fs.LocalFileSystem(), output.rstrip("/")


def _name(path: str) -> str:
    """Return a name for the file of an archive; archives of several folders may share theirs."""
    name = path.rstrip("/").rpartition("/")[2]
    return f"{name}-{blake2b(path.encode(), digest_size=4).hexdigest()}"
