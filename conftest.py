"""Modules for other engines are collected only where the engine is installed."""

from __future__ import annotations

from importlib.util import find_spec

# Each with the package that it needs, which is in an extra.
_NEEDED = {
    "scrapy_cetr/datatrove.py": "datatrove",
    "scrapy_cetr/ray.py": "ray",
    "scrapy_cetr/spark.py": "pyspark",
    "scrapy_cetr/spark_job.py": "pyspark",
    "example_project/news/shared/*": "scrapy_redis",
}

collect_ignore_glob = [path for path, package in _NEEDED.items() if find_spec(package) is None]
