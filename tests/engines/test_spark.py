"""Spark, on a standalone cluster with two workers: one row per record, whatever happens."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from testkit.engines import (
    FAULTS,
    MEMORY,
    TIMEOUT,
    Archives,
    kill_one,
    need_engine,
    wait_for_no_workers,
    write_archives,
)
from testkit.processes import DEADLINE
from testkit.server import TEXT, page
from testkit.spark import environment, spark_cluster, spark_session

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    need_engine("pyspark", "java")
    with spark_cluster(tmp_path_factory.mktemp("cluster")) as master:
        yield master


@pytest.fixture(scope="module")
def spark(cluster: str, traps: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with spark_session(cluster, folder=tmp_path_factory.mktemp("session"), path=traps) as session:
        yield session
    wait_for_no_workers(traps)


def run(spark: Any, archives: Archives) -> list[dict[str, Any]]:
    """Write the articles of archives as a user does, and read them."""
    from scrapy_cetr.spark import extract_warc

    output = archives.folder / "out"
    rows = extract_warc(spark, archives.paths, timeout=TIMEOUT, memory=MEMORY)
    rows.write.mode("overwrite").option("compression", "zstd").parquet(str(output))
    found: list[dict[str, Any]] = pq.read_table(output).to_pylist()
    return found


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_every_record_has_one_row(fault: str | None, archives_folder: Path, spark: Any) -> None:
    archives = write_archives(archives_folder, fault)
    archives.check(run(spark, archives))


@pytest.mark.parametrize(
    "process",
    ["scrapy_cetr.extraction.batch.worker", "pyspark.daemon", "CoarseGrainedExecutorBackend"],
)
def test_killed_process_costs_nothing(
    process: str, archives_folder: Path, spark: Any, traps: str
) -> None:
    archives = write_archives(archives_folder, slow=True)

    def kill() -> None:
        # Not before pages are extracted.
        kill_one("scrapy_cetr.extraction.batch.worker", environment=traps)
        if process != "scrapy_cetr.extraction.batch.worker":
            kill_one(process, environment=traps)

    killer = threading.Thread(target=kill)
    killer.start()
    rows = run(spark, archives)
    killer.join()
    archives.check(rows)


def test_second_run_replaces_the_rows(archives_folder: Path, spark: Any) -> None:
    archives = write_archives(archives_folder)
    for _ in range(2):
        rows = run(spark, archives)
    archives.check(rows)


def test_output_has_the_schema_and_zstd(archives_folder: Path, spark: Any) -> None:
    from scrapy_cetr.extraction.batch.arrow import SCHEMA

    archives = write_archives(archives_folder)
    run(spark, archives)
    file = next((archives_folder / "out").glob("*.parquet"))
    assert file.name.endswith(".zstd.parquet")
    found = pq.read_schema(file)
    assert found.names == SCHEMA.names
    assert [field.type for field in found] == [field.type for field in SCHEMA]


def test_extract_keeps_columns_and_has_a_row_per_page(spark: Any, tmp_path: Path) -> None:
    from scrapy_cetr.spark import extract

    pages = pa.table(
        {
            "id": list(range(250)),
            "address": [f"https://news.example/{n}" for n in range(250)],
            "body": [None if n == 3 else page() for n in range(250)],
        }
    )
    pq.write_table(pages, tmp_path / "pages.parquet")
    df = spark.read.parquet(str(tmp_path / "pages.parquet"))
    found = extract(df, html="body", url="address", fields=["text"], keep=["id"])
    assert found.columns == ["id", "source_file", "source_offset", "url", "text", "error"]
    rows = {row["id"]: row for row in found.collect()}
    assert sorted(rows) == list(range(250))
    assert all(row["url"] == f"https://news.example/{n}" for n, row in rows.items())
    assert (rows[3]["text"], rows[3]["error"]) == (None, "is empty")
    assert rows[4]["text"] == TEXT


def test_wrong_columns_and_fields_are_told_before_the_job(spark: Any) -> None:
    from scrapy_cetr.spark import extract

    df = spark.createDataFrame([("<p>One", 1)], "html string, title int")
    with pytest.raises(ValueError, match="there is no column 'body' with the HTML"):
        extract(df, html="body")
    with pytest.raises(ValueError, match=r"fields must be some of text, .* not 'titel'"):
        extract(df, fields=["titel"])
    with pytest.raises(ValueError, match="have a column 'title' already"):
        extract(df, keep=["title"])


def test_read_warc_and_extract_are_the_same_as_extract_warc(
    archives_folder: Path, spark: Any
) -> None:
    from scrapy_cetr.spark import extract, extract_warc, read_warc

    paths = write_archives(archives_folder, "corrupt").paths[:2]
    fields = ["record_id", "warc_date", "text", "title"]
    order = ("source_file", "source_offset")
    direct = extract_warc(spark, paths, fields=fields).orderBy(*order).collect()
    by_pages = extract(read_warc(spark, paths), fields=fields).orderBy(*order).collect()
    assert direct == by_pages
    assert len(direct) == 120


def test_job_for_spark_submit_counts_errors(
    archives_folder: Path, cluster: str, tmp_path: Path
) -> None:
    archives = write_archives(archives_folder, "truncated")
    names = [Path(path).name for path in archives.paths]
    (tmp_path / "warc.paths").write_text("\n".join(names))
    variables = environment()
    from scrapy_cetr import spark_job

    done = subprocess.run(  # noqa: S603
        [
            f"{variables['SPARK_HOME']}/bin/spark-submit",
            *("--master", "local[1]", "--conf", "spark.ui.enabled=false"),
            *(spark_job.__file__, "--input", "warc.paths", "--output", "out"),
            *("--input_base_url", f"{archives_folder}/", "--num_output_partitions", "1"),
        ],
        env=variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=4 * DEADLINE,  # it starts a JVM
        check=False,
    )
    assert done.returncode == 1, done.stderr
    # spark-submit prints what the job prints on either of them.
    assert "240 records, 1 errors" in done.stdout + done.stderr
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 1
    archives.check(pq.read_table(tmp_path / "out").to_pylist())
