"""The benchmark ``batch``: whole runs of ``scrapy cetr`` on stored pages."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.batch import BatchRun, batch_table, write_pages
from benchmarks.errors import BenchmarkError
from testkit.server import page


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    records = [
        {"id": str(number), "url": None, "type": None, "html": page().decode(), "text": ""}
        for number in range(3)
    ]
    file = tmp_path / "pages.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    return file


def test_batch_benchmark_prints_rate_and_memory_of_each_number_of_jobs(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.md"
    table.write_text("<!-- batch 7 -->\n<!-- end of batch 7 -->\n")
    words = ["batch", str(corpus), "--pages", "7", "--jobs", "1", "2", "--into", str(table)]
    assert main([*words, "--no-peer"]) in (None, 0)
    header, _, *rows = capsys.readouterr().out.splitlines()
    assert header.split()[:4] == ["command", "seconds", "pages/s", "ratio"]
    assert rows[0].startswith("scrapy cetr --jobs 1 ")
    assert rows[1].startswith("scrapy cetr --jobs 2 ")
    assert rows[0].split()[6] == "1.00"
    assert len(rows) == 2
    main_cpu, workers_cpu = map(float, rows[1].split()[7:9])
    assert main_cpu > 0.1
    assert workers_cpu > 0.1
    # A run this short may end before the workers use memory early.
    main_early, main_late, *_, peak = rows[1].split()[9:]
    assert 10 < int(main_early) <= int(peak)
    assert 10 < int(main_late) <= int(peak)
    assert table.read_text().startswith("<!-- batch 7 -->\n| command | seconds |")


def test_pages_are_repeated_to_reach_the_number(tmp_path: Path) -> None:
    write_pages(["<p>One", "<p>Two"], tmp_path, count=5)
    files = sorted(tmp_path.rglob("*.html"))
    assert [file.read_text() for file in files] == [
        "<p>One",
        "<p>Two",
        "<p>One",
        "<p>Two",
        "<p>One",
    ]
    with pytest.raises(BenchmarkError, match="no pages"):
        write_pages([], tmp_path, count=5)


def test_batch_table_compares_rates_with_the_first_run() -> None:
    samples = [10_000_000, 20_000_000, 30_000_000, 30_000_000, 40_000_000]
    runs = [
        BatchRun(name="one", pages=100, seconds=10, main=samples, workers=samples[::-1]),
        BatchRun(name="two", pages=100, seconds=5, main_cpu=1.5, workers_cpu=4),
    ]
    assert batch_table(runs).rows == [
        ["one", "10.0", "10.0", "1.00", "0.0", "0.0", "20", "40", "30", "10", "60"],
        ["two", "5.0", "20.0", "2.00", "1.5", "4.0", *["n/a"] * 5],
    ]
