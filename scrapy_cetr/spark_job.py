"""A job for spark-submit: the articles of WARC files as Parquet.

    spark-submit $(python -m scrapy_cetr.spark_job --path) --input warc.paths --output articles

The options have the names that users of cc-pyspark know.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from glob import glob
from pathlib import Path

# As a script, its folder is first in sys.path, and would provide modules of the name of Ray's.
if sys.path and Path(sys.path[0]).resolve() == Path(__file__).parent:
    del sys.path[0]

SUFFIXES = (".warc", ".warc.gz")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job; return 1 if something could not be extracted, else 0."""
    options = _parser().parse_args(arguments)
    if options.path:
        print(__file__)  # noqa: T201
        return 0
    if not options.input or not options.output:
        _parser().error("--input and --output are required")
    return _run(options, read_paths(options.input, base=options.input_base_url))


def read_paths(inputs: Sequence[str], *, base: str = "") -> list[str]:
    """Return the archives that inputs name: an archive, a pattern, or a list with one per line."""
    found: list[str] = []
    for name in inputs:
        if name.endswith(SUFFIXES):
            found += [name] if "://" in name else sorted(glob(name)) or [name]  # noqa: PTH207
            continue
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        found += [base + line.strip() for line in lines if line.strip()]
    if not found:
        raise SystemExit(f"no archives in {', '.join(inputs)}")
    return found


def _run(options: argparse.Namespace, paths: Sequence[str]) -> int:
    from pyspark.sql import SparkSession

    from scrapy_cetr.spark import extract_warc

    spark = SparkSession.builder.appName("scrapy-cetr").getOrCreate()
    spark.sparkContext.setLogLevel(options.log_level)
    fields = options.fields.split(",") if options.fields else None
    rows = extract_warc(
        spark, paths, fields=fields, timeout=options.timeout, memory=options.memory * 1_000_000
    )
    if options.num_output_partitions:
        rows = rows.coalesce(options.num_output_partitions)
    writer = rows.write.format("parquet").option("compression", "zstd")
    writer.mode("overwrite" if options.overwrite else "errorifexists").save(options.output)
    # Read back, as a count during the job would count the tasks that ran twice.
    written = spark.read.parquet(options.output).selectExpr(
        "count(*) as records", "count(error) as errors"
    )
    counts = written.collect()[0]
    print(f"{counts.records:,} records, {counts.errors:,} errors", file=sys.stderr)  # noqa: T201
    spark.stop()
    return 1 if counts.errors else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrapy_cetr.spark_job", description=__doc__)
    add = parser.add_argument
    add("--input", nargs="+", help="archives, patterns, or files that list archives")
    add("--output", help="the folder of the Parquet files")
    add("--input_base_url", default="", help="put before each line of a list")
    add("--num_output_partitions", type=int, help="write so many files (default one per archive)")
    add("--overwrite", action="store_true", help="replace the output (default fail if it exists)")
    add("--fields", help="columns, as title,text (default all of the schema)")
    add("--timeout", type=float, default=30.0, help="seconds per page (default 30)")
    add("--memory", type=int, default=2000, help="megabytes per process (default 2000)")
    add("--log_level", default="WARN", help="of Spark (default WARN)")
    add("--path", action="store_true", help="print the path of this file, for spark-submit")
    return parser


if __name__ == "__main__":
    sys.exit(main())
