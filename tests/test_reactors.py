"""Crawls with each reactor and without one, with and without workers."""

from pathlib import Path
from typing import Any

import pytest

from testkit.processes import DEADLINE, Script
from testkit.server import TEXT, Reply, Site, page

ASYNCIO = {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"}
SELECT = {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"}
DEFAULT = {"TWISTED_REACTOR": None}
NONE = {"TWISTED_REACTOR_ENABLED": False}


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [(True, ASYNCIO), (False, ASYNCIO), (False, SELECT), (False, DEFAULT), (True, NONE)],
    ids=["asyncio", "asyncio-deferreds", "select", "default", "reactorless"],
)
def test_crawl_gives_the_same_items_with_any_reactor(
    site: Site, tmp_path: Path, runs_async: bool, reactor: dict[str, Any], workers: int
) -> None:
    urls = [site.add(f"/{n}") for n in range(6)]
    urls += [site.add("/empty", Reply(b"<p></p>")), site.add("/data", Reply(b"{}", type="a/b"))]
    with Script(tmp_path, *urls, runs_async=runs_async, CETR_WORKERS=workers, **reactor) as script:
        stats = script.stats()
    found = {item["url"].rpartition("/")[2]: item.get("article_text") for item in script.items}
    assert found == {**{str(n): TEXT for n in range(6)}, "empty": "", "data": None}
    assert stats["finish_reason"] == "finished"
    assert (stats["cetr/pages"], stats["cetr/extracted"], stats["cetr/empty"]) == (7, 6, 1)
    assert stats["cetr/items"] == 7
    assert "cetr/errors" not in stats
    assert "Extracted 6 articles from 7 pages (1 other page)" in script.log
    assert "Traceback" not in script.log
    assert "ERROR" not in script.log


@pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [(True, ASYNCIO), (False, SELECT), (True, NONE)],
    ids=["asyncio", "select", "reactorless"],
)
def test_failing_page_loses_only_its_text_with_any_reactor(
    site: Site, tmp_path: Path, traps: str, runs_async: bool, reactor: dict[str, Any]
) -> None:
    urls = [site.add(f"/{marker}", Reply(page(marker))) for marker in ("FAIL", "DIE", "good")]
    with Script(
        tmp_path, *urls, runs_async=runs_async, path=traps, CETR_WORKERS=1, **reactor
    ) as script:
        stats = script.stats()
    found = {item["url"].rpartition("/")[2]: bool(item["article_text"]) for item in script.items}
    assert found == {"FAIL": False, "DIE": False, "good": True}
    assert stats["cetr/errors/WorkerError"] == 2
    assert stats["finish_reason"] == "finished"


@pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [(True, ASYNCIO), (False, SELECT), (True, NONE)],
    ids=["asyncio", "select", "reactorless"],
)
def test_invalid_setting_ends_the_crawl_with_any_reactor(
    site: Site, tmp_path: Path, runs_async: bool, reactor: dict[str, Any]
) -> None:
    url = site.add("/1")
    with Script(tmp_path, url, runs_async=runs_async, CETR_K=1, **reactor) as script:
        assert script.process.wait(DEADLINE) == 1
    assert site.hits == []
    assert script.log == "scrapy-cetr: CETR_K must be a whole number from 2 to 100, not 1\n"
