"""Both implementations return the same, and the compiled one reads nothing outside of a column."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import extract, loops
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.loops import _numpy
from scrapy_cetr.extraction.methods.learned.features import find_features
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from scrapy_cetr.extraction.page.characters import character_kinds, single_spaced, trimmed
from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS, class_hints
from scrapy_cetr.extraction.page.containers import find_containers
from scrapy_cetr.extraction.roles.rows import TABLES, RoleSource, role_columns
from scrapy_cetr.extraction.roles.rows import measure_rows as role_rows
from testkit.hostile import ARTICLE, TRAPS
from testkit.implementations import FUNCTIONS, HAS_COMPILED, using_loops
from testkit.recorded import SITE, bundled_pages

pytestmark = [
    pytest.mark.skipif(not HAS_COMPILED, reason="the package was installed without a compiler"),
    # The tests compare both implementations themselves.
    pytest.mark.parametrize("each_way", ["cython"], indirect=True),
]
thoroughly = settings(max_examples=200, deadline=None, derandomize=True, database=None)


def both_ways(work_out: Callable[[], Any]) -> tuple[Any, Any]:
    """Return the result with the compiled loops, and that with numpy."""
    with using_loops("numpy"):
        plain = work_out()
    with using_loops("cython"):
        return work_out(), plain


def columns_of(html: str) -> dict[str, list[Any]]:
    page = read(html, rows="blocks", with_class_names=True)
    tree = find_containers(page.tags, page.tag_offset, page.rows.opener[page.rows.chars > 0])
    parts: dict[str, Any] = {"rows": page.rows, "breaks": page.breaks, "tree": tree}
    columns = {
        f"{name}.{field.name}": getattr(part, field.name)
        for name, part in parts.items()
        for field in fields(part)
    }
    columns |= {
        "kinds": page.kinds,
        "links": page.link_chars,
        "hints": class_hints(page.class_names),
    }
    columns["numbers"] = page.numbers
    for with_class_names in (False, True) if len(page.tags) else ():
        found = role_rows(page, np.ones(len(page.rows), np.bool_), with_class_names)
        for name in ("code", "element_role", "near", "inside", "is_item"):
            columns[f"{name} of {with_class_names}"] = getattr(found, name)
    for deepest in (4, 64):
        columns[f"elements to {deepest}"], columns[f"outline to {deepest}"] = loops.outline(
            page.tags,
            page.tag_offset,
            len(page.text),
            page.rows.start,
            page.rows.chars,
            page.breaks.offset,
            deepest,
        )
    return {name: column.tolist() for name, column in columns.items()}


def scores_of(html: str) -> Any:
    page = read(html, rows="blocks", with_class_names=True)
    return row_scores(find_features(page), shipped_network(), 0)


def check(html: str) -> None:
    with_loops, without = both_ways(lambda: columns_of(html))
    assert with_loops == without
    # Logarithms of features may be rounded differently.
    compiled, plain = both_ways(lambda: scores_of(html))
    assert np.allclose(compiled, plain, rtol=1e-3, atol=1e-3)


PIECES = st.sampled_from(
    [
        *("one ", " two", "3", "中文。", "👍", "\n", "\x01", "\ufffd" * 12, "e\u0301", "x" * 90),
        *("<p>", "</p>", "<div class='Story-body ad'>", "</div>", "<li id=nav>", "</li>", "<td>"),
        *(
            "<p class='byline'>",
            "<div id=comments>",
            "<div class='comment-form quote'>",
            "<figcaption>",
        ),
        *("</a><a>", "<br> <br>"),
        *("<a href=x>", "</a>", "<a>", "<br>", "<b>", "</b>", "<ul class=menu>", "</ul>", "<h1>"),
    ]
)


@thoroughly
@given(pieces=st.lists(PIECES, max_size=25))
def test_columns_of_random_pages_are_the_same_either_way(pieces: list[str]) -> None:
    check("".join(pieces))


@pytest.mark.parametrize("name", TRAPS)
def test_columns_of_hostile_pages_are_the_same_either_way(name: str) -> None:
    check(TRAPS[name](20_000) + ARTICLE)


def test_articles_of_bundled_pages_are_the_same_either_way() -> None:
    for path in bundled_pages():
        html = decode((SITE / path.removeprefix("/")).read_bytes())
        check(html)
        with_loops, without = both_ways(partial(extract, html))
        assert with_loops.text == without.text
        assert with_loops.probability == pytest.approx(without.probability, abs=1e-3)


def test_containers_of_deeply_nested_pages_are_the_same_either_way() -> None:
    check("<div>" * 600 + "<p>deep" + "</div>" * 300 + "<section><p>less" + "</div>" * 400 + "<p>x")


@thoroughly
@given(text=st.text(max_size=300))
def test_kinds_of_random_characters_are_the_same_either_way(text: str) -> None:
    with_loops, without = both_ways(lambda: character_kinds(text).tolist())
    assert with_loops == without


@thoroughly
@given(text=st.text(st.one_of(st.sampled_from("  \n\xa0\xada中"), st.characters()), max_size=99))
def test_pieces_with_all_kinds_of_white_space_are_the_same_either_way(text: str) -> None:
    bounds = np.array([0], np.int32), np.array([len(text)], np.int32)
    with_loops, without = both_ways(
        lambda: (
            loops.tidy_pieces(text, *bounds, single_spaced),
            trimmed(character_kinds(text), *bounds).tolist(),
        )
    )
    assert with_loops == without


STEMS = [stem for stems in CLASS_HINTS.values() for stem in stems.split()]


@thoroughly
@given(
    class_names=st.lists(
        st.lists(st.sampled_from([*STEMS, *"-_ Aé中x1", "x" * 150]), max_size=5).map("".join)
    )
)
def test_class_hints_are_the_same_either_way(class_names: list[str]) -> None:
    with_loops, without = both_ways(lambda: class_hints(class_names).tolist())
    assert with_loops == without


@pytest.mark.parametrize("bounds", [[0, 5], [-1, 2], [2, 1], [0, 1, 0]])
def test_compiled_loops_refuse_bounds_outside_of_a_column(bounds: list[int]) -> None:
    column, wrong = np.ones(4, np.uint8), np.array(bounds, np.int32)
    for function in (loops.sums_between, loops.strongest_between):
        with pytest.raises(ValueError, match="after"):
            function(column, wrong)
    with pytest.raises(ValueError, match="after"):
        loops.sums_before(column, wrong, np.ones(256, np.int64))
    with pytest.raises(ValueError, match="after"):
        loops.linked_between(column, np.zeros(0, np.int8), wrong[:0], wrong)
    with pytest.raises(ValueError, match="after"):
        loops.count_chars(column, wrong, 2)


@pytest.mark.parametrize(("begin", "end"), [(0, 5), (-1, 2), (2, 1)])
def test_compiled_loops_refuse_parts_outside_of_a_text(begin: int, end: int) -> None:
    kinds, begins, ends = (
        np.ones(4, np.uint8),
        np.array([begin], np.int32),
        np.array([end], np.int32),
    )
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        loops.trimmed(kinds, begins, ends, 0)
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        loops.tidy_pieces("four", begins, ends, str.strip)
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        loops.count_kinds(kinds, begins, ends, np.zeros((1, 2), np.uint8))


def test_compiled_loops_refuse_columns_of_different_lengths() -> None:
    tags, offsets = np.ones(3, np.int8), np.zeros(2, np.int32)
    matrix, bias = np.ones((3, 4), np.float32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="1 begins of 2 parts"):
        loops.trimmed(np.ones(4, np.uint8), offsets[:1], offsets, 0)
    with pytest.raises(ValueError, match="3 strengths at 2 offsets"):
        loops.strongest_by_offset(offsets, np.ones(3, np.uint8))
    with pytest.raises(ValueError, match="3 tags at 2 offsets"):
        loops.block_rows(tags, offsets, np.ones(3, np.uint8), 3)
    with pytest.raises(ValueError, match="3 tags at 2 offsets"):
        loops.row_openers(tags, offsets, np.ones(3, np.uint8), offsets, offsets, 3)
    with pytest.raises(ValueError, match="2 bounds of 2 rows"):
        loops.filled_rows(offsets, offsets, 8)
    with pytest.raises(ValueError, match="2 values for 3 lines"):
        loops.rectify(matrix, bias)
    with pytest.raises(ValueError, match="2 values for 3 lines"):
        loops.clipped(matrix, bias, bias)
    with pytest.raises(ValueError, match="apart"):
        loops.rectify(matrix.T, np.ones(4, np.float32))
    with pytest.raises(ValueError, match="2 values for 3 lines"):
        loops.add_rectified(matrix, matrix, bias)
    with pytest.raises(ValueError, match="2 columns for 4"):
        loops.add_rectified(matrix, matrix[:, :2], np.ones(3, np.float32))
    with pytest.raises(ValueError, match="no columns"):
        loops.summary(matrix[:, :0])
    with pytest.raises(ValueError, match="3 tags at 2 offsets"):
        loops.linked_between(np.ones(4, np.uint8), tags, offsets, offsets)
    with pytest.raises(ValueError, match="2 flags for 3 tags"):
        loops.nest_containers(tags, np.ones(2, np.bool_), offsets, 512)
    with pytest.raises(ValueError, match="3 numbers"):
        loops.sums_before(tags, offsets, np.ones(3, np.int64))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_both_implementations_have_the_same_parameters(name: str) -> None:
    compiled, plain = getattr(loops, name), getattr(_numpy, name)
    assert compiled is not plain
    parameters = [
        [(parameter.name, parameter.kind) for parameter in inspect.signature(f).parameters.values()]
        for f in (compiled, plain)
    ]
    assert parameters[0] == parameters[1]


def test_every_loop_can_be_chosen() -> None:
    others = {"IMPLEMENTATION", "FeatureTables", "Mark", "MarkupColumns", "Stems", "Strings"}
    others |= {"NOTES_SOURCES", "RoleTables", "StampColumns", "TokenPass", "first_token"}
    assert {*FUNCTIONS} == {*loops.__all__} - others


def test_role_columns_are_those_of_the_page_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    page = read("<div class=a><p class=byline>One<li>Two", rows="blocks", with_class_names=True)
    rows = page.text_rows
    source = RoleSource(
        tags=page.tags,
        class_name=page.class_name,
        hints=page.class_hints,
        openers=page.rows.opener[rows],
        chars=page.rows.chars[rows],
        tree=page.containers,
    )
    assert compiled.role_columns(source, TABLES, role_columns)
    for wrong in (
        {"openers": source.openers + np.int32(50)},
        {"chars": source.chars[1:]},
        {"hints": page.class_hints[:1]},
        {"class_name": source.class_name[:1]},
        {"tree": replace(source.tree, of_row=source.tree.of_row + 9)},
        {"tree": replace(source.tree, parent=source.tree.parent + 9)},
        {"tree": replace(source.tree, last_row=source.tree.last_row + 9)},
        {"tree": replace(source.tree, class_name=source.tree.class_name + 9)},
    ):
        with pytest.raises(ValueError, match=r"page|class name|columns"):
            compiled.role_columns(source._replace(**wrong), TABLES, role_columns)


def piece_columns(
    kinds: list[int], inner: list[tuple[int, int]], bounds: list[int]
) -> tuple[Any, ...]:
    """Return the arguments of ``kept_pieces``: edges inside of a text, and bounds of rows."""
    offsets = sorted(min(offset, len(kinds)) for offset, _ in inner)
    edges = np.array([0, *offsets, len(kinds)], np.int32)
    strengths = np.array([4, *(strength for _, strength in inner), 4], np.uint8)
    rows = np.array(sorted({min(bound, len(kinds)) for bound in bounds}), np.int32)
    rows = rows[: len(rows) // 2 * 2]
    return np.array(kinds, np.uint8), edges, strengths, rows[::2].copy(), rows[1::2].copy()


@thoroughly
@given(
    kinds=st.lists(st.sampled_from([0, 3, 9]), max_size=20),
    inner=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), max_size=8),
    bounds=st.lists(st.integers(0, 20), max_size=8),
    following=st.booleans(),
)
def test_kept_pieces_are_the_same_either_way(
    kinds: list[int], inner: list[tuple[int, int]], bounds: list[int], following: bool
) -> None:
    columns = piece_columns(kinds, inner, bounds)
    if following and len(columns[3]) > 1:
        # A dropped row right after another.
        columns[3][1] = columns[4][0]

    def work_out() -> list[list[int]]:
        kinds, edges, strengths, starts, ends = (column.copy() for column in columns)
        found = loops.kept_pieces(kinds, edges, strengths, starts, ends, 5, 2)
        return [column.tolist() for column in found]

    compiled, plain = both_ways(work_out)
    assert compiled == plain


def test_kept_pieces_are_those_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    right = piece_columns([9] * 6, [(2, 1)], [1, 3])
    assert [column.tolist() for column in compiled.kept_pieces(*right, 5, 2)] == [
        [0, 0, 3],
        [0, 1, 6],
        [4, 5, 4],
    ]
    for place, wrong in (
        (0, right[0][:3]),
        (1, right[1][::-1].copy()),
        (2, right[2][:1]),
        (3, right[3] + np.int32(9)),
        (4, right[4] - np.int32(3)),
        (4, right[4][:0]),
    ):
        columns = [*right]
        columns[place] = wrong
        with pytest.raises(ValueError, match=r"row|columns|after"):
            compiled.kept_pieces(*columns, 5, 2)


def test_breaks_are_those_of_the_text_alone() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    kinds, tags = np.zeros(4, np.uint8), np.array([7, 7], np.int8)
    offset, strength = np.array([1, 3], np.int32), np.array([2, 2], np.uint8)
    assert compiled.second_breaks(kinds, tags, offset, strength, 7, 0).tolist() == [False, True]
    kinds[2] = 1
    assert compiled.second_breaks(kinds, tags, offset, strength, 7, 0).tolist() == [False] * 2
    with pytest.raises(ValueError, match="after the end"):
        compiled.second_breaks(kinds[:2], tags, offset, strength, 7, 0)
    with pytest.raises(ValueError, match="tags at"):
        compiled.second_breaks(kinds, tags[:1], offset, strength, 7, 0)
    with pytest.raises(ValueError, match="tags at"):
        compiled.part_links(tags[:1], offset, strength, 1)
