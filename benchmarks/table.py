"""Tables for the terminal and for Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.errors import BenchmarkError

ABSENT = "n/a"


@dataclass(frozen=True)
class Table:
    """Headers and rows; the first ``name_columns`` columns hold names, the others figures."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    name_columns: int


def as_text(table: Table) -> str:
    """Format a table in columns.

    >>> print(as_text(Table(["name", "F1"], [["cetr", "0.9"]], 1)))
    name   F1
    ----  ---
    cetr  0.9
    """
    lines = [table.headers, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    ruler = ["-" * width for width in widths]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < table.name_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in [table.headers, ruler, *table.rows]
    )


def as_markdown(table: Table) -> str:
    """Format a table in Markdown.

    >>> print(as_markdown(Table(["name", "F1"], [["cetr", "0.9"]], 1)))
    | name | F1 |
    |---|---:|
    | cetr | 0.9 |
    """
    ruler = "|".join(
        "---" if column < table.name_columns else "---:" for column, _ in enumerate(table.headers)
    )
    header, *body = (
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |"
        for line in [table.headers, *table.rows]
    )
    return "\n".join([header, f"|{ruler}|", *body])


def show(table: Table, *, markdown: Path | None = None) -> None:
    """Print a table, and write it to a Markdown file if a path is given."""
    print(as_text(table))
    if markdown is None:
        return
    try:
        markdown.write_text(as_markdown(table) + "\n", encoding="utf-8")
    except OSError as error:
        raise BenchmarkError(f"{markdown}: cannot be written ({error.strerror})") from error
