"""datatrove, with its local executor: one document per record, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from testkit.engines import (
    FAULTS,
    Archives,
    kill_one,
    need_engine,
    processes,
    wait_for_no_workers,
    write_archives,
)
from testkit.processes import DEADLINE, wait_until

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

PIPELINE = """\
import sys
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.writers.parquet import ParquetWriter
from scrapy_cetr.datatrove import SCHEMA, CetrExtractor, CetrWarcReader, as_row

if __name__ == "__main__":
    folder = sys.argv[1]
    LocalPipelineExecutor(
        pipeline=[
            CetrWarcReader(folder, glob_pattern="*.warc.gz"),
            CetrExtractor(timeout=5, memory=1_000_000_000),
            ParquetWriter(f"{folder}/out", schema=SCHEMA, adapter=as_row, compression="zstd"),
        ],
        tasks=4,
        workers=2,
        logging_dir=f"{folder}/logs",
    ).run()
"""


@pytest.fixture(autouse=True)
def _datatrove() -> None:
    need_engine("datatrove")


def start(archives: Archives, traps: str) -> subprocess.Popen[bytes]:
    script = archives.folder / "pipeline.py"
    script.write_text(PIPELINE)
    paths = os.pathsep.join([traps, str(Path(__file__).parents[2])])
    return subprocess.Popen(  # noqa: S603
        [sys.executable, str(script), str(archives.folder)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=(archives.folder / "log").open("wb"),
        start_new_session=True,
    )


def run(archives: Archives, traps: str) -> tuple[list[dict[str, Any]], dict[str, int]]:
    with start(archives, traps) as process:
        process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, (archives.folder / "log").read_text()
    rows: list[dict[str, Any]] = pq.read_table(archives.folder / "out").to_pylist()
    steps = json.loads((archives.folder / "logs/stats.json").read_text())
    (counts,) = [step["stats"] for step in steps if "EXTRAC" in step["name"]]
    return rows, counts


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_every_record_has_one_document(
    fault: str | None, archives_folder: Path, traps: str
) -> None:
    archives = write_archives(archives_folder, fault)
    rows, counts = run(archives, traps)
    archives.check(rows)
    assert counts["total"] == 240
    assert counts.get("errors", 0) == len(archives.errors)
    wait_for_no_workers(traps)


def test_second_run_changes_nothing(archives_folder: Path, traps: str) -> None:
    archives = write_archives(archives_folder)
    run(archives, traps)
    with start(archives, traps) as process:
        process.communicate(timeout=DEADLINE)
    archives.check(pq.read_table(archives_folder / "out").to_pylist())


def test_killed_worker_costs_nothing(archives_folder: Path, traps: str) -> None:
    archives = write_archives(archives_folder, slow=True)
    with start(archives, traps) as process:
        kill_one("scrapy_cetr.extraction.batch.worker", environment=traps)
        process.communicate(timeout=DEADLINE)
    archives.check(pq.read_table(archives_folder / "out").to_pylist())


def test_run_with_a_killed_task_is_completed_by_the_next_one(
    archives_folder: Path, traps: str
) -> None:
    archives = write_archives(archives_folder, slow=True)
    completions = archives_folder / "logs/completions"
    with start(archives, traps) as process:
        # The parent of a worker process is a process of the executor.
        worker = wait_until(
            lambda: processes("scrapy_cetr.extraction.batch.worker", environment=traps)
        )[0]
        status = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(status[1]), signal.SIGKILL)
        # The executor waits for it for ever, as the guide says.
        wait_until(lambda: len([*completions.glob("*")]) >= 1)
        os.killpg(process.pid, signal.SIGKILL)
    wait_for_no_workers(traps)
    run_again = start(archives, traps)
    with run_again:
        run_again.communicate(timeout=DEADLINE)
    assert len([*completions.glob("*")]) == 4
    archives.check(pq.read_table(archives_folder / "out").to_pylist())
