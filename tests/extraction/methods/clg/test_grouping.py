"""Candidates, the projection overlap ratio, groups, and the best of them (5, 6.1, 6.2)."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.clg.grouping import (
    are_aligned,
    best_group,
    find_candidates,
    find_groups,
    projection_overlap_ratio,
)
from scrapy_cetr.extraction.methods.clg.tree import Tree
from testkit.layouts import box, stamped_tree

T = 0.7


def scores(tree: Tree, **by_node: float) -> Floats:
    found = np.zeros(len(tree.nodes))
    for name, score in by_node.items():
        found[int(name.removeprefix("v"))] = score
    return found


def test_candidates_inside_of_others_are_removed() -> None:
    # Figure 5: v3, v5, v6, v7 and v8 are above the threshold, and v6 and v7 are inside of v3.
    inner = box("p", 0, 30, 9, 9) * 2
    left = box("div", 0, 0, 50, 20, box("p", 0, 0, 9, 9))
    right = box("div", 0, 30, 50, 20, inner) + box("div", 0, 60, 50, 20, box("p", 0, 60, 9, 9))
    tree = stamped_tree(left + right)
    score = scores(tree, v3=0.6, v4=0.9, v5=0.8, v6=0.8, v8=0.7)
    assert find_candidates(tree, score, 0.55) == [3, 4, 8]


def test_score_has_to_be_above_the_threshold() -> None:
    tree = stamped_tree(box("p", 0, 0, 9, 9) + box("p", 0, 20, 9, 9))
    assert find_candidates(tree, scores(tree, v2=0.55, v3=0.56), 0.55) == [3]


def test_best_node_is_the_candidate_where_none_is_above_the_threshold() -> None:
    hidden = '<p data-cetr="-">Hidden</p>'
    tree = stamped_tree(hidden + box("p", 0, 20, 9, 9) + box("p", 0, 40, 9, 9))
    assert find_candidates(tree, scores(tree, v2=0.5, v3=0.2, v4=0.3), 0.55) == [4]


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        # Figure 7: l1 = 10, l2 = 8, l = 6; h1 = 5, h2 = 4, h = 1.
        pytest.param((0, 0, 10, 5), (4, 4, 12, 8), 6 / 10, id="figure 7"),
        pytest.param((0, 0, 10, 5), (0, 90, 10, 99), 1, id="one column"),
        pytest.param((0, 0, 10, 5), (90, 0, 95, 5), 1, id="one line"),
        pytest.param((0, 0, 10, 5), (0, 90, 100, 99), 0.1, id="much wider"),
        pytest.param((0, 0, 10, 5), (50, 50, 60, 60), 0, id="nothing in common"),
        pytest.param((0, 0, 0, 0), (0, 0, 0, 0), 0, id="no size"),
    ],
)
def test_projection_overlap_ratio(one: list[int], other: list[int], ratio: float) -> None:
    assert projection_overlap_ratio(one, other) == pytest.approx(ratio)
    assert projection_overlap_ratio(other, one) == pytest.approx(ratio)


def test_rectangles_with_common_area_are_aligned_whatever_their_ratio() -> None:
    assert are_aligned((0, 0, 100, 100), (90, 90, 300, 300), T)
    assert not are_aligned((0, 0, 100, 100), (100, 100, 300, 300), T)


def groups_of(*boxes: tuple[int, int, int, int], parents: str = "") -> list[list[int]]:
    """Group boxes, each in a division of its own unless ``parents`` has "=" at its position."""
    html = ""
    for number, one in enumerate(boxes):
        if parents[number : number + 1] == "=":
            html = f"{html.removesuffix('</div>')}{box('p', *one)}</div>"
        else:
            html += f"<div>{box('p', *one)}</div>"
    tree = stamped_tree(html, width=1000, height=1000)
    leaves = [node for node in range(len(tree.nodes)) if tree.nodes.last[node] == node + 1]
    found = find_groups(tree, leaves, T)
    return [[leaves.index(node) for node in group] for group in found]


COLUMN, ASIDE = (0, 0, 100, 50), (500, 60, 30, 700)


@pytest.mark.parametrize(
    ("boxes", "parents", "expected"),
    [
        pytest.param([COLUMN, (0, 60, 100, 50)], "", [[0, 1]], id="figure 8 a, below"),
        pytest.param([COLUMN, (200, 0, 40, 50)], "", [[0, 1]], id="figure 8 b, beside"),
        pytest.param(
            [COLUMN, (0, 60, 100, 50), (500, 200, 60, 30), (500, 300, 60, 30)],
            "",
            [[0, 1], [2, 3]],
            id="figure 8 c, two columns",
        ),
        pytest.param(
            [COLUMN, ASIDE, (0, 800, 100, 50)], "", [[0, 1, 2]], id="figure 8 d, one is misaligned"
        ),
        pytest.param([COLUMN, (500, 200, 60, 30)], " =", [[0, 1]], id="the same parent"),
        pytest.param([COLUMN, (500, 200, 60, 30)], "", [[0], [1]], id="another parent"),
    ],
)
def test_links_are_broken_where_no_condition_holds(
    boxes: list[tuple[int, int, int, int]], parents: str, expected: list[list[int]]
) -> None:
    assert groups_of(*boxes, parents=parents) == expected


def test_three_breaking_points_make_four_groups() -> None:
    # Figure 6.
    found = groups_of((0, 0, 100, 10), (300, 20, 30, 20), (500, 60, 200, 30), (900, 150, 50, 70))
    assert found == [[0], [1], [2], [3]]


def test_best_group_has_the_largest_mean_score_times_area() -> None:
    tree = stamped_tree(
        box("p", 0, 0, 10, 10) + box("p", 0, 20, 10, 10) + box("p", 50, 0, 50, 4), width=200
    )
    # 0.7 · 200 against 0.9 · 200, and the overlap counts once.
    score = scores(tree, v2=0.6, v3=0.8, v4=0.9)
    assert best_group(tree, score, [[2, 3], [4]]) == 1
    assert best_group(tree, score, [[4], [2, 3]]) == 0
    assert best_group(tree, scores(tree, v2=1, v3=1, v4=0.9), [[2, 3], [4]]) == 0
