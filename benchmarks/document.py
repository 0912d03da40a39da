"""Tables in a Markdown document, each between two comments with its name."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.errors import BenchmarkError
from benchmarks.table import Table, as_markdown


def write_table(path: Path, name: str, table: Table) -> None:
    """Replace the table with a name in a document."""
    try:
        document = path.read_text(encoding="utf-8")
        path.write_text(with_table(document, name, as_markdown(table)), encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def with_table(document: str, name: str, table: str) -> str:
    r"""Replace the text between the comments with a name.

    >>> with_table("a\n<!-- b -->\nold\n<!-- end of b -->\n", "b", "new")
    'a\n<!-- b -->\nnew\n<!-- end of b -->\n'
    """
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    written, count = re.subn(
        f"(?s)(?<={re.escape(first)}).*?(?={re.escape(last)})", lambda _: f"{table}\n", document
    )
    if count != 1:
        raise BenchmarkError(f"the document has {count} tables between {first.strip()} and {last}")
    return written
