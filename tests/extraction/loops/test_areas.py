"""Unions of rectangles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.loops import _numpy

Rectangle = tuple[int, int, int, int]


def area(*rectangles: Rectangle) -> float:
    return loops.union_area(np.array(rectangles, np.float64).reshape(-1, 4).T)


@pytest.mark.parametrize(
    ("rectangles", "expected"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([(0, 0, 5, 0)], 0, id="no height"),
        pytest.param([(0, 0, 2, 3), (0, 5, 2, 6)], 6 + 2, id="below each other"),
        pytest.param([(0, 0, 2, 3), (4, 0, 5, 3)], 6 + 3, id="beside each other"),
        pytest.param([(0, 0, 9, 9), (1, 1, 3, 3)], 81, id="inside"),
        pytest.param([(0, 0, 4, 4)] * 3, 16, id="the same"),
        # a1 4 × 4, a2 4 × 4, a3 4 × 4; a1 ∩ a2 is 2 × 2, a2 ∩ a3 is 2 × 2, a1 ∩ a3 is empty.
        pytest.param(
            [(0, 0, 4, 4), (2, 2, 6, 6), (4, 4, 8, 8)], 3 * 16 - 2 * 4, id="figure 9, a chain"
        ),
        # All three share (2, 2, 3, 3): 16 + 16 + 4 - 4 - 2 - 2 + 1, by inclusion and exclusion.
        pytest.param([(0, 0, 4, 4), (2, 2, 6, 6), (1, 1, 3, 3)], 28, id="figure 9, all overlap"),
    ],
)
def test_area_of_rectangles_counts_what_they_share_once(
    rectangles: list[Rectangle], expected: float
) -> None:
    assert area(*rectangles) == expected


_SIDES = st.tuples(*[st.integers(0, 12)] * 4)


# Few rectangles are drawn on a grid, many are swept over.
@pytest.mark.parametrize("copies", [1, 40])
@given(sides=st.lists(_SIDES, max_size=12))
def test_area_is_the_number_of_covered_cells(copies: int, sides: list[Rectangle]) -> None:
    rectangles = [(x, y, x + width, y + height) for x, y, width, height in sides]
    grid = np.zeros((24, 24), np.bool_)
    for left, top, right, bottom in rectangles:
        grid[left:right, top:bottom] = True
    assert area(*rectangles * copies) == grid.sum()


@given(st.lists(st.tuples(*[st.integers(0, 10**8)] * 4), max_size=60))
def test_both_implementations_find_the_same_area(sides: list[Rectangle]) -> None:
    corners = np.array(sides, np.float64).reshape(-1, 4).T
    corners[2:] += corners[:2] % 100
    assert loops.union_area(corners) == pytest.approx(_numpy.union_area(corners), rel=1e-12)
    assert loops.union_area(corners[:, ::2]) == pytest.approx(
        _numpy.union_area(corners[:, ::2]), rel=1e-12
    )


def test_area_is_that_of_rectangles() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    with pytest.raises(ValueError, match="3 sides"):
        compiled.union_area(np.zeros((3, 2)))


def test_area_of_many_rectangles_takes_no_time() -> None:
    # The recursion of the paper would take 2 to the power of 5,000 steps.
    staircase = [(step, step, step + 10, step + 10) for step in range(5000)]
    assert area(*staircase) == 100 + 4999 * 19
