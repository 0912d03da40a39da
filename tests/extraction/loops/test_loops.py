"""Compiled or not, columns are the same; and nothing is read that is not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.columns import strongest_in, sum_before, sums_between
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.loops import compiled
from scrapy_cetr.extraction.methods.learned.class_hints import CLASS_HINTS, class_hints
from scrapy_cetr.extraction.methods.learned.features import find_features
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from scrapy_cetr.extraction.output.text import _tidy_pieces
from scrapy_cetr.extraction.page.characters import character_kinds, trimmed
from scrapy_cetr.extraction.page.containers import find_containers
from testkit.hostile import ARTICLE, TRAPS
from testkit.recorded import SITE, bundled_pages

pytestmark = pytest.mark.skipif(
    not compiled.COMPILED and os.environ.get("CI") != "true",
    reason="no compiler was there when the package was installed",
)
thoroughly = settings(max_examples=200, deadline=None, derandomize=True, database=None)


def both_ways(work_out: Callable[[], Any]) -> tuple[Any, Any]:
    """Give what comes out with compiled loops, and what without."""
    assert compiled.COMPILED
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "COMPILED", False)
        plain = work_out()
    return work_out(), plain


def columns_of(html: str) -> dict[str, list[Any]]:
    page = read(html, rows="blocks", with_class_names=True)
    tree = find_containers(page, page.rows.opener[page.rows.chars > 0])
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
    features = find_features(page)
    columns["features"] = features.of_rows
    columns["scores"] = row_scores(features, shipped_network(), 0)
    return {name: column.tolist() for name, column in columns.items()}


def check(html: str) -> None:
    with_loops, without = both_ways(lambda: columns_of(html))
    assert with_loops == without


PIECES = st.sampled_from(
    [
        *("one ", " two", "3", "中文。", "👍", "\n", "\x01", "\ufffd" * 12, "e\u0301", "x" * 90),
        *("<p>", "</p>", "<div class='Story-body ad'>", "</div>", "<li id=nav>", "</li>", "<td>"),
        *("<a href=x>", "</a>", "<a>", "<br>", "<b>", "</b>", "<ul class=menu>", "</ul>", "<h1>"),
    ]
)


@thoroughly
@given(pieces=st.lists(PIECES, max_size=25))
def test_pages_of_all_kinds(pieces: list[str]) -> None:
    check("".join(pieces))


@pytest.mark.parametrize("name", TRAPS)
def test_hostile_pages(name: str) -> None:
    check(TRAPS[name](20_000) + ARTICLE)


def test_the_articles_of_the_bundled_pages() -> None:
    for path in bundled_pages():
        html = decode((SITE / path.removeprefix("/")).read_bytes())
        check(html)
        with_loops, without = both_ways(partial(extract, html))
        assert with_loops == without


def test_nesting_ends_at_some_depth_either_way() -> None:
    check("<div>" * 600 + "<p>deep" + "</div>" * 300 + "<section><p>less" + "</div>" * 400 + "<p>x")


@thoroughly
@given(text=st.text(max_size=300))
def test_characters_of_all_kinds(text: str) -> None:
    with_loops, without = both_ways(lambda: character_kinds(text).tolist())
    assert with_loops == without


@thoroughly
@given(text=st.text(st.one_of(st.sampled_from("  \n\xa0\xada中"), st.characters()), max_size=99))
def test_texts_with_white_space_of_all_kinds(text: str) -> None:
    bounds = np.array([0], np.int32), np.array([len(text)], np.int32)
    with_loops, without = both_ways(
        lambda: (
            _tidy_pieces(text, *bounds),
            trimmed(text, character_kinds(text), *bounds).tolist(),
        )
    )
    assert with_loops == without


STEMS = [stem for stems in CLASS_HINTS.values() for stem in stems.split()]


@thoroughly
@given(
    labels=st.lists(
        st.lists(st.sampled_from([*STEMS, *"-_ Aé中x1", "x" * 150]), max_size=5).map("".join)
    )
)
def test_labels_of_all_kinds(labels: list[str]) -> None:
    with_loops, without = both_ways(lambda: class_hints(labels).tolist())
    assert with_loops == without


@pytest.mark.parametrize("bounds", [[0, 5], [-1, 2], [2, 1], [0, 1, 0]])
def test_bounds_outside_of_a_column_are_refused(bounds: list[int]) -> None:
    column, places = np.ones(4, np.uint8), np.array(bounds, np.int32)
    for function in (sums_between, strongest_in):
        with pytest.raises(ValueError, match="behind"):
            function(column, places)
    with pytest.raises(ValueError, match="behind"):
        sum_before(column, places, np.int64, np.ones(256, np.int64))
    with pytest.raises(ValueError, match="behind"):
        compiled.loops.linked_between(column, np.zeros(0, np.int8), places[:0], places)
    with pytest.raises(ValueError, match="behind"):
        compiled.loops.count_chars(column, places, 2)


@pytest.mark.parametrize(("begin", "end"), [(0, 5), (-1, 2), (2, 1)])
def test_parts_outside_of_a_text_are_refused(begin: int, end: int) -> None:
    kinds, begins, ends = (
        np.ones(4, np.uint8),
        np.array([begin], np.int32),
        np.array([end], np.int32),
    )
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        compiled.loops.trimmed(kinds, begins, ends, 0)
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        compiled.loops.tidy_pieces("four", begins, ends, str.strip)
    with pytest.raises(ValueError, match="not in a text of 4 characters"):
        compiled.loops.count_kinds(kinds, begins, ends, np.zeros((1, 2), np.uint8))


def test_columns_of_different_lengths_are_refused() -> None:
    tags, places = np.ones(3, np.int8), np.zeros(2, np.int32)
    block, bias = np.ones((3, 4), np.float32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="1 begins of 2 parts"):
        compiled.loops.trimmed(np.ones(4, np.uint8), places[:1], places, 0)
    with pytest.raises(ValueError, match="3 strengths in 2 places"):
        compiled.loops.strongest_by_place(places, np.ones(3, np.uint8))
    with pytest.raises(ValueError, match="3 tags in 2 places"):
        compiled.loops.block_rows(tags, places, np.ones(3, np.uint8), 3)
    with pytest.raises(ValueError, match="3 tags in 2 places"):
        compiled.loops.openers(tags, places, np.ones(3, np.uint8), places, places, 3)
    with pytest.raises(ValueError, match="2 bounds of 2 rows"):
        compiled.loops.filled_rows(places, places, 8)
    with pytest.raises(ValueError, match="2 values for 3 lines"):
        compiled.loops.rectify(block, bias)
    with pytest.raises(ValueError, match="2 values for 3 lines"):
        compiled.loops.between(block, bias, bias)
    with pytest.raises(ValueError, match="apart"):
        compiled.loops.rectify(block.T, np.ones(4, np.float32))
    with pytest.raises(ValueError, match="3 tags in 2 places"):
        compiled.loops.linked_between(np.ones(4, np.uint8), tags, places, places)
    with pytest.raises(ValueError, match="2 flags for 3 tags"):
        compiled.loops.nest(tags, np.ones(2, np.bool_), places, 512)
    with pytest.raises(ValueError, match="3 weights"):
        sum_before(tags, places, np.int64, np.ones(3, np.int64))
