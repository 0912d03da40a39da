"""The compiled features of rows are those that numpy computes from their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.feature_groups import write_features
from scrapy_cetr.extraction.methods.learned.features import NAMES, ROW_GROUPS, TABLES
from scrapy_cetr.extraction.methods.learned.measurements import RowMeasurements, measure_rows
from testkit.hostile import TRAPS
from testkit.implementations import HAS_COMPILED
from testkit.recorded import SITE, bundled_pages

pytestmark = [
    pytest.mark.skipif(not HAS_COMPILED, reason="the package was installed without a compiler"),
    pytest.mark.parametrize("each_way", ["cython"], indirect=True),
]
# Tags and texts that pages are put together from.
PIECES = (
    *("<p>", "</p>", "<div class='post-content main'>", "<div id=sidebar>", "</div>", "<li>"),
    *("<h1>", "</h1>", "<h3>", "<article>", "<aside>", "</aside>", "<a href=x>", "</a>", "<br>"),
    *("<table><tr><td>", "</table>", "<img src=a>", "<input>", "Title of it. ", "12. ", "今天。"),
    *("A sentence, long enough to count as running text of an article. " * 2, "a", "Ça va? "),
)


def measured(html: str) -> RowMeasurements | None:
    page = read(f"<title>Title of it</title>{html}", rows="blocks", with_class_names=True)
    return measure_rows(page) if len(page.text_rows) else None


def check_same(html: str) -> None:
    rows = measured(html)
    if rows is None:
        return
    compiled, defined = (np.full((len(NAMES), len(rows)), np.nan, np.float32) for _ in range(2))

    def fail(*_: object) -> None:
        raise AssertionError("the compiled features are not used")

    loops.row_features(rows, TABLES, compiled, fail)
    write_features(ROW_GROUPS, rows, defined)
    apart = ~np.isclose(compiled, defined, rtol=1e-5, atol=1e-6).all(axis=1)
    assert [NAMES[line] for line in np.flatnonzero(apart)] == []


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_row_features_are_as_defined(pieces: list[str]) -> None:
    check_same("".join(pieces))


@pytest.mark.parametrize("path", bundled_pages(), ids=str)
def test_row_features_of_the_bundled_site_are_as_defined(path: str) -> None:
    check_same(decode((SITE / path.removeprefix("/")).read_bytes()))


@pytest.mark.parametrize("name", sorted(TRAPS))
def test_row_features_of_hostile_pages_are_as_defined(name: str) -> None:
    check_same(TRAPS[name](20_000))


def test_row_features_refuse_a_matrix_of_another_height() -> None:
    rows = measured("<p>One</p><p>Two</p>")
    assert rows is not None
    for height in (len(NAMES) - 1, len(NAMES) + 1):
        with pytest.raises(ValueError, match=r"lines are too few|features for"):
            loops.row_features(rows, TABLES, np.empty((height, 2), np.float32), write_none)


def write_none(_measured: RowMeasurements, _out: object) -> None:
    """Write nothing."""
