"""Sums and maxima of parts of columns, whatever their sizes and however many there are."""

import numpy as np
import pytest

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import closed

WEIGHTS = np.array([1, 2, 0, 4, 5, 0, 7], np.uint8)


@pytest.mark.parametrize(
    ("starts", "sums"),
    [
        ([0], [19]),
        ([3], [16]),
        ([0, 0, 1, 1, 4], [0, 1, 0, 6, 12]),
        ([0, 7, 7], [19, 0, 0]),
        ([7], [0]),
        ([], []),
    ],
)
def test_sums_between_bounds_leave_out_what_is_before_the_first(
    starts: list[int], sums: list[int]
) -> None:
    bounds = closed(np.array(starts, np.int32), len(WEIGHTS))
    assert loops.sums_between(WEIGHTS, bounds).tolist() == sums


def test_sums_between_bounds_of_an_empty_column_are_zero() -> None:
    assert loops.sums_between(WEIGHTS[:0], np.zeros(4, np.int32)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_sums_and_maxima_in_chunks_are_the_same(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    bounds = np.array([0, 0, 1, 2, 2, 5, 7, 7], np.int32)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", size)
    assert loops.sums_before(WEIGHTS, bounds, np.arange(256)).tolist() == [
        0,
        0,
        1,
        3,
        3,
        12,
        19,
        19,
    ]
    assert loops.sums_between(WEIGHTS, bounds).tolist() == [0, 1, 2, 0, 9, 7, 0]
    assert loops.strongest_between(WEIGHTS, bounds).tolist() == [0, 1, 2, 0, 5, 7, 0]


def test_strongest_between_more_bounds_than_a_chunk_has() -> None:
    random = np.random.default_rng(4)
    edges = np.sort(random.integers(0, 1000, 700_000)).astype(np.int32)
    kinds = random.integers(0, 9, 1000).astype(np.uint8)
    found = loops.strongest_between(kinds, edges)
    assert len(found) == len(edges) - 1
    for begin, end, strongest in list(zip(edges[:-1], edges[1:], found, strict=True))[::97]:
        assert strongest == (kinds[begin:end].max() if begin < end else 0)
    assert loops.strongest_between(kinds, np.zeros(0, np.int32)).tolist() == []
    assert loops.strongest_between(kinds, np.array([3], np.int32)).tolist() == []
    filled = np.flatnonzero(edges[:-1] < edges[1:])
    assert found[filled].tolist() == [int(kinds[edges[k] : edges[k + 1]].max()) for k in filled]
