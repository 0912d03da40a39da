"""Articles in Spark: DataFrames of pages in, DataFrames of articles out.

Each task has a worker process. A page that hangs, ends its process or needs too much memory costs
one row with an error, not the job.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
except ImportError as error:
    raise ImportError("Spark needs PySpark: pip install 'scrapy-cetr[spark]'") from error

from scrapy_cetr.extraction.batch import MEMORY, TIMEOUT
from scrapy_cetr.extraction.batch.columns import PAGES, Extraction, page_batches
from scrapy_cetr.extraction.warc import read_archive

if TYPE_CHECKING:
    from scrapy_cetr.extraction.batch import Fields
    from scrapy_cetr.extraction.batch.messages import Record

__all__ = ["extract", "extract_warc", "read_warc"]


def extract(
    df: DataFrame,
    *,
    html: str = "html",
    url: str = "url",
    fields: Fields = None,
    keep: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
    memory: int | None = MEMORY,
) -> DataFrame:
    """Return the articles of a DataFrame of pages: one row per row, error or not.

    ``html`` and ``url`` name its columns with the HTML, as strings or bytes, and the URL. Its
    columns ``source_file``, ``source_offset``, ``record_id`` and ``warc_date`` are taken over if
    there are any, as are those that ``keep`` names. See ``articles()`` for the other arguments.
    """
    if html not in df.columns:
        raise ValueError(f"there is no column {html!r} with the HTML; html= names another one")
    extraction = Extraction(fields=fields, options=options, timeout=timeout, memory=memory)
    made = [_ddl(field) for field in extraction.schema]
    taken = {field.name for field in extraction.schema} & {*keep}
    if taken:
        raise ValueError(f"the articles have a column {min(taken)!r} already; rename that of keep")
    kept = [f"`{name}` {df.schema[name].dataType.simpleString()}" for name in keep]
    needed = [name for name in df.columns if name in (html, url, *keep, *PAGES.names)]

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return extraction.of_tables(batches, html=html, url=url, keep=keep)

    return df.select(*needed).mapInArrow(run, ", ".join((*kept, *made)))


def read_warc(spark: SparkSession, paths: Iterable[str], *, error_pages: bool = False) -> DataFrame:
    """Return the HTML pages of WARC files, one file per partition, and a row for each loss.

    ``paths`` are those of local files that all workers have, or URLs that fsspec can open. The
    column ``html`` is null, and ``error`` is not, where something could not be read.
    """

    def run(records: Iterable[Record]) -> Iterator[pa.RecordBatch]:
        return page_batches(records)

    return _read(spark, paths, run, schema=PAGES, error_pages=error_pages)


def extract_warc(
    spark: SparkSession,
    paths: Iterable[str],
    *,
    fields: Fields = None,
    options: Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
    memory: int | None = MEMORY,
    error_pages: bool = False,
) -> DataFrame:
    """Return the articles of WARC files: the same as ``extract(read_warc(spark, paths))``.

    It is faster, because no HTML goes through the JVM.
    """
    extraction = Extraction(fields=fields, options=options, timeout=timeout, memory=memory)
    return _read(
        spark, paths, extraction.batches, schema=extraction.schema, error_pages=error_pages
    )


def _read(
    spark: SparkSession, paths: Iterable[str], make: Any, *, schema: pa.Schema, error_pages: bool
) -> DataFrame:
    """Make batches of the records of each file, in a partition of its own."""
    files = tuple(map(str, paths))

    def records(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                yield from read_archive(files[number], error_pages=error_pages)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from make(records(batches))

    # Not a DataFrame of paths, which Spark might put into one partition.
    numbers = spark.range(0, len(files), 1, numPartitions=max(len(files), 1))
    return numbers.mapInArrow(run, ", ".join(map(_ddl, schema)))


def _ddl(field: pa.Field) -> str:
    return f"`{field.name}` {_type(field.type)}"


def _type(kind: pa.DataType) -> str:
    """Return the name of a type in Spark's SQL.

    >>> _type(pa.list_(pa.struct({"text": pa.string(), "depth": pa.int64()})))
    'array<struct<`text`: string, `depth`: bigint>>'
    """
    if pa.types.is_list(kind):
        return f"array<{_type(kind.value_type)}>"
    if pa.types.is_struct(kind):
        inside = ", ".join(f"`{field.name}`: {_type(field.type)}" for field in kind)
        return f"struct<{inside}>"
    if pa.types.is_map(kind):
        return f"map<{_type(kind.key_type)}, {_type(kind.item_type)}>"
    return _TYPES[str(kind)]


_TYPES = {
    "string": "string",
    "binary": "binary",
    "int64": "bigint",
    "double": "double",
    "bool": "boolean",
}
