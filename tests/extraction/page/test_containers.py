"""Containers: how they nest, which rows are theirs, and what becomes of tags without a partner."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.elements import ELEMENT_NAMES
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.page import containers
from scrapy_cetr.extraction.page.containers import Containers, find_containers
from scrapy_cetr.extraction.page.nodes import MAX_DEPTH
from scrapy_cetr.extraction.page.page import Page


def contain(html: str, rows: RowKind = "blocks") -> tuple[Page, Containers]:
    page = read(html, rows=rows, with_class_names=True)
    return page, find_containers(page.tags, page.tag_offset, page.rows.opener[page.rows.chars > 0])


def surroundings(html: str, rows: RowKind = "blocks") -> list[str]:
    """Name the containers around each row with text, the outermost first."""
    _, tree = contain(html, rows)
    found = []
    for container in tree.of_row.tolist():
        names, node = [], container
        while node:
            names.append(ELEMENT_NAMES[tree.code[node]])
            node = tree.parent[node]
        found.append(" ".join(reversed(names)))
    return found


def rows_of(html: str) -> dict[str, tuple[int, int]]:
    """Return the first row of each container, and the index after its last."""
    _, tree = contain(html)
    bounds = zip(tree.first_row.tolist(), tree.last_row.tolist(), strict=True)
    return dict(zip((ELEMENT_NAMES[code] for code in tree.code), bounds, strict=True))


def class_names_of(page: Page, tree: Containers) -> list[str]:
    return [page.class_names[page.class_name[index]] for index in tree.class_name[1:]]


@pytest.mark.parametrize("html", ["", "Plain text.", "<p>One<p>two", "<b>One</b><br>", "</div>"])
def test_page_without_containers_is_the_only_container(html: str) -> None:
    page, tree = contain(html)
    count = int((page.rows.chars > 0).sum())
    assert (tree.code.tolist(), tree.parent.tolist(), tree.class_name.tolist()) == ([0], [0], [-1])
    assert (tree.first_row.tolist(), tree.last_row.tolist()) == ([0], [count])
    assert tree.of_row.tolist() == [0] * count


def test_row_that_is_a_block_has_its_innermost_container() -> None:
    html = "a<div><p>b</p><section><p>c</p></section>d</div><p>e"
    assert surroundings(html) == ["", "div", "div section", "div", ""]


def test_row_that_is_a_line_has_its_innermost_container() -> None:
    html = "<div>\n<p>a\n<ul>\n<li>b</li>\n</ul>\n</div>\nc"
    assert surroundings(html, "lines") == ["div", "div ul", ""]


def test_container_has_the_rows_between_its_tags() -> None:
    html = "<p>0</p><div><p>1</p><section><p>2<p>3</section><p>4</div><nav></nav><p>5"
    assert rows_of(html) == {"": (0, 6), "div": (1, 5), "section": (2, 4), "nav": (5, 5)}


def test_containers_come_in_the_order_of_their_start_tags() -> None:
    _, tree = contain("<div><ul><li>a</li><li>b</li></ul></div><nav>c</nav>")
    assert [ELEMENT_NAMES[code] for code in tree.code] == ["", "div", "ul", "li", "li", "nav"]
    assert tree.parent.tolist() == [0, 0, 1, 2, 2, 0]


def test_containers_have_their_class_names() -> None:
    html = "<div class=story><p class=lead>a<ul id=list><li class=x>b</ul></div><nav class=top>c"
    page, tree = contain(html)
    # The list's item has a class name, but is no container because it has no end tag.
    assert class_names_of(page, tree) == ["story ", " list", "top "]


def test_unclosed_container_reaches_to_the_end_of_the_page() -> None:
    assert rows_of("<p>0<div><p>1<section><p>2<p>3") == {
        "": (0, 4),
        "div": (1, 4),
        "section": (2, 4),
    }
    assert surroundings("<div><p>1<section><p>2<p>3") == ["div", "div section", "div section"]


def test_containers_ignore_end_tags_that_close_nothing() -> None:
    html = "</div></section><div><p>a</p></div></article></div><p>b</p><ul><li>c</li></ul>"
    assert surroundings(html) == ["div", "", "ul li"]


def test_end_tag_closes_the_innermost_container_whatever_its_name() -> None:
    html = "<div><section><p>a</div><p>b</section><p>c"
    assert surroundings(html) == ["div section", "div", ""]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<ul><li>a</li><li>b</li></ul><p>c", ["ul li", "ul li", ""]),
        ("<ul><li>a<li>b</ul><p>c", ["ul", "ul", ""]),
        ("<ul><li>a</li><li>b</ul><p>c", ["ul", "ul", ""]),
        ("<dl><dt>a<dd>b</dd></dl><p>c", ["dl", "dl dd", ""]),
        ("<table><tr><td>a<td>b</table><p>c", ["table", "table", ""]),
        ("<table><tr><th>a<td>b</td></table><p>c", ["table", "table td", ""]),
    ],
)
def test_elements_whose_end_tags_are_missing_are_no_containers(html: str, found: list[str]) -> None:
    assert surroundings(html) == found


def test_rows_nested_too_deep_are_in_the_deepest_container() -> None:
    deeper = "<p>b</p><nav><p>c</p></nav><p>d</p>"
    _, tree = contain("<div>" * MAX_DEPTH + f"<p>a</p>{deeper}" + "</div>" * MAX_DEPTH + "<p>e</p>")
    assert len(tree) == MAX_DEPTH + 1
    assert tree.parent.tolist() == [0, *range(MAX_DEPTH)]
    assert tree.of_row.tolist() == [*[MAX_DEPTH] * 4, 0]
    assert set(tree.last_row[1:].tolist()) == {4}


def test_far_too_many_containers_are_reduced_to_those_with_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    html = "<div class=a></div><ul class=b><li class=c></li><li class=d>0</li></ul><nav>1</nav>"
    page, whole = contain(html)
    monkeypatch.setattr(containers, "MAX_CONTAINERS", len(whole) - 1)
    _, tree = contain(html)
    assert [ELEMENT_NAMES[code] for code in tree.code] == ["", "ul", "li", "nav"]
    assert tree.parent.tolist() == [0, 0, 1, 0]
    assert class_names_of(page, tree) == ["b ", "d ", " "]
    assert tree.of_row.tolist() == [2, 3]
    assert (tree.first_row.tolist(), tree.last_row.tolist()) == ([0, 0, 0, 1], [2, 1, 1, 2])


PIECES = st.sampled_from(
    ["a", "<p>", "</p>", "<div>", "</div>", "<ul>", "</ul>", "<li>", "</li>", "<td>", "<nav>", "\n"]
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=30).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_containers_of_any_page_are_a_tree(html: str, rows: RowKind) -> None:
    _, tree = contain(html, rows)
    here = np.arange(len(tree))
    assert (tree.parent[1:] < here[1:]).all()
    assert (tree.first_row <= tree.last_row).all()
    assert (tree.first_row >= tree.first_row[tree.parent]).all()
    assert (tree.last_row <= tree.last_row[tree.parent]).all()
    # A row lies in its container, and so in all around it, and in no other.
    for row, container in enumerate(tree.of_row.tolist()):
        around = {container}
        while container:
            container = int(tree.parent[container])
            around.add(container)
        holding = np.flatnonzero((tree.first_row <= row) & (row < tree.last_row))
        assert set(holding.tolist()) == around
