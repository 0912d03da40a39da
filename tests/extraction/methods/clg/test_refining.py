"""Algorithm 1, step by step, and the rule for titles."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_cetr.extraction.methods.clg.refining import common_ancestor, find_title, refine
from scrapy_cetr.extraction.options import Options
from testkit.layouts import box, stamped_tree

OPTIONS = Options()


def test_common_ancestor_is_the_lowest_around_all() -> None:
    inner = box("div", 0, 0, 9, 9, box("p", 0, 0, 9, 9) * 2)
    tree = stamped_tree(box("div", 0, 0, 50, 50, inner + box("p", 0, 20, 9, 9)))
    assert common_ancestor(tree, [4, 5]) == 3
    assert common_ancestor(tree, [4, 6]) == 2
    assert common_ancestor(tree, [5]) == 5
    assert common_ancestor(tree, [0]) == 0


# html, body, div 50 × 60 (0.3), div 20 × 30 (0.06), p 20 × 10 (0.02): depths 1 to 5.
NESTED = box("div", 0, 0, 50, 60, box("div", 0, 0, 20, 30, box("p", 0, 0, 20, 10)))


def test_step_2_goes_up_until_the_area_is_large_enough() -> None:
    # 0.02 is less than θ1 = 0.05; the parents have 0.06 and 0.3, and θ2 is 0.2.
    tree = stamped_tree(NESTED)
    assert refine(tree, np.zeros(5), [4], OPTIONS) == [2]
    assert refine(tree, np.zeros(5), [4], Options(clg_theta1=0.01)) == [4]
    assert refine(tree, np.zeros(5), [4], Options(clg_theta2=0.06)) == [3]


def test_step_2_ends_at_the_root() -> None:
    tree = stamped_tree(NESTED)
    found = refine(tree, np.zeros(5), [4], Options(clg_theta2=1.0, clg_theta3=1.0))
    assert found == [1]


# The ancestor of both paragraphs, at depth 3, has half of the page: between θ3 = 0.4 and θ4 = 0.9.
HALF = box("div", 0, 0, 100, 50, box("p", 0, 0, 50, 25) + box("p", 0, 25, 50, 25))


def test_step_3a_returns_a_deep_or_small_node() -> None:
    tree = stamped_tree(HALF)
    assert tree.depth[2] == 3
    assert refine(tree, np.zeros(5), [3, 4], Options(clg_depth=2)) == [2]
    assert refine(tree, np.zeros(5), [3, 4], Options(clg_theta3=0.5)) == [2]


def test_step_3b_goes_down_to_the_best_part_of_a_too_large_node() -> None:
    # body covers the page; its largest child is 0.6 of it, and its sibling is worth more.
    tree = stamped_tree(box("div", 0, 0, 60, 100) + box("div", 60, 0, 40, 100))
    score = np.array([0.0, 0.0, 0.5, 0.9])
    assert refine(tree, score, [2, 3], OPTIONS) == [3]  # 0.5 · 0.6 < 0.9 · 0.4
    score[3] = 0.7
    assert refine(tree, score, [2, 3], OPTIONS) == [2]  # 0.5 · 0.6 > 0.7 · 0.4


def test_step_3b_ends_at_a_node_without_children() -> None:
    tree = stamped_tree(box("div", 0, 0, 100, 95))
    assert refine(tree, np.zeros(3), [0], OPTIONS) == [2]


def test_step_3c_returns_the_group_itself() -> None:
    assert refine(stamped_tree(HALF), np.zeros(5), [3, 4], OPTIONS) == [3, 4]


ARTICLE = box("div", 0, 40, 60, 50, "The text of it")


@pytest.mark.parametrize(
    ("above", "title"),
    [
        pytest.param(box("h1", 0, 20, 60, 10), 2, id="above"),
        pytest.param(box("h2", 0, 10, 60, 5) + box("h1", 0, 20, 60, 5), 3, id="h1 is preferred"),
        pytest.param(box("h2", 0, 5, 60, 5) + box("h2", 0, 20, 60, 5), 3, id="the nearest"),
        pytest.param(box("h1", 70, 20, 20, 10), None, id="beside the column"),
        pytest.param(box("h1", 0, 95, 60, 5), None, id="below"),
        pytest.param('<h1 data-cetr="-">Menu</h1>', None, id="hidden"),
        pytest.param(box("p", 0, 20, 60, 10), None, id="no heading"),
    ],
)
def test_heading_at_the_top_of_the_selection_is_its_title(above: str, title: int | None) -> None:
    tree = stamped_tree(above + ARTICLE)
    assert find_title(tree, [len(tree.nodes) - 1]) == title


def test_selection_with_a_heading_of_the_level_has_a_title_already() -> None:
    own = box("div", 0, 40, 60, 50, box("h2", 0, 40, 60, 5))
    assert find_title(stamped_tree(box("h2", 0, 20, 60, 5) + own), [3]) is None
    assert find_title(stamped_tree(box("h1", 0, 20, 60, 5) + own), [3]) == 2
