"""Batches of an Arrow table in, batches of rows out: what Spark and Ray have in common."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pyarrow as pa

from scrapy_cetr.extraction.batch import MEMORY, TIMEOUT, Fields, articles, make_job
from scrapy_cetr.extraction.batch.arrow import make_batch, schema_of
from scrapy_cetr.extraction.batch.messages import Record
from scrapy_cetr.extraction.batch.schema import columns_of
from scrapy_cetr.extraction.options import Options

# Rows of a batch at most, when they are not those of a batch that came in.
BATCH_ROWS = 256
# The columns of a table of records, beside those with the HTML and the URL.
_OF_RECORDS = ("source_file", "source_offset", "record_id", "warc_date", "charset", "error")


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """What is made of pages. It can be pickled, and sent to other machines."""

    fields: Fields = None
    options: Options | Mapping[str, Any] | None = None
    timeout: float = TIMEOUT
    memory: int | None = MEMORY

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows; a ValueError says which field or option is wrong."""
        job = make_job(self.fields, self.options, memory=self.memory)
        return schema_of(columns_of(job.fields))

    def rows(self, records: Iterable[Record]) -> Generator[dict[str, Any], None, None]:
        """Yield a row per record."""
        return articles(
            records,
            fields=self.fields,
            options=self.options,
            timeout=self.timeout,
            memory=self.memory,
        )

    def batches(self, records: Iterable[Record]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of records in batches."""
        schema = self.schema
        with closing(self.rows(records)) as rows:
            while batch := list(islice(rows, BATCH_ROWS)):
                yield make_batch(batch, schema)

    def of_tables(
        self,
        tables: Iterable[pa.RecordBatch],
        *,
        html: str,
        url: str,
        keep: Sequence[str] = (),
    ) -> Iterator[pa.RecordBatch]:
        """Yield a batch of rows for each batch of pages, with the columns to keep in front."""
        schema = self.schema
        # The pages of several batches may be under way at the same time.
        under_way: deque[pa.RecordBatch] = deque()

        def records() -> Iterator[Record]:
            for table in tables:
                under_way.append(table)
                yield from table_records(table, html=html, url=url)

        with closing(self.rows(records())) as rows:
            for first in rows:
                while not under_way[0].num_rows:
                    under_way.popleft()
                table = under_way.popleft()
                found = make_batch([first, *islice(rows, table.num_rows - 1)], schema)
                if keep:
                    arrays = [table.column(name) for name in keep] + found.columns
                    fields = [table.schema.field(name) for name in keep] + list(schema)
                    found = pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))
                yield found


def table_records(table: pa.RecordBatch, *, html: str, url: str) -> Iterator[Record]:
    """Yield the records of a table, with what its columns tell of them."""
    known = table.schema.names
    if html not in known:
        raise ValueError(f"there is no column {html!r} with the HTML, but {', '.join(known)}")
    columns = {name: table.column(name) for name in _OF_RECORDS if name in known}
    urls = table.column(url) if url in known else None
    for number, page in enumerate(table.column(html)):
        content = page.as_py()
        values = {name: column[number].as_py() for name, column in columns.items()}
        if not isinstance(content, (str, bytes)):
            values["error"] = values.get("error") or _no_page(content, html)
            content = b""
        found = urls[number].as_py() if urls is not None else None
        yield Record(content, url=found, **values)


def _no_page(content: object, column: str) -> str:
    if content is None:
        return "is empty"
    return f"the column {column!r} must have strings or bytes, not {type(content).__name__}"


# The schema of pages that were read from WARC files.
PAGES = pa.schema(
    [
        ("source_file", pa.string()),
        ("source_offset", pa.int64()),
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("warc_date", pa.string()),
        ("charset", pa.string()),
        ("html", pa.binary()),
        ("error", pa.string()),
    ]
)
# Bytes of HTML in a batch of pages.
_BATCH_BYTES = 8_000_000


def page_batches(records: Iterable[Record]) -> Iterator[pa.RecordBatch]:
    """Yield records as batches with the columns of PAGES, of bounded size."""
    rows: list[dict[str, Any]] = []
    size = 0
    for record in records:
        values = record._asdict()
        # A record that could not be read has no page.
        values["html"] = record.html if record.error is None else None
        rows.append(values)
        size += len(record.html)
        if size > _BATCH_BYTES or len(rows) == BATCH_ROWS:
            yield make_batch(rows, PAGES)
            rows, size = [], 0
    if rows:
        yield make_batch(rows, PAGES)
