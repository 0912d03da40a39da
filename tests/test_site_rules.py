"""CETR_SITES and CETR_MEMORY in real crawls: texts, statistics, workers, restarts, wrong values."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import article
from scrapy_cetr.extraction.memory.store import CrawlMemory
from scrapy_cetr.memory import STATE
from scrapy_cetr.startup import SettingsError
from testkit.server import Reply, Site, crawl, spider_of
from testkit.site_pages import BOX, STORIES, story_page

TEXTS = {name: "\n\n".join(paragraphs) for name, paragraphs in STORIES.items()}


def add_stories(site: Site) -> list[str]:
    return [site.add(f"/{name}.html", Reply(body=story_page(name).encode())) for name in STORIES]


def rules_for(url: str, **rule: Any) -> dict[str, Any]:
    return {str(urlsplit(url).hostname): rule}


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_rules_of_a_site_decide_on_its_pages(site: Site, workers: int) -> None:
    urls = add_stories(site)
    rules = rules_for(urls[0], drop=".box-text", title="h1")
    fields = {"text": "text", "title": "title", "rules": "site_rules"}
    crawled = await crawl(
        spider_of(*urls), CETR_SITES=rules, CETR_WORKERS=workers, CETR_FIELDS=fields
    )
    assert sorted(item["text"] for item in crawled.items) == sorted(TEXTS.values())
    assert {item["title"] for item in crawled.items} == {f"The {name}" for name in STORIES}
    (host,) = rules
    assert {tuple(item["rules"]) for item in crawled.items} == {(host,)}
    assert crawled.cetr(f"sites/{host}/pages") == (3,)


@deferred_f_from_coro_f
async def test_selector_that_matches_nothing_is_counted_and_logged(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    urls = add_stories(site)
    rules = rules_for(urls[0], drop=[".box-text", ".gone"])
    with caplog.at_level(logging.WARNING, logger="scrapy_cetr"):
        crawled = await crawl(spider_of(*urls), CETR_SITES=rules)
    assert crawled.cetr("sites/unmatched") == (1,)
    (host,) = rules
    line = f"CETR_SITES: nothing matches '{host}: drop .gone' on 3 pages"
    assert [record.getMessage() for record in caplog.records].count(line) == 1


@deferred_f_from_coro_f
async def test_callback_that_extracts_a_page_itself_uses_its_rule(site: Site) -> None:
    urls = add_stories(site)

    def parse(response: Response) -> Any:
        yield {"url": response.url, "own": article(response).text}

    crawled = await crawl(
        spider_of(*urls, parse=parse),
        CETR_SITES=rules_for(urls[0], drop=".box-text"),
        DOWNLOADER_MIDDLEWARES={"scrapy_cetr.CetrDownloaderMiddleware": None},
    )
    assert sorted(item["own"] for item in crawled.items) == sorted(TEXTS.values())


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"CETR_SITES": {"a.example": {"dorp": "p"}}}, "did you mean 'drop'"),
        ({"CETR_SITES": "missing.toml"}, "CETR_SITES missing.toml: cannot be read"),
        (
            {"CETR_SITES": {"a.example": {"model": "missing.npz"}}},
            "CETR_SITES['a.example']['model'] missing.npz: cannot be read",
        ),
        ({"CETR_MODEL": "missing.npz"}, "CETR_MODEL missing.npz: cannot be read"),
    ],
)
@deferred_f_from_coro_f
async def test_wrong_rules_and_models_end_the_crawl_before_it_starts(
    site: Site, capsys: pytest.CaptureFixture[str], settings: dict[str, Any], error: str
) -> None:
    with pytest.raises((SettingsError, SystemExit)) as raised:
        await crawl(spider_of(site.add("/1")), **settings)
    assert error in f"{raised.value} {capsys.readouterr().err}"
    assert not site.hits


def shared_page(name: str, number: int) -> bytes:
    """Return a page with an article of its own, and a box that is the same on all pages."""
    story = "".join(
        f"<p>Paragraph {part} about the {name}, number {number * 7 + part * 3}, which is unlike any"
        f" other {name} of the year, says a captain of the {name}.</p>"
        for part in range(3)
    )
    box = "".join(f"<p>{text}</p>" for text in BOX)
    return f"<title>{name}</title><h1>{name}</h1><div>{story}</div><div>{box}</div>".encode()


NAMES = ("ferry", "bridge", "library", "market", "regatta", "storm", "school", "organ")


def add_shared(site: Site) -> list[str]:
    return [
        site.add(f"/{name}", Reply(body=shared_page(name, number)))
        for number, name in enumerate(NAMES)
    ]


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_memory_drops_what_stands_on_all_pages(
    site: Site, tmp_path: Path, workers: int
) -> None:
    urls, path = add_shared(site), tmp_path / "memory.bin"
    settings: dict[str, Any] = {
        "CETR_MEMORY": str(path),
        "CETR_WORKERS": workers,
        "CONCURRENT_REQUESTS": 1,
    }
    first = await crawl(spider_of(*urls), **settings)
    kept = sum(BOX[0] in item["article_text"] for item in first.items)
    assert kept < len(urls) / 2
    memory = CrawlMemory()
    memory.load(path)
    ((_, known),) = memory.sites
    assert known.pages == len(urls)
    # Warm from the first crawl, all pages profit, and no article is lost.
    second = await crawl(spider_of(*urls), **settings)
    assert len(second.items) == len(urls)
    for item in second.items:
        assert BOX[0] not in item["article_text"]
        assert item["article_text"].count("says a captain") == 3


@deferred_f_from_coro_f
async def test_memory_is_kept_over_a_restart_with_jobdir(site: Site, tmp_path: Path) -> None:
    urls, folder = add_shared(site), tmp_path / "job"
    settings: dict[str, Any] = {"CETR_MEMORY": True, "JOBDIR": str(folder)}
    await crawl(spider_of(*urls[:6]), **settings)
    resumed = await crawl(spider_of(*urls[6:]), **settings)
    assert all(BOX[0] not in item["article_text"] for item in resumed.items)
    # A damaged state costs the memory, not the crawl.
    (folder / STATE).write_bytes(b"damaged")
    (folder / "requests.seen").unlink(missing_ok=True)
    crawled = await crawl(spider_of(urls[0]), **settings)
    assert len(crawled.items) == 1


@deferred_f_from_coro_f
async def test_damaged_memory_that_the_user_named_ends_the_crawl(
    site: Site, tmp_path: Path
) -> None:
    path = tmp_path / "memory.bin"
    path.write_bytes(b"CETRMEM1 and then something else")
    with pytest.raises((SettingsError, SystemExit), match=r"memory\.bin"):
        await crawl(spider_of(site.add("/1")), CETR_MEMORY=str(path))
    assert path.read_bytes() == b"CETRMEM1 and then something else"
