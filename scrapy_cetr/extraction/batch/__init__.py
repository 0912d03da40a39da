"""Extracts many pages behind worker processes: exactly one row per record, whatever a page does.

The command ``scrapy cetr`` and the adapters for Spark, datatrove and Ray are built on it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

from scrapy_cetr.extraction.batch.messages import Answer, Job, Record
from scrapy_cetr.extraction.batch.run import BatchError, answers
from scrapy_cetr.extraction.batch.schema import COLUMNS, columns_of, make_fields
from scrapy_cetr.extraction.options import Options, make_options

__all__ = ["COLUMNS", "MEMORY", "TIMEOUT", "BatchError", "Record", "articles", "make_job"]

# The defaults: seconds per page, and bytes of address space per process.
TIMEOUT = 30.0
MEMORY = 2_000_000_000

Fields = Mapping[str, str] | Sequence[str] | None


def articles(
    records: Iterable[Record],
    *,
    fields: Fields = None,
    options: Options | Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
    memory: int | None = MEMORY,
    processes: int = 1,
) -> Generator[dict[str, Any], None, None]:
    """Extract pages, and yield one row per record, in their order.

    A page that raises, hangs for more than ``timeout`` seconds, needs more than ``memory`` bytes
    or ends its process has a row with an ``error``; the others are not affected. ``fields`` are
    names of columns, or a dict of columns to what they hold; all columns of the schema by default.
    ``options`` are those of ``extract()``. The pages are extracted in ``processes`` worker
    processes, which end with the generator or with this process.

    >>> rows = articles([Record("<p>One", url="http://a.example/"), Record(b"")], fields=["text"])
    >>> [(row["url"], row["text"], row["error"]) for row in rows]
    [('http://a.example/', 'One', None), (None, None, 'is empty')]
    """
    job = make_job(fields, options, memory=memory)
    return _rows(answers(records, job, jobs=max(processes, 1), timeout=timeout), job)


def _rows(found: Generator[Answer, None, None], job: Job) -> Generator[dict[str, Any], None, None]:
    columns = tuple(columns_of(job.fields))
    with closing(found):
        for answer in found:
            row = answer.row
            yield {name: row.get(name) for name in columns}


def make_job(
    fields: Fields, options: Options | Mapping[str, Any] | None, *, memory: int | None
) -> Job:
    """Check fields and options; a ValueError says what is wrong."""
    if not isinstance(options, Options):
        options = make_options(dict(options or {}))
    chosen = make_fields(fields)
    # Every row has a URL.
    if "url" not in chosen:
        chosen = {"url": "url", **chosen}
    return Job(fields=dict(chosen), options=options, memory=memory)
