"""Ray Data, in a network namespace of its own: one row per record, whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from testkit.documented_servers import missing
from testkit.engines import FAULTS, RECORDS, need_engine, wait_for_no_workers, write_archives

pytestmark = pytest.mark.engines
# All jobs run in one session, as its start takes longer than most of them.
# They took 140 seconds on two cores that had three times as many other processes.
DEADLINE = 900.0
SCENARIOS = ("clean", *FAULTS, "worker", "actor", "twice")

SCRIPT = """\
import json, os, signal, sys, threading, time
import psutil, ray
from scrapy_cetr.ray import ExtractPages, ExtractWarc

tasks = json.loads(sys.argv[1])
ray.init(num_cpus=3, include_dashboard=False, _node_ip_address="127.0.0.1",
         object_store_memory=200_000_000, log_to_driver=False)

def is_wanted(process, name):
    # Only processes of this run, as others may run on the same machine.
    try:
        if os.environ["PYTHONPATH"] not in process.environ().get("PYTHONPATH", ""):
            return False
        if name == "worker":
            return "scrapy_cetr.extraction.batch.worker" in process.cmdline()
        children = [word for child in process.children() for word in child.cmdline()]
        return "scrapy_cetr.extraction.batch.worker" in children
    except psutil.Error:
        return False

def kill(name):
    end = time.monotonic() + 90
    while time.monotonic() < end:
        for process in psutil.process_iter():
            if is_wanted(process, name):
                process.kill()
                killed.append(name)
                return
        time.sleep(0.05)

def actors(number):
    return {"batch_format": "pyarrow", "compute": ray.data.ActorPoolStrategy(size=number)}

def run(paths, output):
    extract = {"output": output, "timeout": 5, "memory": 1_000_000_000}
    pages = ray.data.from_items([{"path": path} for path in paths])
    return pages.map_batches(ExtractWarc, fn_constructor_kwargs=extract, batch_size=1,
                             **actors(2)).take_all()

found = {}
killed = []
for name, (paths, output) in tasks.items():
    killer = threading.Thread(target=kill, args=(name,), daemon=True)
    if name in ("worker", "actor"):
        killer.start()
    found[name] = run(paths, output)
    if name in ("worker", "actor"):
        assert killed[-1:] == [name], f"the job ended before its {name} was killed"
    if name == "twice":
        times = {row["file"]: os.stat(row["file"]).st_mtime_ns for row in found[name]}
        found[name] = run(paths, output)
        assert times == {row["file"]: os.stat(row["file"]).st_mtime_ns for row in found[name]}

table = ray.data.from_items([{"html": f"<p>Page {n}", "url": f"http://x/{n}"} for n in range(300)])
rows = table.map_batches(ExtractPages, fn_constructor_kwargs={"fields": ["text"]}, batch_size=50,
                         **actors(1)).take_all()
found["pages"] = sorted(row["text"] for row in rows if row["url"])
ray.shutdown()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, traps: str) -> Mapping[str, Any]:
    """Run all scenarios, and return what each job returned, and its archives."""
    need_engine("ray", "unshare", "ip")
    if not _can_unshare():
        missing("the right to make a network namespace", install="run the tests as root")
    folder = tmp_path_factory.mktemp("ray")
    made = {
        name: write_archives(
            folder / name, name if name in FAULTS else None, slow=name in ("worker", "actor")
        )
        for name in SCENARIOS
    }
    tasks = {name: (archives.paths, f"{folder}/{name}/out") for name, archives in made.items()}
    (folder / "jobs.py").write_text(SCRIPT)
    paths = os.pathsep.join([traps, str(Path(__file__).parents[2])])
    # Loopback only: Ray listens on all interfaces.
    command = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    finished = subprocess.run(  # noqa: S603
        [*command, sys.executable, "jobs.py", json.dumps(tasks)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": paths,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0",
        },
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-5000:]
    return {"archives": made, **json.loads(finished.stdout.splitlines()[-1])}


@cache
def _can_unshare() -> bool:
    return subprocess.run(["unshare", "--net", "true"], check=False).returncode == 0  # noqa: S607


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_record_has_one_row(name: str, done: Mapping[str, Any], traps: str) -> None:
    archives = done["archives"][name]
    archives.check(pq.read_table(archives.folder / "out").to_pylist())
    assert sum(row["records"] for row in done[name]) == RECORDS
    assert sum(row["errors"] for row in done[name]) == len(archives.errors)
    # A killed actor can leave a hidden file, which readers of a folder pass over.
    assert len([*(archives.folder / "out").glob("[!.]*")]) == 4
    wait_for_no_workers(traps)


def test_pages_of_a_table_have_one_row_each(done: Mapping[str, Any]) -> None:
    assert done["pages"] == sorted(f"Page {n}" for n in range(300))
