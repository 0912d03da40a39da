"""The memory of a site: what is counted, forgotten, merged, stored and refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction.memory import site as site_module
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory, SiteMemoryError

TEMPLATE = (1, 2, 3)


def seen(*rows: int, title: int = 0, paths: tuple[int, ...] = ()) -> Observation:
    """Observe a page whose rows, apart from the template, are those of its article."""
    own = sorted(set(rows) - set(TEMPLATE))
    path_keys = list(paths) or [7] * len(rows)
    return Observation(list(rows), path_keys, [row > 2 for row in rows], [title, *own[:16]])


def test_rows_are_counted_once_per_page() -> None:
    memory = SiteMemory()
    memory.learn(seen(1, 1, 2, 10, 11))
    memory.learn(seen(1, 2, 20, 21))
    known = memory.look_up(seen(1, 2, 10, 30, 31))
    assert known == (2, [2, 2, 1, 0, 0], {7: (9, 4)})


def test_page_is_no_evidence_against_itself_or_a_copy() -> None:
    memory = SiteMemory()
    memory.learn(seen(1, 10, 11, 12, 13, title=5))
    memory.learn(seen(1, 20, 21, 22, 23, title=6))
    pages, on_pages, _ = memory.look_up(seen(1, 10, 11, 12, 13, title=5))
    assert (pages, on_pages) == (1, [1, 0, 0, 0, 0])
    # With the same title, half of the rows are enough.
    memory.learn(seen(1, 20, 21, 22, 99, 98, title=6))
    assert memory.pages == 2
    assert memory.look_up(seen(1, 20, 21, 22, 99, title=6)).on_pages == [1, 0, 0, 0, 0]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_module, "MAX_ROWS", 100)
    monkeypatch.setattr(site_module, "MAX_PATHS", 10)
    memory = SiteMemory()
    for page in range(300):
        own = range(100 + 20 * page, 120 + 20 * page)
        memory.learn(seen(*TEMPLATE, *own, title=page, paths=(*TEMPLATE, *own)))
        # The latest pages are in addition.
        assert len(memory.rows) <= 100 + 64
        assert len(memory.paths) <= 10 + 64
    memory.compact()
    assert len(memory.rows) <= 100
    assert len(memory.paths) <= 10
    # What stands on every page is never forgotten.
    assert min(memory.look_up(seen(*TEMPLATE, 9_999_999)).on_pages[:3]) > 200


def test_counts_of_a_path_do_not_overflow() -> None:
    memory = SiteMemory()
    for page in range(400):
        memory.learn(seen(1, *range(10 * page + 10, 10 * page + 2000), paths=(5,) * 1991))
    rows, kept = memory.look_up(seen(1, paths=(5,))).paths[5]
    assert 0.9 * rows < kept <= rows < 1 << 16
    assert SiteMemory.from_bytes(memory.to_bytes()).look_up(seen(1, paths=(5,))).paths[5][0]


def test_clock_does_not_overflow() -> None:
    memory = filled()
    for _ in range(40):
        memory.merge(memory.copy())
        known = memory.look_up(seen(*TEMPLATE, 9_999_999))
        assert known.on_pages == [known.pages] * 3 + [0]
    memory.learn(seen(1, 77, title=8))
    assert SiteMemory.from_bytes(memory.to_bytes()).to_bytes() == memory.to_bytes()


def test_copy_is_independent() -> None:
    memory = filled()
    before = memory.copy().to_bytes()
    memory.copy().learn(seen(1, 77, title=8))
    assert memory.to_bytes() == before


def test_old_pages_count_less_and_less() -> None:
    memory = SiteMemory()
    for page in range(2000):
        memory.learn(seen(1 if page < 1000 else 2, 10 * page + 50, 10 * page + 51, title=page))
    memory.compact()
    pages, on_pages, _ = memory.look_up(seen(1, 2))
    assert pages <= site_module.MAX_PAGES
    assert on_pages[0] < 0.3 * pages < 0.7 * pages < on_pages[1]


@given(st.lists(st.sets(st.integers(1, 60), min_size=1, max_size=20), max_size=12))
def test_merged_memories_count_as_one(pages: list[set[int]]) -> None:
    alone, first, second = SiteMemory(), SiteMemory(), SiteMemory()
    for number, rows in enumerate(pages):
        own = range(1000 * number + 100, 1000 * number + 130)
        sketch = [number + 1, *own[:16]]
        page = seen(*rows, *own)._replace(sketch=sketch)
        alone.learn(page)
        (first if number < 6 else second).learn(page)
    first.merge(second)
    assert first.pages == alone.pages
    assert first.to_bytes() == alone.to_bytes()


def filled() -> SiteMemory:
    memory = SiteMemory()
    for page in range(5):
        memory.learn(seen(*TEMPLATE, *range(10 * page + 10, 10 * page + 20), title=page + 1))
    return memory


def test_memory_survives_bytes() -> None:
    memory = filled()
    again = SiteMemory.from_bytes(memory.to_bytes())
    assert again.to_bytes() == memory.to_bytes()
    assert (again.pages, again.size) == (memory.pages, memory.size)


def test_damaged_bytes_are_refused_or_harmless() -> None:
    data = filled().to_bytes()
    for size in range(0, len(data), 7):
        with pytest.raises(SiteMemoryError):
            SiteMemory.from_bytes(data[:size])
    random = np.random.default_rng(0)
    for _ in range(300):
        forged = bytearray(data)
        for index in random.integers(0, len(data), 4).tolist():
            forged[index] = int(random.integers(256))
        try:
            memory = SiteMemory.from_bytes(bytes(forged))
        except SiteMemoryError:
            continue
        memory.learn(seen(1, 2, 500, 501))
        memory.look_up(seen(1, 2, 500, 501))


def test_observation_survives_json() -> None:
    page = seen(1, 2, 10)
    assert Observation(*json.loads(json.dumps(page))) == page
