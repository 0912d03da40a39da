"""CoreEx as published: the counts, the set S and the scores of sections 2 and 2.1."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.options import ROLES


def judge(html: str, *, rows: RowKind = "blocks", **options: Any) -> Verdict:
    return METHODS["coreex"](read(html, rows=rows), Options(method="coreex", **options))


def counts(html: str) -> list[tuple[int, int]]:
    """Give textCnt and linkCnt of the page and of each of its elements."""
    trace = judge(html).trace
    return list(zip(trace["text"].tolist(), trace["links"].tolist(), strict=True))


def kept(html: str, **options: Any) -> list[str]:
    return extract(html, method="coreex", **options).text.split("\n\n")


def words(number: int, word: str = "word") -> str:
    return " ".join([word] * number)


# Section 2: the counts


def test_text_count_of_a_text_node_is_its_number_of_words() -> None:
    assert counts("<p>one two three") == [(3, 0), (3, 0)]


def test_link_counts_as_one_word_and_one_link() -> None:
    assert counts("<p><a>one two <b>three</b></a>") == [(1, 1), (1, 1), (1, 1), (0, 0)]
    assert counts("<p><a><img></a>") == [(1, 1), (1, 1), (1, 1)]


def test_node_without_text_counts_zero() -> None:
    assert counts("<p><b></b>") == [(0, 0), (0, 0), (0, 0)]


def test_counts_of_a_node_are_the_sums_of_its_children() -> None:
    html = "<div>one <p>two three</p> four <ul><li><a>five six</a></li></ul></div>"
    assert counts(html) == [(5, 1), (5, 1), (2, 0), (1, 1), (1, 1), (1, 1)]


@pytest.mark.parametrize(
    "ignored",
    [
        "<select><option>a b</option></select>",
        "<form>a <p>b</p> <a>c</a></form>",
        "<input value='a b'>",
        "<textarea>a b</textarea>",
        "<option>a b</option>",
        "<script>a b</script>",
    ],
)
def test_form_fields_and_scripts_are_ignored(ignored: str) -> None:
    html = f"<p>{words(20)}</p>{ignored}<p>{words(20)}</p>"
    assert counts(html)[0] == (40, 0)
    assert kept(html) == [words(20), words(20)]


def test_form_around_most_of_the_page_is_not_ignored() -> None:
    html = f"<p>Menu</p><form><p>{words(20)}</p><p>{words(30)}</p></form>"
    assert counts(html)[0] == (51, 0)
    assert kept(html) == ["Menu", words(20), words(30)]


def test_coreex_counts_ideographs_as_words() -> None:
    assert counts("<p>中文 text") == [(3, 0), (3, 0)]


def test_unclosed_link_counts_as_one_link_and_its_text_as_text() -> None:
    assert counts("<p><a>one two") == [(3, 1), (3, 1), (3, 1)]


def test_link_around_another_link_is_not_counted() -> None:
    assert counts("<p><a>one <a>two</a> three") == [(3, 1), (3, 1), (3, 1), (1, 1)]


# Section 2: the set S


@pytest.mark.parametrize(("number", "in_set"), [(8, False), (9, False), (10, True)])
def test_set_holds_children_above_the_threshold(number: int, *, in_set: bool) -> None:
    # With one link, the ratios are 8 / 9, 9 / 10 and 10 / 11. The threshold is 0.9.
    html = f"{words(200, 'long')}<p>{words(number)} <a>link</a></p>"
    assert judge(html, coreex_text_weight=1).keep.tolist() == [True, in_set]


def test_coreex_threshold_is_an_option() -> None:
    html = f"{words(200, 'long')}<p>{words(2)} <a>link</a></p>"
    for threshold, in_set in ((0.6, True), (0.7, False)):
        verdict = judge(html, coreex_text_weight=1, coreex_threshold=threshold)
        assert verdict.keep.tolist() == [True, in_set]


def test_only_the_set_of_the_main_content_node_is_kept() -> None:
    links = "<li><a>one</a></li><li><a>two</a></li>"
    html = f"<div><h1>Title</h1><ul>{links}</ul><p>{words(50)}</p><ul>{links}</ul></div>"
    assert kept(html, parts=ROLES) == ["Title", words(50)]


def test_row_with_some_links_is_kept_whole() -> None:
    # The links are children outside of S, but less than half of the row.
    assert kept("<p>one two three <a>four</a> five six") == ["one two three four five six"]


def test_row_that_is_mostly_links_is_dropped() -> None:
    html = f"{words(40)}<hr>by <a>Somebody Somewhere</a>"
    assert kept(html) == [words(40)]


# Section 2.1: the score


def test_coreex_score_weighs_link_ratio_and_text_share() -> None:
    # S of the page has 60 words and 1 link of 61 and 10 words. S of the <div> has its 60 words.
    html = f"<div>{words(60)} <a>link</a></div><p><a>x</a> {words(9)}</p>"
    trace = judge(html).trace
    assert trace["text"].tolist()[:2] == [71, 61]
    page, div, link, paragraph, _ = trace["node_score"].tolist()
    assert page == pytest.approx(0.99 * 60 / 61 + 0.01 * 61 / 71)
    assert div == pytest.approx(0.99 + 0.01 * 60 / 71)
    assert link == 0
    assert paragraph == pytest.approx(0.99 + 0.01 * 9 / 71)
    assert trace["node"] == 1


def test_larger_text_weight_favours_larger_nodes() -> None:
    # One node has one link in 51 words, the other no link and half of the text.
    html = f"<p>{words(50)} <a>link</a></p><p>{words(50, 'other')}</p>"
    both = f"{words(50)} link", words(50, "other")
    assert kept(html) == [both[0]]
    assert kept(html, coreex_text_weight=0.1) == [*both]


def test_coreex_scores_are_between_zero_and_one() -> None:
    html = f"<p>{words(50)} <a>link</a></p><p>{words(50)}</p>"
    for weight in (0, 0.01, 0.5, 1):
        score = judge(html, coreex_text_weight=weight).trace["node_score"]
        assert score.min() >= 0
        assert score.max() <= 1


def test_higher_of_two_nodes_with_the_same_score_is_chosen() -> None:
    assert judge(f"<div><div><p>{words(9)}").trace["node"] == 0


def test_first_of_two_siblings_with_the_same_score_is_chosen() -> None:
    html = (
        f"<div><p><b>{words(9, 'first')}</b><a>x</a></p><p>{words(9, 'second')}<a>x</a></p></div>"
    )
    trace = judge(html).trace
    assert trace["node_score"][2] == trace["node_score"].max()
    assert trace["node"] == 2
    assert kept(html) == [words(9, "first") + "x"]


def test_header_outside_of_the_body_is_lost_as_in_the_paper() -> None:
    menu = "<li><a>one</a></li>" * 3
    html = f"<div><h1>Title</h1><ul>{menu}</ul></div><div><p>{words(50)}</p></div>"
    assert kept(html) == [words(50)]


def test_coreex_keeps_nothing_of_a_page_of_links() -> None:
    assert extract("<ul><li><a>one</a><li><a>two</a></ul>", method="coreex").text == ""


def test_coreex_keeps_source_lines_by_their_text() -> None:
    html = f"<ul><li><a>one</a></li></ul>\n<div><p>{words(9)}\n{words(9)}</p></div>\n<a>two</a>"
    assert judge(html, rows="lines").keep.tolist() == [False, True, True, False]


# The pseudocode of section 2, on trees: a list is an element, a number that many words, None a link

Tree = int | list["Tree"] | None
TREES = st.recursive(
    st.integers(1, 40) | st.none(), lambda trees: st.lists(trees, max_size=5), max_leaves=30
)


def write(tree: Tree) -> str:
    if tree is None:
        return "<a>some link</a>"
    # Neighbouring text nodes would be one node, with the same counts.
    return (
        f" {words(tree)} " if isinstance(tree, int) else f"<div>{''.join(map(write, tree))}</div>"
    )


def walk(tree: Tree, found: list[tuple[int, int, int, int]]) -> tuple[int, int]:
    """Compute the four counts of each element in preorder, as the paper writes it."""
    if isinstance(tree, int):
        return tree, 0
    index = len(found)
    found.append((1, 1, 0, 0))
    if tree is None:
        return 1, 1
    text = links = set_text = set_links = 0
    for child in tree:
        child_text, child_links = walk(child, found)
        text, links = text + child_text, links + child_links
        if child_text and (child_text - child_links) / child_text > 0.9:
            set_text, set_links = set_text + child_text, set_links + child_links
    found[index] = (text, links, set_text, set_links)
    return text, links


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(tree=st.lists(TREES, max_size=6))
def test_counts_and_scores_are_those_of_the_recursive_definition(tree: list[Tree]) -> None:
    found: list[tuple[int, int, int, int]] = []
    walk(tree, found)
    trace = judge("".join(map(write, tree)) or "<p>").trace
    for index, (text, links, set_text, set_links) in enumerate(found):
        assert (trace["text"][index], trace["links"][index]) == (text, links)
        ratio = (set_text - set_links) / max(set_text, 1)
        score = 0.99 * ratio + 0.01 * set_text / max(found[0][0], 1)
        assert trace["node_score"][index] == pytest.approx(score)


def test_coreex_does_not_depend_on_the_chunk_size(monkeypatch: pytest.MonkeyPatch) -> None:
    html = f"<form>x</form><div>{words(30)} <a>l</a><p>{words(9)}<p><a>m</a></div>" * 3
    expected = judge(html)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 2)
    found = judge(html)
    assert found.score.tolist() == expected.score.tolist()
    assert found.trace == {"node": expected.trace["node"]}
