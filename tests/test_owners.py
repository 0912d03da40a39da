"""Owners: what is remembered of items, for how long, and in which requests they are found."""

import gc
from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Request

from scrapy_cetr.owners import META_KEY, ItemOwners, Owner, Owners


@dataclass
class DataItem:
    n: int = 0


def test_owners_forget_an_item_that_is_gone() -> None:
    owners = Owners(limit=2)
    item = DataItem()
    owners.add(item, Owner())
    assert owners.get(item) == Owner()
    del item
    gc.collect()
    assert len(owners) == 0


def test_owners_keep_no_more_dicts_than_their_limit() -> None:
    owners = Owners(limit=2)
    items = [{"n": n} for n in range(5)]
    for item in items:
        owners.add(item, Owner())
    assert [owners.get(item) is not None for item in items] == [False, False, False, True, True]
    assert len(owners) == 2


def test_owners_tell_equal_items_apart() -> None:
    owners = Owners(limit=2)
    item: dict[str, Any] = {}
    owners.add(item, Owner())
    assert owners.get({}) is None


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("cb_kwargs", lambda item: {"item": item}),
        ("cb_kwargs", lambda item: {"items": [{}, item]}),
        ("meta", lambda item: {"items": {"one": item}}),
    ],
)
def test_owners_of_items_in_a_request_are_restored(place: str, value: Any) -> None:
    owners = ItemOwners()
    item = {"n": 1}
    owners.attach(item, reason="too short")
    request = Request("http://example.com", **{place: value(item)})
    owners.mark(request)
    owners.clear()
    owners.restore(request)
    assert owners.of(item) == Owner(reason="too short")


def test_owners_remove_a_mark_that_was_passed_on() -> None:
    owners = ItemOwners()
    request = Request("http://example.com", meta={META_KEY: [(("meta", "item"), None)]})
    owners.mark(request)
    assert request.meta == {}


@pytest.mark.parametrize("marks", [None, 5, "text", [(("meta", "none"), None)], [(("x",), None)]])
def test_owners_ignore_a_mark_that_leads_nowhere(marks: object) -> None:
    owners = ItemOwners()
    owners.restore(Request("http://example.com", meta={META_KEY: marks}))
    assert len(owners.attached) == 0
