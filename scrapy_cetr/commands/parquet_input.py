"""Pages in Parquet files, with a column of HTML. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage, unreadable
from scrapy_cetr.extraction.batch import Record

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise UsageError("Parquet needs pyarrow: pip install 'scrapy-cetr[parquet]'") from error

# Rows with HTML that are in memory at a time.
_BATCH_ROWS = 64


def read_parquet(path: Path, *, html: str, url: str) -> Iterator[InputPage]:
    """Yield a page per row of a file, from the columns with the HTML and the URL."""
    size = path.stat().st_size
    try:
        with pq.ParquetFile(path) as file:
            known = file.schema_arrow.names
            if html not in known:
                error = (
                    f"has no column {html!r} but {', '.join(known)};"
                    " name the column with the HTML by --html-column"
                )
                yield unreadable(str(path), error, position=size)
                return
            columns = [name for name in (html, url) if name in known]
            number, rows = 0, file.metadata.num_rows
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    position = size * number // rows
                    yield _page(row, path, html=html, url=url, number=number, position=position)
    except pa.ArrowException as error:
        reason = str(error).partition("\n")[0]
        yield unreadable(str(path), f"cannot be read: {reason}", position=size)


def _page(
    row: dict[str, Any], path: Path, *, html: str, url: str, number: int, position: int
) -> InputPage:
    """Return the page of a row: decoded HTML, or bytes as they came."""
    content, address = row[html], row.get(url)
    error = None
    if content is None:
        error = "is empty"
    elif not isinstance(content, (str, bytes)):
        error = f"the column {html!r} must have strings or bytes, not {type(content).__name__}"
    record = Record(
        content if error is None else b"",
        url=address if isinstance(address, str) else None,
        source_file=str(path),
        source_offset=number - 1,
        error=error,
    )
    name = f"{path}, row {number}"
    return InputPage(name=name, record=record, file_name=str(number), position=position)
