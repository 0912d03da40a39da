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
EACH_REACTOR = pytest.mark.parametrize(
    ("runs_async", "reactor"),
    [
        pytest.param(True, ASYNCIO, id="asyncio"),
        pytest.param(False, SELECT, id="select", marks=pytest.mark.slow),
        pytest.param(True, NONE, id="reactorless", marks=pytest.mark.slow),
    ],
)


@pytest.mark.parametrize(
    ("runs_async", "reactor", "workers"),
    [
        pytest.param(True, ASYNCIO, 2, id="asyncio-2"),
        pytest.param(False, SELECT, 0, id="select-0"),
        pytest.param(True, NONE, 0, id="reactorless-0"),
        pytest.param(True, ASYNCIO, 0, id="asyncio-0", marks=pytest.mark.slow),
        pytest.param(False, ASYNCIO, 0, id="asyncio-deferreds-0", marks=pytest.mark.slow),
        pytest.param(False, ASYNCIO, 2, id="asyncio-deferreds-2", marks=pytest.mark.slow),
        pytest.param(False, SELECT, 2, id="select-2", marks=pytest.mark.slow),
        pytest.param(False, DEFAULT, 0, id="default-0", marks=pytest.mark.slow),
        pytest.param(False, DEFAULT, 2, id="default-2", marks=pytest.mark.slow),
        pytest.param(True, NONE, 2, id="reactorless-2", marks=pytest.mark.slow),
    ],
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


@EACH_REACTOR
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


@EACH_REACTOR
def test_invalid_setting_ends_the_crawl_with_any_reactor(
    site: Site, tmp_path: Path, runs_async: bool, reactor: dict[str, Any]
) -> None:
    url = site.add("/1")
    with Script(tmp_path, url, runs_async=runs_async, CETR_K=1, **reactor) as script:
        assert script.process.wait(DEADLINE) == 1
    assert site.hits == []
    assert script.log == "scrapy-cetr: CETR_K must be a whole number from 2 to 100, not 1\n"
