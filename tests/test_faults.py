"""Crawls of servers and with spiders that misbehave: the plugin loses nothing and ends with them."""

import pytest
from faults import FAULTS, GOOD, WORKERS, Outcome, run_fault
from scrapy.utils.defer import deferred_f_from_coro_f
from server import TEXT

OF_SPIDERS = [name for name in FAULTS if name.startswith(("a callback", "items", "a spider"))]


def what_is_kept(outcome: Outcome) -> tuple[object, ...]:
    return outcome.stored, outcome.dropped, outcome.requests, outcome.finish


@pytest.mark.parametrize("name", FAULTS)
@deferred_f_from_coro_f
async def test_no_item_and_no_request_is_lost(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True)
    assert what_is_kept(outcome) == what_is_kept(alone)
    assert alone.articles == outcome.errors == 0


@pytest.mark.parametrize("name", OF_SPIDERS)
@deferred_f_from_coro_f
async def test_nor_is_any_lost_with_workers(name: str) -> None:
    alone = await run_fault(FAULTS[name], addon=False)
    outcome = await run_fault(FAULTS[name], addon=True, workers=WORKERS)
    assert what_is_kept(outcome) == what_is_kept(alone)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in OF_SPIDERS])
@deferred_f_from_coro_f
async def test_the_good_pages_beside_a_bad_one_have_their_articles(name: str) -> None:
    outcome = await run_fault(FAULTS[name], addon=True)
    if name != "a pipeline that drops all":
        assert outcome.texts.count(TEXT) >= GOOD


@deferred_f_from_coro_f
async def test_a_page_that_changes_between_retries_gives_the_article_that_was_crawled() -> None:
    outcome = await run_fault(FAULTS["another page at each retry"], addon=True)
    assert sum("the attempt of number 1," in text for text in outcome.texts) == 1
    assert not any("the attempt of number 0," in text for text in outcome.texts)


@deferred_f_from_coro_f
async def test_each_of_thousands_of_items_has_the_article() -> None:
    outcome = await run_fault(FAULTS["a callback that yields 2,000 items"], addon=True)
    assert outcome.articles == outcome.stored == (GOOD + 1) * 2000
