"""The elements that tags make, as a browser would and where pages forget to close them."""

import random
from dataclasses import fields

import numpy as np
import pytest

from scrapy_cetr.extraction.elements import ELEMENT_NAMES
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.loops import _numpy_nodes
from scrapy_cetr.extraction.page import nodes as nodes_module
from scrapy_cetr.extraction.page.nodes import MAX_DEPTH, MAX_WITHOUT_TEXT, Nodes, make_nodes


def outline(html: str) -> str:
    """Write the nodes as nested names with the text of each subtree, as in p'one'(b'e')."""
    page = read(html, rows="blocks")
    nodes = page.nodes

    def write(node: int) -> str:
        inside = [child for child in range(len(nodes)) if nodes.parent[child] == node]
        text = page.text[nodes.start[node] : nodes.end[node]]
        children = f"({' '.join(map(write, inside))})" if inside else ""
        return f"{ELEMENT_NAMES[nodes.tag[node]]}'{text}'{children}"

    return " ".join(write(node) for node in range(len(nodes)) if nodes.parent[node] == -1)


def test_nodes_have_tag_parent_last_start_and_end() -> None:
    nodes = read("<div><p>one<b>two</b></p><p>three</p></div><ul></ul>", rows="blocks").nodes
    assert [ELEMENT_NAMES[tag] for tag in nodes.tag] == ["div", "p", "b", "p", "ul"]
    assert nodes.parent.tolist() == [-1, 0, 1, 0, -1]
    assert nodes.last.tolist() == [4, 3, 3, 4, 5]
    assert nodes.start.tolist() == [0, 0, 3, 6, 11]
    assert nodes.end.tolist() == [11, 6, 6, 11, 11]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # Implied end tags.
        ("<p>a<p>b", "p'a' p'b'"),
        ("<p>a<b>b<p>c", "p'ab'(b'b') p'c'"),
        ("<p>a<div>b</div>c", "p'a' div'b'"),
        ("<p>a<span>b</span>", "p'ab'(span'b')"),
        ("<ul><li>a<li>b</ul>", "ul'ab'(li'a' li'b')"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "ul'abc'(li'ab'(ul'b'(li'b')) li'c')"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "dl'abc'(dt'a' dd'b' dt'c')"),
        (
            "<table><tr><td>a<td>b<tr><th>c</table>",
            "table'abc'(tr'ab'(td'a' td'b') tr'c'(th'c'))",
        ),
        (
            "<table><tr><td><table><tr><td>a</table><td>b</table>",
            "table'ab'(tr'ab'(td'a'(table'a'(tr'a'(td'a'))) td'b'))",
        ),
        # Stray and missing end tags.
        ("</p>a</div><p>b</b></p></p>", "p'b'"),
        ("<div>a<b>b</div>c", "div'ab'(b'b')"),
        ("<div>a<div>b</div>", "div'ab'(div'b')"),
        ("<b>a<i>b</b>c</i>", "b'ab'(i'b')"),
        # Void elements are no nodes.
        ("<p>a<br>b<img>c", "p'abc'"),
        ("<div>a<br><br>b</div>", "div'ab'"),
        # Neither are hidden ones.
        ("<div><script>x</script>a<svg><g></svg></div>", "div'a '"),
        ("<x>a</x>b", "'a'"),
    ],
)
def test_nodes_are_the_elements_that_a_browser_makes(html: str, expected: str) -> None:
    assert outline(html) == expected


def test_nodes_nested_too_deep_are_inside_of_the_deepest() -> None:
    depth = MAX_DEPTH + 100
    html = "<div>" * depth + "a" + "</div>" * depth + "<p>b</p>"
    nodes = read(html, rows="blocks").nodes
    assert len(nodes) == MAX_DEPTH + 1
    assert nodes.parent.tolist() == [*range(-1, MAX_DEPTH - 1), -1]
    assert nodes.end.tolist() == [*[1] * MAX_DEPTH, 2]


