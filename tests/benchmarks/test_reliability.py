"""The benchmarks of reliability, on small pages and short runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.contenders import Contender
from benchmarks.document import with_table
from benchmarks.errors import BenchmarkError
from benchmarks.reliability.crawls import crawls_table
from benchmarks.reliability.encodings import encodings_table
from benchmarks.reliability.one_page import Extraction
from benchmarks.reliability.pages import contenders_table, extract_apart, traps_table
from benchmarks.reliability.runs import crawl_pages, extract_pages
from testkit.faults import FAULTS
from testkit.hostile import TRAPS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "results" / "reliability.md"
TABLES = ("extractors", "pages", "ours", "encodings", "crawls", "runs")
MEGABYTE = 1_000_000


@pytest.mark.parametrize("name", TABLES)
def test_reliability_document_has_a_table_of_each_name(name: str) -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert "new" in with_table(document, name, "new")
    assert with_table(document, name, "") != document


def test_reliability_document_lists_every_fault_and_trap() -> None:
    assert {*FAULTS} < {*rows_of("crawls")}
    # The comparison with other extractors takes half an hour; some traps were added after it.
    assert {*rows_of("pages")} <= {*TRAPS}
    assert all(int(pages) == len(TRAPS) for pages, *_ in rows_of("ours").values())


def test_reliability_document_reports_no_lost_requests_or_items() -> None:
    for requests, *sent, items, stored, stored_with_workers, _ in rows_of("crawls").values():
        assert {requests} == {*sent}
        assert items == stored == stored_with_workers


def rows_of(table: str) -> dict[str, list[str]]:
    """Return the cells of each row of a table of the document, by the first cell."""
    document = DOCUMENT.read_text(encoding="utf-8")
    lines = document.split(f"<!-- {table} -->\n")[1].split("\n<!--")[0].splitlines()
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:])
    return {first: others for first, *others in cells}


def test_document_without_the_comments_of_a_table_is_an_error() -> None:
    with pytest.raises(BenchmarkError, match="has 0 tables between <!-- pages --> and"):
        with_table("nothing", "pages", "new")


def test_hostile_page_is_extracted_in_a_separate_process() -> None:
    one = extract_apart(Contender("cetr"), trap="br", size=MEGABYTE, seconds=20)
    assert one.outcome == "found"
    assert one.size == pytest.approx(MEGABYTE, rel=0.01)
    assert 0 < one.seconds < 3
    assert one.peak < 20 * one.size


@pytest.mark.parametrize(
    ("method", "trap"),
    [
        ("cetr", "alternating p"),
        ("cetr", "empty p"),
        ("cetr", "br"),
        ("coreex", "misnested b and p"),
        ("coreex", "list of links"),
        ("qread", "short p"),
        ("qread", "zero characters"),
        ("learned", "nested divs"),
    ],
)
def test_hostile_page_of_10_mb_takes_at_most_3_seconds_and_12_times_its_size(
    method: str, trap: str
) -> None:
    one = extract_apart(Contender(method), trap=trap, size=10 * MEGABYTE, seconds=30)
    assert one.outcome == "found"
    assert one.seconds < 3
    assert one.peak < 12 * one.size


def test_extraction_beyond_the_time_limit_counts_as_a_hang() -> None:
    # Reading such a large page line by line takes more than a second.
    contender = Contender("cetr", (("rows", "lines"),))
    one = extract_apart(contender, trap="br", size=30 * MEGABYTE, seconds=1)
    assert one.outcome == "hang"


def test_reliability_tables_count_failures_and_name_the_worst_page() -> None:
    found = {
        ("a", "x"): Extraction(outcome="found", seconds=1, peak=20, size=10),
        ("a", "y"): Extraction(outcome="lost", seconds=2, peak=10, size=10),
        ("b", "x"): Extraction(outcome="hang", seconds=30),
        ("b", "y"): Extraction(outcome="crash"),
    }
    first, second = contenders_table(found).rows
    assert first == ["a", "2", "0", "0", "0", "1", "2.0", "y", "2.0", "x"]
    assert second == ["b", "2", "1", "1", "0", "0", "", "", "", ""]
    assert traps_table(found).rows == [["x", "1.0", "hang"], ["y", "lost", "crash"]]


def test_encodings_table_has_no_fewer_right_pages_than_scrapy() -> None:
    assert all(int(row[3]) >= int(row[2]) for row in encodings_table().rows)


def test_crawls_table_without_crawls_has_only_the_totals() -> None:
    assert crawls_table({}).rows == [["all", *["0"] * 7]]


@pytest.mark.slow
def test_memory_files_and_processes_do_not_grow_in_many_extractions() -> None:
    run = extract_pages(400)
    assert run.pages == run.articles == 400
    assert run.late < 1.15 * run.warm
    assert run.files_late == run.files_warm
    assert run.processes_started == 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_memory_and_processes_do_not_grow_in_a_crawl(workers: int) -> None:
    run = crawl_pages(200, workers=workers)
    assert run.pages == run.articles == 200
    assert run.late < 1.25 * run.warm
    assert run.processes_late <= workers
