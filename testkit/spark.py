"""A standalone cluster of Spark on loopback: a master and two workers with one core each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from testkit.cookbook_servers import accepts
from testkit.documented_servers import free_port
from testkit.processes import wait_until

LOOPBACK = "127.0.0.1"


def environment(**more: str) -> dict[str, str]:
    """Return the variables with which Spark finds itself and Python, on loopback only."""
    import pyspark

    home = str(Path(pyspark.__file__).parent)
    return {
        **os.environ,
        "SPARK_HOME": home,
        "SPARK_LOCAL_IP": LOOPBACK,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **more,
    }


@contextmanager
def _running(folder: Path, name: str, *arguments: str) -> Iterator[None]:
    variables = environment(SPARK_WORKER_DIR=str(folder / "work"), SPARK_LOG_DIR=str(folder))
    command = [f"{variables['SPARK_HOME']}/bin/spark-class", *arguments]
    with (
        (folder / f"{name}.log").open("wb") as log,
        subprocess.Popen(command, env=variables, cwd=folder, stdout=log, stderr=log) as process,  # noqa: S603
    ):
        try:
            yield
        finally:
            process.kill()


@contextmanager
def spark_cluster(folder: Path) -> Iterator[str]:
    """Start a master and two workers; yield the address of the master."""
    port = free_port()
    address = f"spark://{LOOPBACK}:{port}"
    ports = ("--webui-port", "0", "--host", LOOPBACK)
    master = ("org.apache.spark.deploy.master.Master", "--port", str(port), *ports)
    size = ("--cores", "1", "--memory", "1500m")
    worker = ("org.apache.spark.deploy.worker.Worker", *size, *ports, address)
    with ExitStack() as stack:
        stack.enter_context(_running(folder, "master", *master))
        wait_until(lambda: accepts(port))
        for number in range(2):
            stack.enter_context(_running(folder, f"worker-{number}", *worker))
        log = folder / "master.log"
        wait_until(lambda: log.read_text().count("Registering worker") == 2)
        yield address


@contextmanager
def spark_session(master: str, *, folder: Path, path: str = "", **conf: str) -> Iterator[Any]:
    """Start a session on a cluster; ``path`` is the PYTHONPATH of the executors."""
    from pyspark.sql import SparkSession

    before = dict(os.environ)
    os.environ.update(environment())
    settings: Mapping[str, str] = {
        "spark.ui.enabled": "false",
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
        "spark.driver.memory": "1g",
        "spark.executor.memory": "1g",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([path, *_paths()]),
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        **conf,
    }
    builder = SparkSession.builder.master(master).appName("scrapy-cetr tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()
        os.environ.clear()
        os.environ.update(before)


def _paths() -> Sequence[str]:
    """Return the folder of the package, for executors."""
    import scrapy_cetr

    return [str(Path(scrapy_cetr.__file__).parents[1])]
