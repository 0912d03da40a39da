"""Crawls of servers and with spiders that misbehave: nothing is lost, and they end."""

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from testkit.faults import FAULTS, GOOD, WORKERS, Outcome, run_fault
from testkit.server import TEXT

OF_SPIDERS = ("a callback", "items", "one item", "an asynchronous", "a pipeline", "a spider")
WITH_WORKERS = (
    *("endless chunks", "a hostile page", "items that refuse fields or raise"),
    *("a callback that fails in between", "a spider that closes mid-page"),
)


def what_is_kept(outcome: Outcome) -> tuple[object, ...]:
    # How many pages are still crawled while a spider closes is a matter of time.
    if outcome.finish != "finished":
        return outcome.finish, 0 < outcome.stored <= outcome.requests
    return outcome.stored, outcome.dropped, outcome.requests, outcome.finish


@pytest.mark.parametrize("name", FAULTS)
@deferred_f_from_coro_f
async def test_no_item_and_no_request_is_lost(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True)
    assert what_is_kept(outcome) == what_is_kept(alone)
    assert alone.articles == outcome.errors == 0
    if not name.startswith(OF_SPIDERS):
        assert outcome.texts.count(TEXT) >= GOOD


@pytest.mark.parametrize("name", WITH_WORKERS)
@deferred_f_from_coro_f
async def test_nor_is_any_lost_with_workers(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True, workers=WORKERS)
    assert what_is_kept(outcome) == what_is_kept(alone)


@deferred_f_from_coro_f
async def test_a_page_that_changes_between_retries_gives_the_article_that_was_crawled() -> None:
    outcome = await run_fault(FAULTS["another page at each retry"], addon=True)
    assert sum("the attempt of number 1," in text for text in outcome.texts) == 1
    assert not any("the attempt of number 0," in text for text in outcome.texts)


@deferred_f_from_coro_f
async def test_each_of_thousands_of_items_has_the_article() -> None:
    outcome = await run_fault(FAULTS["a callback that yields 2,000 items"], addon=True)
    assert outcome.articles == outcome.stored == (GOOD + 1) * 2000