@pytest.mark.parametrize("html", ["<b>" * 3000 + "x", "<p><b><i>x" * 500, "</b>" * 3000])
def test_nodes_are_a_preorder(html: str) -> None:
    nodes = read(html, rows="blocks").nodes
    for node, (parent, last) in enumerate(zip(nodes.parent.tolist(), nodes.last, strict=True)):
        assert -1 <= parent < node < last <= len(nodes)
        assert parent == -1 or (last <= nodes.last[parent] and nodes.end[node] <= nodes.end[parent])


def test_custom_element_is_closed_by_its_end_tag() -> None:
    nodes = read("<my-card>a</my-card><p>b</p>", rows="blocks").nodes
    assert nodes.parent.tolist() == [-1, -1]
    assert nodes.end.tolist() == [1, 2]


def test_hr_ends_a_paragraph() -> None:
    assert read("<p>a<hr>b", rows="blocks").nodes.end.tolist() == [1]


def test_end_tag_of_a_void_element_ends_nothing() -> None:
    html = "<div>" * (MAX_DEPTH + 1) + "a</hr></div>b" + "</div>" * MAX_DEPTH + "c"
    assert set(read(html, rows="blocks").nodes.end.tolist()) == {2}


@pytest.mark.parametrize("piece", ["<b></b>", "<b><p>", "</i></b>"])
def test_tags_amid_far_too_many_without_text_make_no_nodes(piece: str) -> None:
    html = f"<div>a{piece * 3 * MAX_WITHOUT_TEXT}b</div><p>c</p>"
    page = read(html, rows="blocks")
    assert len(page.nodes) <= 2 * MAX_WITHOUT_TEXT + 2
    assert page.text[page.nodes.start[0] : page.nodes.end[0]] == "ab"
    assert page.text[page.nodes.start[-1] : page.nodes.end[-1]] == "c"


def test_tags_without_text_up_to_the_limit_all_make_nodes() -> None:
    assert len(read("<b></b>" * MAX_WITHOUT_TEXT, rows="blocks").nodes) == MAX_WITHOUT_TEXT


def test_chunk_of_void_elements_alone_makes_no_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 3)
    assert outline("<p>a<b>b</b>" + "<img>" * 10 + "c") == "p'abc'(b'b')"


NAMED = ("p", "p", "li", "ul", "td", "tr", "table", "dt", "dd", "b", "div", "hr", "br", "option")


@pytest.mark.parametrize("seed", range(30))
def test_nodes_of_long_runs_are_the_same_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    names = chance.sample(NAMED, 3 + seed % 4)
    some = [f"<{'/' * (chance.random() < 0.2)}{chance.choice(names)}>" for _ in range(150)]
    html = "".join(f"{tag}x" * chance.choice((1, 1, 2, 9)) for tag in some)
    monkeypatch.setattr(nodes_module, "MAX_DEPTH", chance.choice((3, 6, 512)))
    with monkeypatch.context() as patch:
        patch.setattr(_numpy_nodes, "_ENDED", np.zeros_like(_numpy_nodes._ENDED))
        expected = columns(read(html, rows="blocks").nodes)
    monkeypatch.setattr(_numpy_nodes, "_LONG_RUN", 3)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", chance.choice((7, 40, 1 << 18)))
    assert columns(read(html, rows="blocks").nodes) == expected


def columns(nodes: Nodes) -> list[list[int]]:
    return [getattr(nodes, field.name).tolist() for field in fields(nodes)]


def test_rooted_nodes_begin_with_the_page_as_parent_of_all_others() -> None:
    page = read("a<p>b<b>c</b></p><p>d", rows="blocks")
    nodes = make_nodes(page.tags, page.tag_offset, len(page.text), rooted=True)
    assert nodes.tag.tolist()[0] == 0
    assert nodes.parent.tolist() == [0, 0, 1, 0]
    assert nodes.last.tolist() == [4, 3, 3, 4]
    assert (nodes.start.tolist(), nodes.end.tolist()) == ([0, 1, 2, 3], [4, 3, 3, 4])


def test_rooted_nodes_of_a_page_without_tags_are_the_root_alone() -> None:
    page = read("abc", rows="blocks")
    nodes = make_nodes(page.tags, page.tag_offset, len(page.text), rooted=True)
    assert columns(nodes) == [[0], [0], [1], [0], [3]]
