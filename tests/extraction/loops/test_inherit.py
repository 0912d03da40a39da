"""What the nodes of a tree inherit, compiled and in numpy."""

import numpy as np
import pytest

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Indices
from testkit.implementations import IMPLEMENTATIONS, using_loops


def inherit(parent: list[int], bits: list[int], stops: list[bool]) -> list[list[int]]:
    columns = loops.inherit(
        np.array(parent, np.intp), np.array(bits, np.int64), np.array(stops, np.bool_)
    )
    return [column.tolist() for column in columns]


def test_nodes_have_the_bits_of_all_nodes_above_them() -> None:
    # 0 holds 1 and 3, 1 holds 2.
    bits, depth, _ = inherit([0, 0, 1, 0], [1, 2, 4, 8], [False] * 4)
    assert bits == [1, 1 | 2, 1 | 2 | 4, 1 | 8]
    assert depth == [0, 1, 2, 1]


def test_branch_is_the_highest_node_below_a_stop() -> None:
    # 0 holds 1 and 4, 1 holds 2, which holds 3; 4 holds 5, which holds 6.
    parent = [0, 0, 1, 2, 0, 4, 5]
    assert inherit(parent, [0] * 7, [True] + [False] * 6)[2] == [0, 1, 1, 1, 4, 4, 4]
    # The stops are the path to node 2.
    stops = [True, True, True, False, False, False, False]
    assert inherit(parent, [0] * 7, stops)[2] == [0, 1, 2, 3, 4, 4, 4]
    assert inherit(parent, [0] * 7, [False] * 7)[2] == [0] * 7


def test_columns_are_not_changed() -> None:
    bits = np.array([1, 2], np.int64)
    loops.inherit(np.zeros(2, np.intp), bits, np.zeros(2, np.bool_))
    assert bits.tolist() == [1, 2]


def test_tree_without_nodes_inherits_nothing() -> None:
    assert inherit([], [], []) == [[], [], []]


def test_deep_tree_inherits_from_its_root() -> None:
    count = 1000
    parent: Indices = np.maximum(np.arange(count) - 1, 0)
    first = np.arange(count) == 0
    bits, depth, branch = loops.inherit(parent, first.astype(np.int64) << 60, first)
    assert (bits == 1 << 60).all()
    assert depth.tolist() == list(range(count))
    assert branch.tolist() == [0, *[1] * (count - 1)]


@pytest.mark.parametrize("parent", [[0, 1], [0, 2, 0], [0, -1]])
def test_parents_have_to_come_before_their_children(parent: list[int]) -> None:
    with pytest.raises(ValueError, match="parent"):
        inherit(parent, [0] * len(parent), [False] * len(parent))


def test_columns_have_to_be_of_the_same_length() -> None:
    with pytest.raises(ValueError, match="lengths"):
        inherit([0, 0], [0], [False, False])
    with pytest.raises(ValueError, match="lengths"):
        inherit([0, 0], [0, 0], [False])


def test_random_trees_inherit_the_same_either_way() -> None:
    random = np.random.default_rng(5)
    for count in (1, 2, 10, 300):
        parent = (random.random(count) * np.arange(count)).astype(np.intp)
        bits, stops = random.integers(0, 1 << 62, count), random.random(count) < 0.2
        found = []
        for implementation in IMPLEMENTATIONS:
            with using_loops(implementation):
                found.append([column.tolist() for column in loops.inherit(parent, bits, stops)])
        assert found[0] == found[-1]
