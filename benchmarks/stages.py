"""Processor time per page of each stage from an archive to Parquet, next to trafilatura's."""

import gc
import zlib
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.archives import write_archives
from benchmarks.corpus import Page
from benchmarks.peers import import_peer
from benchmarks.table import Table
from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.batch.arrow import SCHEMA, make_batch
from scrapy_cetr.extraction.batch.messages import Record
from scrapy_cetr.extraction.batch.schema import FIELDS
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.warc import read_warc

# A month of Common Crawl: 90 TB in 100,000 files.
MONTH_PAGES, MONTH_PAGE_BYTES = 3_000_000_000, 30_000
_PIECE = 1 << 16
_NOT_OF_ARTICLES = ("record_id", "warc_date", "version", "seconds")
_ATTRIBUTES = [name for name in FIELDS if name not in _NOT_OF_ARTICLES]


def measure_stages(pages: Iterable[Page], *, count: int) -> Table:
    """Extract an archive stage by stage; each includes those above it in no way.

    The last column is for a month of Common Crawl, whose pages have another size.
    """
    with TemporaryDirectory(prefix="scrapy-cetr-") as name:
        (path,) = write_archives(pages, Path(name), count=count, archives=1)
        # Imports and caches do not count.
        with path.open("rb") as file:
            _write(_rows(islice(read_warc(file), 20)), Path(name) / "out.parquet")
        packed, read = _timed(path.read_bytes)
        _, unpacked = _timed(lambda: _unpack(packed))
        with path.open("rb") as file:
            records, parsed = _timed(lambda: list(read_warc(file, name=str(path))))
        texts, text_only = _timed(lambda: [_text(record) for record in records])
        rows, extracted = _timed(lambda: _rows(records))
        _, written = _timed(lambda: _write(rows, Path(name) / "out.parquet"))
        stages = [
            ("read the file", read),
            ("unpack gzip", unpacked),
            ("find records and responses", max(parsed - unpacked - read, 0.0)),
            ("extract text", text_only),
            ("metadata, kind and Markdown", max(extracted - text_only, 0.0)),
            ("write Parquet with zstd", written),
        ]
        others = read + unpacked + stages[2][1] + written
        table_rows = [*stages, ("all", others + extracted), ("all, only text", others + text_only)]
        if find_spec("trafilatura") is not None:
            _, peer = _timed(lambda: _trafilatura(records))
            table_rows.append(("text and metadata, trafilatura", peer))
            table_rows.append(("all, trafilatura", others + peer))
        stored = (Path(name) / "out.parquet").stat().st_size
    sizes = {"packed": len(packed), "of text": sum(map(len, texts)), "of Parquet": stored}
    kilobytes = ", ".join(f"{size / count / 1000:.1f} kB {of}" for of, size in sizes.items())
    return _table(
        table_rows,
        count=count,
        total=others + extracted,
        packed=len(packed),
        note=f"({count} pages, {kilobytes})",
    )


def _table(
    stages: Iterable[tuple[str, float]], *, count: int, total: float, packed: int, note: str
) -> Table:
    """Make a table of stages with their seconds, for ``count`` pages of some bytes packed."""
    # Time grows with the size of pages.
    month_hours = MONTH_PAGES * MONTH_PAGE_BYTES / packed / 3600
    headers = ["stage", "CPU ms/page", "share", "pages per CPU second", "core hours for a month"]
    rows = [
        [
            name,
            f"{1000 * seconds / count:.3f}",
            f"{seconds / total:.1%}",
            f"{count / seconds:.0f}" if seconds else "-",
            f"{seconds * month_hours:,.0f}",
        ]
        for name, seconds in stages
    ]
    return Table(headers, [*rows, [note, "", "", "", ""]], name_columns=1)


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    gc.collect()
    start = process_time()
    found = call()
    return found, process_time() - start


def _unpack(data: bytes) -> None:
    """Unpack all members, as the reader does, but without looking at them."""
    view, start = memoryview(data), 0
    while start < len(view):
        unzip = zlib.decompressobj(31)
        position = start
        while not unzip.eof:
            piece = view[position : position + _PIECE]
            position += len(piece)
            unzip.decompress(piece)
        start = position - len(unzip.unused_data)


def _text(record: Record) -> str:
    html = decode(bytes(record.html), declared=record.charset)  # type: ignore[arg-type]
    return extract_article(html, url=record.url, options=Options()).text


def _rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    found = []
    for record in records:
        html = decode(bytes(record.html), declared=record.charset)  # type: ignore[arg-type]
        article = extract_article(html, url=record.url, options=Options())
        found.append(article.to_dict(*_ATTRIBUTES))
    return found


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    pq.write_table(pa.Table.from_batches([make_batch(rows, SCHEMA)]), path, compression="zstd")


def _trafilatura(records: Iterable[Record]) -> None:
    trafilatura = import_peer("trafilatura")
    for record in records:
        trafilatura.bare_extraction(record.html, url=record.url, with_metadata=True)
