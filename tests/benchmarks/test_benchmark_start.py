"""The command start."""

import pytest

from benchmarks.__main__ import main
from benchmarks.errors import BenchmarkError
from benchmarks.start import Start, measure_start, start_table


def test_start_is_compared_with_the_first_process_by_medians() -> None:
    starts = {
        "Scrapy": [Start(seconds=s, resident=64_000_000) for s in (0.5, 0.25, 9.0)],
        "with the plugin": [Start(seconds=s, resident=80_000_000) for s in (0.75, 0.7, 8.0)],
    }
    assert start_table(starts).rows == [
        ["Scrapy", "0.500", "0.000", "64.0", "0.0"],
        ["with the plugin", "0.750", "0.250", "80.0", "16.0"],
    ]


def test_start_of_a_process_takes_time_and_memory() -> None:
    started = measure_start("import time; time.sleep(0.05)")
    assert started.seconds >= 0.05
    assert started.resident > 1_000_000


def test_process_that_fails_ends_the_command() -> None:
    with pytest.raises(BenchmarkError, match=r"a process failed: .*ZeroDivisionError"):
        measure_start("1 / 0")


def test_start_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["start", "--repeat", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["process", "seconds"]
    assert [line.split("  ")[0] for line in lines[2:]] == [
        "Scrapy",
        "with the plugin",
        "and its first page",
    ]
