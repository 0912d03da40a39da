"""The code of the guides for datatrove, Ray and shared crawls, as a stranger runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from testkit.documented_code import ROOT, guide, read_lines
from testkit.engines import PAGES, RECORDS, need_engine, write_archives
from testkit.redis_server import client, redis_server
from testkit.server import Reply, Site, page

pytestmark = pytest.mark.engines
DEADLINE = 300.0


def run(*words: str, folder: Path) -> str:
    """Run a command in a folder, and check that it succeeds."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(  # noqa: S603
        words,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("drops", [False, True])
def test_datatrove_guide(drops: bool, tmp_path: Path) -> None:
    need_engine("datatrove")
    write_archives(tmp_path / "archives", "truncated")
    pipeline = guide("datatrove").block("pipeline.py")
    if drops:
        section = guide("datatrove").section("Drop the pages with an error")
        (step,) = (code for code in section.inline_code() if code.startswith("Cetr"))
        (function,) = section.blocks()
        assert pipeline.count(f"{step},") == 1
        pipeline = function + pipeline.replace(step, f"{step}, without_errors")
    (tmp_path / "pipeline.py").write_text(pipeline)
    run(sys.executable, "pipeline.py", folder=tmp_path)
    errors = pq.read_table(tmp_path / "articles").column("error")
    assert len(errors) == RECORDS - drops
    assert errors.null_count == RECORDS - 1


def test_ray_guide(tmp_path: Path) -> None:
    need_engine("ray", "unshare", "ip")
    write_archives(tmp_path / "written")
    for number in (1, 2):
        (tmp_path / f"written/{number}.warc.gz").rename(tmp_path / f"crawl-{number}.warc.gz")
    (tmp_path / "archives.py").write_text(guide("ray").block("archives.py"))
    (command,) = re.findall(r"^\$ (unshare .+)$", guide("ray").text, re.MULTILINE)
    printed = run("sh", "-c", command.replace("python", sys.executable), folder=tmp_path)
    names = [line for line in printed.splitlines() if line.startswith("crawl-")]
    assert sorted(names) == [f"crawl-{number}.warc.gz {PAGES} 0" for number in (1, 2)]
    assert pq.read_table(tmp_path / "articles").num_rows == 2 * PAGES


def test_shared_crawl_guide(site: Site, tmp_path: Path) -> None:
    need_engine("scrapy_redis", "redis-server")
    for number in range(8):
        links = f'<a href="/{2 * number + 1}">a</a><a href="/{2 * number + 2}">b</a>'
        html = page(f"This is the story {number} of the harbour.")
        site.add(f"/{number}", Reply(html.replace(b"</body>", links.encode() + b"</body>")))
    run(sys.executable, "-m", "scrapy", "startproject", "news", ".", folder=tmp_path)
    text = guide("shared-crawl")
    with redis_server(tmp_path) as url:
        with (tmp_path / "news/settings.py").open("a") as settings:
            settings.write(text.block("settings.py"))
            settings.write(f"REDIS_URL = {url!r}\nMAX_IDLE_TIME_BEFORE_CLOSE = 5\n")
            settings.write("DOWNLOAD_DELAY = 0\n")
        spider = text.block("spiders/redis_news.py").replace("news.example", "127.0.0.1")
        (tmp_path / "news/spiders/redis_news.py").write_text(spider)
        redis = client(url)
        redis.lpush("news:start_urls", f"{site.url}/0")
        redis.close()
        crawl = ("scrapy", "crawl", "redis-news", "-o", "articles-1.jsonl")
        run(sys.executable, "-m", *crawl, folder=tmp_path)
    items = read_lines(tmp_path / "articles-1.jsonl")
    paths = sorted(item["url"].removeprefix(site.url) for item in items)
    assert paths == [f"/{number}" for number in range(8)]
    assert all(item["article_text"] for item in items), json.dumps(items)[:1000]
    assert len([*tmp_path.glob("report-*.json.gz")]) == 1
