"""Features that tell where a row is from what may be the article."""

from math import log1p

import pytest

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.features import NAMES, find_features

LONG = (
    "Es regnete drei Tage lang, und in der ganzen Stadt war niemand mehr auf der Straße zu sehen."
)
LONGER = "评论很长。" * 30
# A short article, and long comments below it.
PAGE = f"""<title>Regen</title><div class=page>
<div class=story><h1>Regen</h1><p>{LONG}</p></div>
<div class=comments><h2>Meinungen</h2><div><p>{LONGER}</p><p>{LONGER}</p></div></div>
</div>"""


def column(html: str, name: str) -> list[float]:
    """Return one feature of all rows with text."""
    features = find_features(read(html, rows="blocks", with_class_names=True))
    return [float(value) for value in features.of_rows[NAMES.index(name)]]


def approx(*numbers: float) -> object:
    return pytest.approx(list(numbers), rel=1e-5)


# The best container is the inner one of the comments, with rows 3 and 4.


def test_hints_around_the_best_container_do_not_set_a_row_apart() -> None:
    assert column(PAGE, "within class hint comment") == [0, 0, 1, 1, 1]
    assert column(PAGE, "apart within class hint comment") == [0] * 5
    assert column(PAGE, "apart within class hint body") == [1, 1, 0, 0, 0]


def test_elements_around_a_row_alone_set_it_apart() -> None:
    html = f"<main><section><p>{LONGER}</section><aside><p>{LONG}</aside></main>"
    assert column(html, "apart within aside") == [0, 1]
    assert column(html, "apart within main") == [0, 0]
    assert column(html, "apart within section") == [0, 0]


def test_branch_is_the_largest_container_without_the_best_one() -> None:
    # The story has one long row. Each comment has 120 ideographs, which count twice, and 30 stops.
    share = len(LONG) / (len(LONG) + 2 * (2 * 120 + 30) + 1)
    assert column(PAGE, "long text of container 5")[:2] == approx(share, share)
    # Up from the inner container to the comments, or to the page; the row is next to or in it.
    assert column(PAGE, "levels from best") == approx(log1p(2), log1p(2), log1p(1), 0, 0)
    assert column(PAGE, "levels in branch") == [0] * 5
    assert column(PAGE, "around best") == [0, 0, 1, 1, 1]


def test_levels_in_a_branch_are_counted_down_to_the_row() -> None:
    html = f"<div><p>{LONGER}</div><div><div><div><p>{LONG}</div></div></div>"
    assert column(html, "levels in branch") == approx(0, log1p(2))
    assert column(html, "levels from best") == approx(0, log1p(1))


def test_first_text_is_the_first_long_row_after_the_title() -> None:
    assert column(PAGE, "from first text") == approx(-log1p(1), 0, log1p(1), log1p(2), log1p(3))
    assert column(PAGE, "in container of first text") == [1, 1, 0, 0, 0]
    assert column(PAGE, "in parent of first text") == [1] * 5
    assert column(PAGE, "first text is best") == [0] * 5
    (against_best,) = set(column(PAGE, "first text against best"))
    assert against_best < -1


def test_first_text_is_before_the_title_if_none_is_after_it() -> None:
    html = f"<title>Regen</title><p>{LONG}<p>Menu<h1>Regen</h1><p>Kurz"
    assert column(html, "from first text") == approx(0, log1p(1), log1p(2), log1p(3))
    assert column("<p>Kurz<p>Auch", "from first text") == approx(0, log1p(1))
