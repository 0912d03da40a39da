"""Blocks for pipelines of datatrove: a WARC reader that drops nothing, and an extractor.

Every record of an archive becomes one document. A page that could not be extracted has an empty
text, and the reason in ``metadata["error"]``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import Any

try:
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.readers.base import BaseDiskReader
    from datatrove.utils.typeshelper import StatHints

    from scrapy_cetr.extraction.batch.arrow import SCHEMA
except ImportError as error:
    raise ImportError("datatrove is missing: pip install 'scrapy-cetr[datatrove]'") from error

from scrapy_cetr.extraction.batch import COLUMNS, MEMORY, TIMEOUT, articles, make_job
from scrapy_cetr.extraction.batch.messages import Record
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.warc import read_warc

__all__ = ["SCHEMA", "CetrExtractor", "CetrWarcReader", "as_row"]

Documents = Generator[Document, None, None]
_OF_RECORDS = ("source_file", "source_offset", "record_id", "warc_date", "error")


class CetrWarcReader(BaseDiskReader):
    """Reads the HTML pages of WARC files, and a document with an error for each loss.

    Its arguments are those of datatrove's readers. ``error_pages`` includes responses with a
    status of 400 or more.
    """

    name = "🕷 WARC (scrapy-cetr)"

    def __init__(self, data_folder: Any, *args: Any, error_pages: bool = False, **others: Any):
        super().__init__(data_folder, *args, **others)
        self.error_pages = error_pages

    def read_file(self, filepath: str) -> Documents:
        """Yield a document per page: the HTML as its text, the rest as its metadata."""
        path = self.data_folder.resolve_paths(filepath)
        try:
            with self.data_folder.open(filepath, "rb", compression=None) as file:
                for record in read_warc(file, name=path, error_pages=self.error_pages):
                    yield self._document(record)
        except OSError as error:
            problem = f"cannot be read: {error.strerror or error}"
            yield self._document(Record(source_file=path, error=problem))

    def _document(self, record: Record) -> Document:
        html = record.html
        if isinstance(html, bytes):
            html = decode(html, declared=record.charset)
        metadata = {name: getattr(record, name) for name in ("url", *_OF_RECORDS)}
        key = f"{record.source_file}/{record.source_offset}"
        return Document(
            text=html,
            id=record.record_id or key,
            metadata={**(self.default_metadata or {}), **metadata},
        )


class CetrExtractor(PipelineStep):
    """Replaces the HTML of each document by the text of its article, with the rest as metadata.

    ``metadata["url"]`` is the URL of the page. See ``articles()`` for the arguments. ``fields`` are
    what ``metadata`` gets, beside ``error``.
    """

    name = "📰 scrapy-cetr"
    type = "🛢 - EXTRAC"

    def __init__(
        self,
        *,
        fields: list[str] | None = None,
        options: Mapping[str, Any] | None = None,
        timeout: float = TIMEOUT,
        memory: int | None = MEMORY,
    ) -> None:
        super().__init__()
        self._arguments: dict[str, Any] = {
            "fields": None if fields is None else [*dict.fromkeys(("text", *fields))],
            "options": options,
            "timeout": timeout,
            "memory": memory,
        }
        make_job(self._arguments["fields"], options, memory=memory)

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:  # noqa: ARG002
        """Yield exactly one document per document."""
        under_way: deque[Document] = deque()
        with closing(articles(_records(data, under_way), **self._arguments)) as rows:
            while (row := self._next(rows)) is not None:
                document = under_way.popleft()
                self.stat_update(StatHints.total)
                self.stat_update("extracted" if row["error"] is None else "errors")
                document.text = row.pop("text") or ""
                document.metadata.update(row)
                self.update_doc_stats(document)
                yield document

    def _next(self, rows: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
        """Return the next row, or None; the statistics tell how long this took."""
        with self.track_time():
            return next(rows, None)


def _records(data: Documents, under_way: deque[Document]) -> Iterator[Record]:
    for document in data:
        known = document.metadata
        values = {name: known[name] for name in _OF_RECORDS if name in known}
        under_way.append(document)
        yield Record(document.text, url=known.get("url"), **values)


def as_row(writer: object, document: Document) -> dict[str, Any]:  # noqa: ARG001
    """Return a document as a row of SCHEMA: ``ParquetWriter(adapter=as_row, schema=SCHEMA, …)``."""
    return {**{name: document.metadata.get(name) for name in COLUMNS}, "text": document.text}
