"""``articles()``: exactly one row per record, whatever a page does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from scrapy_cetr import __version__
from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.batch import COLUMNS, Record, articles
from scrapy_cetr.extraction.batch.arrow import SCHEMA, make_batch, schema_of
from scrapy_cetr.extraction.batch.columns import Extraction, page_batches, table_records
from scrapy_cetr.extraction.batch.schema import NAMES, columns_of, make_fields
from scrapy_cetr.extraction.batch.session import AHEAD, Session
from testkit.engines import MEMORY, PAGE_FAULTS, TIMEOUT
from testkit.processes import write_traps
from testkit.server import TEXT, page

pytestmark = pytest.mark.usefixtures("leaves_nothing")


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [write_traps(tmp_path), *sys.path])


def record(number: int, html: str = "<p>Page {}") -> Record:
    return Record(html.format(number), url=f"http://x.example/{number}")


def test_row_has_the_columns_of_the_schema() -> None:
    given = Record(
        page(),
        url="http://x.example/",
        source_file="a.warc",
        source_offset=7,
        record_id="<urn:uuid:1>",
        warc_date="2026-01-01T00:00:00Z",
    )
    (row,) = articles([given])
    assert tuple(row) == COLUMNS
    assert (row["source_file"], row["source_offset"]) == ("a.warc", 7)
    assert (row["record_id"], row["warc_date"]) == ("<urn:uuid:1>", "2026-01-01T00:00:00Z")
    assert (row["url"], row["text"], row["error"]) == ("http://x.example/", TEXT, None)
    assert (row["version"], row["method"]) == (__version__, "learned")
    assert 0 < row["seconds"] < 60


def test_error_row_has_what_is_known_of_the_record() -> None:
    given = Record(b"", "http://x.example/", "a.warc", 7, "<urn:uuid:1>", "2026-01-01T00:00:00Z")
    (row,) = articles([given])
    assert tuple(row) == COLUMNS
    known = {name: value for name, value in row.items() if value is not None}
    assert known.pop("seconds") < 60
    assert known == {
        "source_file": "a.warc",
        "source_offset": 7,
        "record_id": "<urn:uuid:1>",
        "url": "http://x.example/",
        "warc_date": "2026-01-01T00:00:00Z",
        "version": __version__,
        "error": "is empty",
    }


@pytest.mark.usefixtures("traps")
def test_pages_that_hang_exit_grow_and_fail_cost_one_row_each() -> None:
    traps = {5: "HANG", 11: "DIE", 12: "GROW", 19: "FAIL"}
    records = [record(n, traps.get(n, "<p>Page {}")) for n in range(25)]
    rows = list(articles(records, fields=["text"], timeout=TIMEOUT, memory=MEMORY))
    assert [row["url"] for row in rows] == [f"http://x.example/{n}" for n in range(25)]
    for number, row in enumerate(rows):
        if number in traps:
            assert row["error"].startswith(PAGE_FAULTS[traps[number]])
        else:
            assert (row["text"], row["error"]) == (f"Page {number}", None)


def test_options_are_names_or_options() -> None:
    records = [Record(page())]
    for options in ({"method": "cetr-tm"}, Options(method="cetr-tm")):
        (row,) = articles(records, fields=["method"], options=options)
        assert row["method"] == "cetr-tm"
    with pytest.raises(TypeError, match="unknown option 'methods'"):
        articles(records, options={"methods": "cetr"})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (["titel"], "fields must be some of text, "),
        ([], "not no name"),
        ("title", "fields must be a list or a dict of names, not 'title'"),
        ({"error": "text"}, "no field can have the name 'error'"),
        ({"source_file": "text"}, "no field can have the name 'source_file'"),
        ({"url": "text"}, "no field can have the name 'url'"),
    ],
)
def test_wrong_fields_are_told_at_once(fields: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        articles([], fields=fields)


def test_every_name_can_be_a_field() -> None:
    (row,) = articles([Record(page())], fields=list(NAMES))
    assert {*row} == {"source_file", "source_offset", "error", *NAMES}
    columns = columns_of(make_fields(list(NAMES)))
    batch = make_batch([row], schema_of(columns))
    assert batch.num_rows == 1


def test_batches_have_the_schema_for_any_characters() -> None:
    batches = list(Extraction().batches([Record(b""), Record(page())]))
    assert [batch.schema for batch in batches] == [SCHEMA]
    (row,) = make_batch([{"text": "a\ud800b", "authors": []}], SCHEMA).to_pylist()
    assert (row["text"], row["authors"], row["title"]) == ("a?b", [], None)


def test_table_of_pages_becomes_a_table_of_rows_batch_by_batch() -> None:
    sizes = [3, 0, 40, 1]
    tables = []
    for number, size in enumerate(sizes):
        html = pa.array([f"<p>Page {number} {n}" for n in range(size)], pa.string())
        ids = pa.array([100 * number + n for n in range(size)], pa.int64())
        tables.append(pa.record_batch({"html": html, "id": ids}))
    extraction = Extraction(fields=["text"])
    found = list(extraction.of_tables(tables, html="html", url="url", keep=["id"]))
    assert [batch.num_rows for batch in found] == [3, 40, 1]
    for batch in found:
        for row in batch.to_pylist():
            number, place = divmod(row["id"], 100)
            assert row["text"] == f"Page {number} {place}"


def test_pages_keep_errors_and_bytes_on_their_way_through_a_table() -> None:
    given = [Record(b"<p>One", url="http://x.example/", charset="latin-1"), Record(error="lost")]
    (batch,) = page_batches(given)
    assert list(table_records(batch, html="html", url="url")) == given
    numbers = pa.record_batch({"html": pa.array([1])})
    (wrong,) = table_records(numbers, html="html", url="url")
    assert wrong.error == "the column 'html' must have strings or bytes, not int"
    with pytest.raises(ValueError, match="there is no column 'body' with the HTML, but html"):
        list(table_records(numbers, html="body", url="url"))


@pytest.mark.usefixtures("traps")
def test_session_keeps_its_worker_between_calls() -> None:
    session = Session(Extraction(fields=["text"], timeout=TIMEOUT).rows)
    try:
        for size in (1, AHEAD + 5, 0, 3):
            rows = list(session.rows(map(record, range(size))))
            assert [row["text"] for row in rows] == [f"Page {n}" for n in range(size)]
        (failed,) = session.rows([record(0, "DIE")])
        assert failed["error"] == PAGE_FAULTS["DIE"]
    finally:
        session.close()


def test_session_starts_anew_after_an_error_of_the_input() -> None:
    def broken() -> Iterator[Record]:
        yield record(0)
        raise OSError("no more")

    session = Session(Extraction(fields=["text"]).rows)
    try:
        with pytest.raises(OSError, match="no more"):
            list(session.rows(broken()))
        assert [row["text"] for row in session.rows([record(1)])] == ["Page 1"]
    finally:
        session.close()
