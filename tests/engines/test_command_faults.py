"""``scrapy cetr`` on archives with faults: one row per record, each error counted, exit code 1."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from testkit.commands import scrapy
from testkit.engines import FAULTS, kill_one, wait_for_no_workers, write_archives

pytestmark = pytest.mark.slow
OPTIONS = ("-o", "out.parquet", "--jobs", "2", "--timeout", "5", "--memory", "1000")


def run(archives: Path, folder: Path, traps: str) -> tuple[int, list[dict[str, Any]]]:
    done = scrapy("cetr", str(archives), *OPTIONS, folder=folder, path=traps)
    rows: list[dict[str, Any]] = pq.read_table(folder / "out.parquet").to_pylist()
    return done.returncode, rows


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_every_record_has_one_row(
    fault: str | None, archives_folder: Path, tmp_path: Path, traps: str
) -> None:
    archives = write_archives(archives_folder, fault)
    code, rows = run(archives_folder, tmp_path, traps)
    archives.check(rows)
    assert code == (1 if archives.errors else 0)
    wait_for_no_workers(traps)


def test_killed_worker_costs_nothing(archives_folder: Path, tmp_path: Path, traps: str) -> None:
    archives = write_archives(archives_folder, slow=True)
    killer = threading.Thread(
        target=lambda: kill_one("scrapy_cetr.extraction.batch.worker", environment=traps)
    )
    killer.start()
    code, rows = run(archives_folder, tmp_path, traps)
    killer.join()
    archives.check(rows)
    assert code == 0


def test_second_run_replaces_the_rows(archives_folder: Path, tmp_path: Path, traps: str) -> None:
    archives = write_archives(archives_folder)
    for _ in range(2):
        _, rows = run(archives_folder, tmp_path, traps)
    archives.check(rows)
