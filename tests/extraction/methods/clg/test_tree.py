"""Equation 1 for positions and areas: a node covers what everything inside of it covers."""

from __future__ import annotations

from testkit.layouts import box, stamped_tree


def test_positions_are_the_outermost_of_a_node_and_all_inside() -> None:
    # Figure 3: from the leaves to the root.
    inside = box("p", 5, 10, 20, 10) + box("p", 40, 15, 30, 50)
    tree = stamped_tree(box("div", 10, 10, 30, 20, inside))
    assert tree.corners[:, 2].tolist() == [5, 10, 70, 65]
    assert tree.corners[:, 3].tolist() == [5, 10, 25, 20]
    assert tree.depth.tolist() == [1, 2, 3, 4, 4]


def test_area_is_that_of_the_union() -> None:
    # 30 × 20, and of the 20 × 10 outside of it the 5 × 10 on the left.
    tree = stamped_tree(box("div", 10, 10, 30, 20, box("p", 5, 10, 20, 10)))
    assert tree.area[2:].tolist() == [30 * 20 + 5 * 10, 20 * 10]


def test_area_of_a_node_without_a_box_is_that_of_its_children_and_images() -> None:
    image = '<img data-cetr="50 50 20 10">'
    tree = stamped_tree(f"<div>{box('p', 0, 0, 10, 10)}{box('p', 5, 5, 10, 10)}{image}</div>")
    assert tree.area[2] == 100 + 100 - 25 + 200
    assert tree.corners[:, 2].tolist() == [0, 0, 70, 60]


def test_boxes_outside_of_the_page_are_cut() -> None:
    tree = stamped_tree(box("p", -9999, 10, 10_049, 10) + box("p", 90, 90, 500, 500))
    assert tree.corners[:, 2].tolist() == [0, 10, 50, 20]
    assert tree.corners[:, 3].tolist() == [90, 90, 100, 100]
    assert tree.area[0] == tree.page_area == 100 * 100


def test_hidden_elements_cover_nothing() -> None:
    hidden = '<p data-cetr="0 0 50 50 h">Secret</p><p data-cetr="-">Never</p>'
    tree = stamped_tree(f"<div>{hidden}</div>{box('p', 0, 0, 10, 10)}")
    assert tree.is_shown.tolist() == [True, True, False, False, False, True]
    assert tree.area[2:].tolist() == [0, 0, 0, 100]


def test_values_are_added_up_over_all_inside() -> None:
    tree = stamped_tree(
        box("div", 0, 0, 10, 10, box("p", 0, 0, 10, 10, "abc")) + box("p", 0, 0, 9, 9)
    )
    assert tree.sums(tree.layout.chars).tolist() == [4, 4, 3, 3, 1]
