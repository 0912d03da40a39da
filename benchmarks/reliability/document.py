"""The document that the tables are written into, between marks of their own."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.errors import BenchmarkError
from benchmarks.table import Table, as_markdown


def write_table(path: Path, name: str, table: Table) -> None:
    """Put a table in the place of the last of its name in a document."""
    try:
        document = path.read_text(encoding="utf-8")
        path.write_text(with_table(document, name, as_markdown(table)), encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def with_table(document: str, name: str, table: str) -> str:
    r"""Put a table between the marks of its name.

    >>> with_table("a\n<!-- b -->\nold\n<!-- end of b -->\n", "b", "new")
    'a\n<!-- b -->\nnew\n<!-- end of b -->\n'
    """
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    written, count = re.subn(
        f"(?s)(?<={re.escape(first)}).*?(?={re.escape(last)})", lambda _: f"{table}\n", document
    )
    if count != 1:
        raise BenchmarkError(f"the document has {count} places between {first.strip()} and {last}")
    return written
