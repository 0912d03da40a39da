"""Crawls that are paused and resumed."""

import threading
from pathlib import Path
from typing import Any

import pytest

from testkit.processes import Script, wait_until
from testkit.server import SENTENCES, TEXT, Reply, Site


@pytest.mark.parametrize("workers", [pytest.param(0, marks=pytest.mark.slow), 2])
def test_resumed_crawl_loses_no_item_and_queues_no_article(
    site: Site, tmp_path: Path, workers: int
) -> None:
    going_on = threading.Event()

    def reply() -> Reply:
        if len(site.hits) > 8:
            going_on.wait(30)
        return Reply()

    urls = [site.add(f"/{n}", reply) for n in range(40)]
    settings: dict[str, Any] = {
        "JOBDIR": str(tmp_path / "job"),
        "CETR_WORKERS": workers,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    }
    with Script(tmp_path, *urls, **settings) as script:
        # Wait until all requests are in the queue.
        wait_until(lambda: len(site.hits) >= 10)
        script.interrupt()
        wait_until(lambda: "Send again to force" in script.log)
        going_on.set()
        first = script.stats()
    assert first["finish_reason"] == "shutdown"
    stored = len(script.items)
    assert 0 < stored < 40
    queued = [path for path in (tmp_path / "job").rglob("*") if path.is_file()]
    assert queued
    for path in queued:
        assert all(sentence.encode() not in path.read_bytes() for sentence in SENTENCES)
    with Script(tmp_path, *urls, **settings) as script:
        assert script.stats()["finish_reason"] == "finished"
    assert sorted(item["url"] for item in script.items) == sorted(urls)
    assert {item["article_text"] for item in script.items} == {TEXT}
    assert len(site.hits) == 40
