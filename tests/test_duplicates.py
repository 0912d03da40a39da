"""CetrDuplicatesPipeline: signatures, near-duplicates, bounded memory, restarts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from scrapy_cetr.duplicates import FILE, SIZE, CetrDuplicatesPipeline, Memory, signature
from testkit.server import Reply, Site, crawl, spider_of

WORDS = [f"word{n}" for n in range(400)]
TEXT = " ".join(WORDS)
# Agency copy with another first sentence and another last line.
COPY = " ".join(["Our", "own", "paper", "writes:", *WORDS[3:], "Copyright", "agency"])
OTHER = " ".join(reversed(WORDS))
PIPELINES = {"scrapy_cetr.CetrDuplicatesPipeline": 60}


def pipeline(**settings: Any) -> CetrDuplicatesPipeline:
    crawler = get_crawler(settings_dict={"CETR_FIELDS": {"text": "text"}, **settings})
    crawler.stats = StatsCollector(crawler)
    return CetrDuplicatesPipeline.from_crawler(crawler)


def share(one: str, other: str) -> float:
    first, second = signature(one), signature(other)
    assert first is not None
    assert second is not None
    return float((first == second).mean())


# Signatures


def test_share_of_equal_bytes_estimates_the_resemblance() -> None:
    half = " ".join(WORDS[:200] + [f"new{n}" for n in range(200)])
    assert share(TEXT, TEXT) == 1
    assert share(TEXT, COPY) > 0.9
    assert 0.15 < share(TEXT, half) < 0.55  # a third of all runs of words are in both
    assert share(TEXT, OTHER) < 0.1


def test_signature_is_the_same_in_every_process() -> None:
    script = "from scrapy_cetr.duplicates import signature; print(signature(input()).tolist())"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input=TEXT, capture_output=True, text=True, check=True)  # noqa: S603
    found = signature(TEXT)
    assert found is not None
    assert json.loads(done.stdout) == found.tolist()


@pytest.mark.parametrize("text", ["", "A short text.", "word " * 29])
def test_short_text_has_no_signature(text: str) -> None:
    assert signature(text) is None


def test_signature_counts_each_ideograph_as_a_word() -> None:
    assert signature("整天都在下雨到了晚上河水漫进了老城的街道没有人能说水什么时候会退") is not None


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 5))
def test_memory_keeps_the_last_signatures(numbers: list[int], size: int) -> None:
    memory = Memory(size)
    for number in numbers:
        memory.add(np.full(SIZE, number, np.uint8), str(number))
    for number in range(10):
        known = list(memory.similar(np.full(SIZE, number, np.uint8), threshold=1))
        assert known == [str(number)] * numbers[-size:].count(number)


# Items


def test_duplicate_is_flagged_with_the_url_of_the_first_article() -> None:
    found = pipeline()
    first = found.process_item({"url": "a", "text": TEXT})
    copy = found.process_item({"url": "b", "text": COPY})
    other = found.process_item({"url": "c", "text": OTHER})
    assert ("duplicate_of" in first, copy["duplicate_of"], "duplicate_of" in other) == (
        False,
        "a",
        False,
    )


def test_duplicate_is_dropped_with_cetr_duplicates_drop() -> None:
    found = pipeline(CETR_DUPLICATES="drop")
    found.process_item({"url": "a", "text": TEXT})
    with pytest.raises(DropItem, match="near-duplicate of the article at a"):
        found.process_item({"url": "b", "text": COPY})


def test_items_of_one_page_are_not_duplicates() -> None:
    found = pipeline(CETR_DUPLICATES="drop")
    for number in range(3):
        item = {"url": "a", "text": TEXT, "n": number}
        assert found.process_item(dict(item)) == item


def test_duplicates_depend_on_the_threshold() -> None:
    half = " ".join(WORDS[:300] + [f"new{n}" for n in range(100)])
    for threshold, is_copy in ((0.3, True), (0.95, False)):
        found = pipeline(CETR_DUPLICATES_THRESHOLD=threshold)
        found.process_item({"url": "a", "text": TEXT})
        assert ("duplicate_of" in found.process_item({"url": "b", "text": half})) is is_copy


@pytest.mark.parametrize("item", [{"url": "a"}, {"text": 5}, {"text": "short"}, "no item"])
def test_item_without_text_is_unchanged(item: Any) -> None:
    assert pipeline().process_item(item) == item


def test_duplicates_pipeline_needs_a_text_field() -> None:
    with pytest.raises(NotConfigured, match="CETR_FIELDS"):
        pipeline(CETR_FIELDS={"heading": "title"})


# Restarts


def test_duplicates_are_found_after_a_restart(tmp_path: Path) -> None:
    first = pipeline(JOBDIR=str(tmp_path))
    first.process_item({"url": "a", "text": TEXT})
    # The file is not closed, as in a crawl that is killed.
    again = pipeline(JOBDIR=str(tmp_path))
    assert again.process_item({"url": "b", "text": COPY})["duplicate_of"] == "a"
    first.close_spider()
    again.close_spider()


def test_incomplete_line_in_the_jobdir_is_ignored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = pipeline(JOBDIR=str(tmp_path))
    first.process_item({"url": "a", "text": TEXT})
    first.close_spider()
    path = tmp_path / FILE
    path.write_text('{"url": "x", "sign\n{}\n[]\n' + path.read_text() + '{"url": "b"')
    again = pipeline(JOBDIR=str(tmp_path))
    assert again.process_item({"url": "b", "text": COPY})["duplicate_of"] == "a"
    again.close_spider()
    assert "Ignored an incomplete line" in caplog.text


@deferred_f_from_coro_f
async def test_duplicates_are_found_in_a_resumed_crawl(site: Site, tmp_path: Path) -> None:
    def parse(response: Response) -> Any:
        yield {"url": response.url}

    def reply(text: str) -> Reply:
        return Reply(f"<html><body><p>{text}</p></body></html>".encode())

    settings: dict[str, Any] = {"ITEM_PIPELINES": PIPELINES, "JOBDIR": str(tmp_path)}
    first = site.add("/first", reply(TEXT))
    await crawl(spider_of(first, parse=parse), **settings)
    copy = site.add("/copy", reply(COPY))
    crawled = await crawl(spider_of(copy, parse=parse), **settings)
    assert [item["duplicate_of"] for item in crawled.items] == [first]
    records = (tmp_path / FILE).read_text().splitlines()
    assert [json.loads(record)["url"] for record in records] == [first, copy]
