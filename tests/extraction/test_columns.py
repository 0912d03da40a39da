"""Operations on columns, in chunks."""

import numpy as np
import pytest

from scrapy_cetr.extraction import columns
from scrapy_cetr.extraction.columns import chunk_size, chunks, flag_indices, mask_or_indices


@pytest.mark.parametrize(
    ("length", "bounds"),
    [(0, []), (1, [(0, 1)]), (4, [(0, 4)]), (5, [(0, 4), (4, 5)]), (8, [(0, 4), (4, 8)])],
)
def test_chunks_cover_a_column_in_order(
    monkeypatch: pytest.MonkeyPatch, length: int, bounds: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(columns, "CHUNK", 4)
    assert [(chunk.start, chunk.stop) for chunk in chunks(length)] == bounds


def test_chunks_of_heavy_elements_are_smaller_and_never_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "CHUNK", 4)
    assert [chunk_size(weight) for weight in (1, 2, 4, 64)] == [4, 2, 1, 1]
    assert len(list(chunks(5, weight=64))) == 5


@pytest.mark.parametrize("size", [1, 3, 100])
def test_flag_indices_in_chunks_are_the_same(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(columns, "CHUNK", size)
    found = flag_indices(np.array([1, 1, 0, 1, 1, 0, 1], np.bool_))
    assert found.tolist() == [0, 1, 3, 4, 6]
    assert found.dtype == np.int32


@pytest.mark.parametrize("size", [1, 100])
def test_mask_or_indices_select_the_same_elements(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(columns, "CHUNK", size)
    flags = np.array([True, False, True])
    assert np.arange(3)[mask_or_indices(flags)].tolist() == [0, 2]
