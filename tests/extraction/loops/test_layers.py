"""Steps between the products of the network, compiled and in numpy."""

import numpy as np

from scrapy_cetr.extraction import loops


def test_summary_is_the_mean_and_the_maximum_of_each_line() -> None:
    matrix = np.array([[1, 2, 6], [-4, -2, -3]], np.float32)
    assert loops.summary(matrix).tolist() == [3, -3, 6, -2]


def test_changes_are_added_with_a_bias_where_they_are_positive() -> None:
    padded = np.ones((2, 5), np.float32)
    change = np.array([[1, -3, 0], [0, 2, -1]], np.float32)
    # The lines of a part of a matrix are apart in memory.
    loops.add_rectified(padded[:, 1:4], change, np.array([2, -1], np.float32))
    assert padded.tolist() == [[1, 4, 1, 3, 1], [1, 1, 2, 1, 1]]


def test_rectify_replaces_negative_elements() -> None:
    matrix = np.array([[1, -3], [0, 2]], np.float32)
    loops.rectify(matrix, np.array([2, -1], np.float32))
    assert matrix.tolist() == [[3, 0], [0, 1]]
