"""Times engines on WARC files, next to plain multiprocessing, without their start-up.

Processor time counts beside the time on the clock, as that tells more on a busy machine.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.archives import write_archives
from benchmarks.batch import CpuClock, early_and_late, sample_memory
from benchmarks.corpus import Page
from benchmarks.errors import BenchmarkError
from benchmarks.table import Table

_TICK = 0.5
_ROOT = str(Path(__file__).parents[1])

# Each script gets the folder of the archives, the output and the number of processes. It prints
# when the job started and stopped, and the number of its rows.
_BEGIN = """\
import json, sys, time
from pathlib import Path
stored, output, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
paths = sorted(str(path) for path in Path(stored).glob("*.warc.gz"))

def start():
    return time.monotonic()

def stop(started):
    return {"started": started, "stopped": time.monotonic()}

def tell(times, rows):
    print(json.dumps({**times, "rows": rows}))
"""
ENGINES = {
    "multiprocessing": """\
import multiprocessing
import pyarrow as pa
import pyarrow.parquet as pq
from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.batch.arrow import SCHEMA, make_batch
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.warc import read_archive

names = [n for n in SCHEMA.names if n not in
         ("source_file", "source_offset", "record_id", "warc_date", "version", "error", "seconds")]

def extract(path):
    rows = []
    with pq.ParquetWriter(f"{output}/{Path(path).name}.parquet", SCHEMA, compression="zstd") as out:
        for record in read_archive(path):
            html = decode(record.html, declared=record.charset)
            article = extract_article(html, url=record.url, options=Options())
            rows.append({**article.to_dict(*names), "source_file": path,
                         "source_offset": record.source_offset})
            if len(rows) == 256:
                out.write_batch(make_batch(rows, SCHEMA))
                rows = []
        if rows:
            out.write_batch(make_batch(rows, SCHEMA))

if __name__ == "__main__":
    Path(output).mkdir()
    with multiprocessing.Pool(jobs) as pool:
        started = start()
        pool.map(extract, paths, chunksize=1)
        times = stop(started)
    tell(times, pq.read_table(output, columns=["source_offset"]).num_rows)
""",
    "scrapy cetr": """\
import subprocess
import pyarrow.parquet as pq
started = start()
subprocess.run([sys.executable, "-m", "scrapy", "cetr", stored, "-o", output + ".parquet",
                "--jobs", str(jobs)])
tell(stop(started), pq.read_metadata(output + ".parquet").num_rows)
""",
    "datatrove": """\
import pyarrow.parquet as pq
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.writers.parquet import ParquetWriter
from scrapy_cetr.datatrove import SCHEMA, CetrExtractor, CetrWarcReader, as_row

if __name__ == "__main__":
    started = start()
    LocalPipelineExecutor([
        CetrWarcReader(stored, glob_pattern="*.warc.gz"), CetrExtractor(),
        ParquetWriter(output, schema=SCHEMA, adapter=as_row, compression="zstd"),
    ], tasks=len(paths), workers=jobs, logging_dir=output + ".logs").run()
    tell(stop(started), pq.read_table(output, columns=["source_offset"]).num_rows)
""",
    "Spark": """\
from pyspark.sql import SparkSession
from scrapy_cetr.spark import extract_warc
spark = (SparkSession.builder.master(f"local[{jobs}]").config("spark.ui.enabled", "false")
         .config("spark.driver.host", "127.0.0.1").getOrCreate())
spark.range(jobs).mapInArrow(lambda batches: batches, "id bigint").count()
started = start()
extract_warc(spark, paths).write.option("compression", "zstd").parquet(output)
times = stop(started)
tell(times, spark.read.parquet(output).count())
""",
    "Ray": """\
import ray
from scrapy_cetr.ray import ExtractWarc
ray.init(num_cpus=jobs + 1, include_dashboard=False, _node_ip_address="127.0.0.1",
         object_store_memory=200_000_000, log_to_driver=False)
started = start()
found = ray.data.from_items([{"path": path} for path in paths]).map_batches(
    ExtractWarc, fn_constructor_kwargs={"output": output}, batch_size=1, batch_format="pyarrow",
    compute=ray.data.ActorPoolStrategy(size=jobs)).take_all()
tell(stop(started), sum(row["records"] for row in found))
""",
}


@dataclass(kw_only=True)
class EngineRun:
    """One job: its pages, its seconds and those of processors, and samples of memory in bytes.

    ``memory`` is that of all Python processes, ``others`` that of a JVM and other programs.
    """

    name: str
    pages: int
    seconds: float = 0.0
    cpu: float = 0.0
    memory: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds


def measure_engines(
    pages: Iterable[Page], *, count: int, archives: int, engines: Sequence[str]
) -> Iterator[EngineRun]:
    """Run each engine on the same archives, one after the other, with a process per core."""
    jobs = len(os.sched_getaffinity(0))
    with TemporaryDirectory(prefix="scrapy-cetr-") as name:
        folder = Path(name)
        stored = folder / "stored"
        stored.mkdir()
        write_archives(pages, stored, count=count, archives=archives)
        for number, engine in enumerate(engines):
            script = folder / f"{number}.py"
            script.write_text(_BEGIN + ENGINES[engine])
            run = EngineRun(name=engine, pages=count)
            words = (str(script), str(stored), str(folder / f"out{number}"), str(jobs))
            _measure(run, words, folder)
            yield run


def _measure(run: EngineRun, words: Sequence[str], folder: Path) -> None:
    log = folder / "log"
    variables = {
        "PYTHONPATH": _ROOT,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
    }
    clock = CpuClock()
    with (
        log.open("wb") as errors,
        (folder / "told").open("w+b") as told,
        subprocess.Popen(  # noqa: S603
            [sys.executable, *words],
            cwd=folder,
            env={**os.environ, **variables},
            stdout=told,
            stderr=errors,
        ) as process,
    ):
        while process.poll() is None:
            python, others = sample_memory(process.pid)
            run.memory.append(python)
            run.others.append(others)
            clock.sample(process.pid)
            try:
                process.wait(_TICK)
            except subprocess.TimeoutExpired:
                continue
        told.seek(0)
        lines = told.read().splitlines()
    if process.returncode or not lines:
        says = log.read_text(errors="replace").strip().rpartition("\n")[2]
        raise BenchmarkError(f"{run.name} failed with exit code {process.returncode}: {says}")
    found = json.loads(lines[-1])
    if found["rows"] != run.pages:
        raise BenchmarkError(f"{run.name} wrote {found['rows']} rows for {run.pages} pages")
    run.seconds = found["stopped"] - found["started"]
    run.cpu = clock.between(found["started"], found["stopped"])


def engines_table(runs: Sequence[EngineRun]) -> Table:
    """Make a table of runs; ratios are those of pages per second to the first run's."""
    headers = [
        *("engine", "seconds", "pages/s", "ratio", "CPU ms/page", "CPU ratio"),
        *("Python MB early", "Python MB late", "other MB early", "other MB late"),
    ]
    rows = [
        [
            run.name,
            f"{run.seconds:.1f}",
            f"{run.rate:.1f}",
            f"{run.rate / runs[0].rate:.2f}",
            f"{1000 * run.cpu / run.pages:.1f}",
            f"{runs[0].cpu / run.cpu * run.pages / runs[0].pages:.2f}",
            *early_and_late(run.memory),
            *early_and_late(run.others),
        ]
        for run in runs
    ]
    return Table(headers, rows, name_columns=1)
