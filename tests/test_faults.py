"""Crawls with faulty servers and spiders: no item is lost, and the crawl ends."""

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from testkit.faults import FAULTS, GOOD, WORKERS, Outcome, run_fault
from testkit.server import TEXT

SPIDER_FAULTS = ("a callback", "items", "one item", "an asynchronous", "a pipeline", "a spider")
FAULTS_WITH_WORKERS = (
    *("endless chunks", "a hostile page", "items that refuse fields or raise"),
    *("a callback that fails in between", "a spider that closes mid-page"),
)


def crawl_result(outcome: Outcome) -> tuple[object, ...]:
    # The number of pages that are crawled while a spider closes depends on timing.
    if outcome.finish != "finished":
        return outcome.finish, 0 < outcome.stored <= outcome.requests
    return outcome.stored, outcome.dropped, outcome.requests, outcome.finish


@pytest.mark.parametrize("name", FAULTS)
@deferred_f_from_coro_f
async def test_fault_loses_no_item_and_no_request(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True)
    assert crawl_result(outcome) == crawl_result(alone)
    assert alone.articles == outcome.errors == 0
    if not name.startswith(SPIDER_FAULTS):
        assert outcome.texts.count(TEXT) >= GOOD


@pytest.mark.parametrize("name", FAULTS_WITH_WORKERS)
@deferred_f_from_coro_f
async def test_fault_loses_no_item_and_no_request_with_workers(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True, workers=WORKERS)
    assert crawl_result(outcome) == crawl_result(alone)


@deferred_f_from_coro_f
async def test_article_is_that_of_the_last_retry() -> None:
    outcome = await run_fault(FAULTS["another page at each retry"], addon=True)
    assert sum("the attempt of number 1," in text for text in outcome.texts) == 1
    assert not any("the attempt of number 0," in text for text in outcome.texts)


@deferred_f_from_coro_f
async def test_each_of_thousands_of_items_gets_the_article() -> None:
    outcome = await run_fault(FAULTS["a callback that yields 2,000 items"], addon=True)
    assert outcome.articles == outcome.stored == (GOOD + 1) * 2000
