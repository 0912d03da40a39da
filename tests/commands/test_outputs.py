"""Output files: their content, and how they continue from a position."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_cetr.commands.outputs import open_output

COLUMNS = {"source_file": "source_file", "title": "title", "authors": "authors", "words": "words"}
ROWS: list[dict[str, Any]] = [
    {"source_file": "a", "title": "Größe, „so“\n2", "authors": ["Ann Lee", "Bo"], "words": n}
    for n in range(5)
] + [{"source_file": "b", "error": "is empty"}]


def write(path: Path, rows: list[dict[str, Any]], *, position: int = 0, close: bool = True) -> int:
    parts = path.with_name("parts")
    output = open_output(path, columns=COLUMNS, position=position, parts=parts)
    for row in rows:
        output.write(json.dumps(row).encode())
    found = output.checkpoint()
    if close:
        output.close()
    else:
        output.stop()
    return found


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return [dict(row) for row in pq.read_table(path).to_pylist()]
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


NAMES = pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv", "a.parquet"])


@NAMES
def test_output_has_all_rows(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, ROWS)
    found = read(tmp_path / name)
    assert [row["source_file"] for row in found] == [row["source_file"] for row in ROWS]
    assert found[0]["title"] == ROWS[0]["title"]


@NAMES
def test_output_continues_from_a_position_and_drops_the_rest(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    position = write(path, ROWS[:2], close=False)
    write(path, ROWS[2:4], position=position, close=False)
    # A crash after the checkpoint leaves rows and half a row that the next run writes again.
    if path.exists():
        with path.open("ab") as file:
            file.write(b'{"half')
    write(path, ROWS[2:], position=position)
    whole = tmp_path / f"whole-{name}"
    write(whole, ROWS)
    assert read(path) == read(whole)


def test_csv_has_a_header_and_lists_as_json(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", ROWS[:1])
    (row,) = read(tmp_path / "a.csv")
    assert list(row) == list(COLUMNS)
    assert json.loads(row["authors"]) == ["Ann Lee", "Bo"]


def test_parquet_has_a_typed_schema_and_nulls(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", ROWS[-1:])
    schema = pq.read_schema(tmp_path / "a.parquet")
    assert [schema.field(name).type for name in COLUMNS] == [
        pa.string(),
        pa.string(),
        pa.list_(pa.string()),
        pa.int64(),
    ]
    (row,) = read(tmp_path / "a.parquet")
    assert (row["title"], row["words"]) == (None, None)
    assert not (tmp_path / "parts").exists()


def test_parquet_keeps_order_over_many_parts(tmp_path: Path) -> None:
    path, position = tmp_path / "a.parquet", 0
    for n in range(30):
        position = write(path, [{"words": n}], position=position, close=n == 29)
    assert [row["words"] for row in read(path)] == list(range(30))
