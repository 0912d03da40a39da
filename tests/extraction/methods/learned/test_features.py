"""Features: values that can be checked by hand, and properties that hold for any page."""

from math import log, log1p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods.learned.features import (
    NAMES,
    PAGE_NAMES,
    Features,
    find_features,
)
from scrapy_cetr.extraction.methods.learned.measurements import (
    LEVELS,
    LONG,
)
from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS
from scrapy_cetr.extraction.page.page import MAX_MEASURED
from testkit.hostile import TRAPS


def features_of(html: str, rows: RowKind = "blocks") -> Features:
    return find_features(read(html, rows=rows, with_class_names=True))


def column(html: str, name: str, rows: RowKind = "blocks") -> list[float]:
    """Return one feature of all rows with text."""
    return [float(value) for value in features_of(html, rows).of_rows[NAMES.index(name)]]


def of_page(html: str, name: str) -> float:
    return float(features_of(html).of_page[PAGE_NAMES.index(name)])


def approx(*numbers: float) -> object:
    return pytest.approx(list(numbers), rel=1e-5)


# Rows


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("", []),
        ("<p><br><hr>", []),
        ("<script>x()</script>", []),
        ("Plain text.", ["Plain text."]),
        ("<p>One<p> two <hr><p>three", ["One", "two", "three"]),
        ("<p>One <b>two</b></p>\n<ul><li><li>three</ul>four", ["One two", "three", "four"]),
    ],
)
def test_only_rows_with_text_have_features(html: str, texts: list[str]) -> None:
    features = features_of(html)
    assert list(features.texts) == texts
    assert features.of_rows.shape == (len(NAMES), len(texts))
    assert features.of_page.shape == (len(PAGE_NAMES),)
    page = read(html, rows="blocks")
    assert features.rows.tolist() == np.flatnonzero(page.rows.chars).tolist()


def test_only_lines_with_text_have_features() -> None:
    html = "<p>One<p>two\n<hr>\n\n three<br>\n<a>four</a>"
    assert list(features_of(html, "lines").texts) == ["Onetwo", "three", "four"]
    assert column(html, "link share", "lines") == [0, 0, 1]


def test_binary_rows_have_no_features() -> None:
    html = "<p>One 1<p>" + "\x01 2" * 50 + "<p>two"
    assert list(features_of(html).texts) == ["One 1", "two"]
    assert column(html, "digits") == approx(log1p(1), 0)


def test_longest_rows_are_measured_if_there_are_too_many() -> None:
    html = "<p>A1.<p>" + "<p>x9" * MAX_MEASURED + "<p>渔民, 1<p>B22!"
    features = features_of(html)
    assert len(features.texts) == MAX_MEASURED
    assert features.texts[:2] == ["A1.", "x9"]
    assert features.texts[-2:] == ["渔民, 1", "B22!"]
    assert column(html, "digits")[-3:] == approx(log1p(1), log1p(1), log1p(2))
    # Five characters. The two ideographs count twice.
    assert column(html, "share of ideographs")[-3:] == approx(0, 2 / 7, 0)


# Characters and tags


def test_chars_is_a_logarithm_and_counts_ideographs_twice() -> None:
    assert column("<p>abc<p>a b  c<p>渔民a", "chars") == approx(log1p(3), log1p(5), log1p(5))


def test_marks_and_digits_are_counted_and_divided_by_row_length() -> None:
    html = "<p>Ab, c. 12 D"  # 11 characters
    for name, count in {"marks": 2, "digits": 2}.items():
        assert column(html, name) == approx(log1p(count))
        assert column(html, f"share of {name}") == approx(count / 11)


def test_link_share_is_the_share_of_characters_in_links() -> None:
    html = "<p>none<p><a href=/>all</a><p>one<a href=/>half</a>s<p>ab<a href=/>cd</a><a>efgh</a>"
    assert column(html, "link share") == approx(0, 1, 4 / 8, 6 / 8)
    assert column(html, "links in row") == approx(0, log1p(1), log1p(1), log1p(2))
    # The mean length of a link.
    assert column(html, "link length") == approx(0, log1p(3), log1p(4), log1p(3))


def test_tags_are_counted_by_row() -> None:
    html = "<p><img>One<b>x</b><strong>y</strong><p><input>two<br>three<img><img></p><a>z</a>"
    assert column(html, "images in row") == approx(log1p(1), log1p(2), 0)
    assert column(html, "fields in row") == approx(0, log1p(1), 0)
    assert column(html, "breaks in row") == approx(0, log1p(1), 0)
    assert column(html, "links in row") == approx(0, 0, log1p(1))


def test_tag_count_overflow_does_not_change_other_counts() -> None:
    features = features_of("<p>x" + "<a>" * 65_536 + "<p>y<a>z")
    links = NAMES.index("links in row")
    assert features.of_rows[links].tolist() == approx(log1p(65_535), log1p(1))
    assert not features.of_rows[links + 1 : links + 4].any()


def test_tags_are_counted_by_line() -> None:
    html = "<img><br>\none<a>two</a><img>\n<p>\n<b>three\n</b>four<img><img>"
    assert column(html, "images in row", "lines") == approx(log1p(1), 0, log1p(2))
    assert column(html, "links in row", "lines") == approx(log1p(1), 0, 0)
    assert column(html, "breaks in row", "lines") == [0, 0, 0]


# Texts


def test_first_and_last_characters_are_told_apart_by_kind() -> None:
    html = "<p>It ended.<p>3 more?<p>“Yes”<p>Read more:<p>next ›<p>渔民出海。"
    assert column(html, "ends in a stop") == [1, 0, 0, 0, 0, 1]
    assert column(html, "ends in a question") == [0, 1, 0, 0, 0, 0]
    assert column(html, "ends in a quotation") == [0, 0, 1, 0, 0, 0]
    assert column(html, "ends in a colon") == [0, 0, 0, 1, 0, 0]
    assert column(html, "begins with a capital") == [1, 0, 0, 1, 0, 0]
    assert column(html, "begins with a digit") == [0, 1, 0, 0, 0, 0]
    assert column(html, "begins with an ideograph") == [0, 0, 0, 0, 0, 1]


def test_repeated_rows_are_counted_and_marked_after_the_first() -> None:
    html = "<p>More<p>One<p>More<p>Two<p> More "
    assert column(html, "repeats another") == [0, 0, 1, 0, 1]
    assert column(html, "is repeated") == approx(log(3), 0, log(3), 0, log(3))


def test_title_shares_are_of_the_row_and_of_the_title() -> None:
    html = "<title>Rain in town</title><p>Rain fell in the old town<p>Rain<p>Sun<p><a>Rain in</a>"
    # 3 of 6 words are in the title, and 1 of 1. Linked rows are not compared.
    assert column(html, "share in title") == approx(3 / 6, 1, 0, 0)
    assert column(html, "share of title") == approx(1, 1 / 3, 0, 0)
    assert of_page(html, "page shows title") == 1


def test_title_of_ideographs_is_compared_by_characters() -> None:
    html = "<title>渔民出海</title><p>渔民<p>天气"
    assert column(html, "share of title") == approx(2 / 4, 0)
    assert column(html, "share in title") == approx(1, 0)


def test_title_is_compared_with_headings_and_first_rows_only() -> None:
    html = "<title>Rain</title>" + "<p>Sun" * 30 + "<p>Rain<h3>Rain</h3>"
    assert column(html, "share of title") == [0] * 31 + [1]


def test_title_shares_are_zero_without_a_title() -> None:
    assert column("<p>Rain<p>Sun", "share of title") == [0, 0]


# Ratios and positions


def test_ratio_is_the_tag_ratio_of_cetr() -> None:
    # 4 characters to 1 tag, and 6 to 3.
    assert column("<p>four<p><b>six</b>six", "ratio") == approx(log1p(4), log1p(6 / 3))


def test_smoothing_does_not_change_equal_ratios() -> None:
    html = "<p><a>half</a>half" * 100
    for sigma in (1, 2, 8):
        assert column(html, f"ratio, σ = {sigma}")[50] == pytest.approx(log1p(8 / 3), rel=1e-4)


def test_position_is_counted_from_both_ends() -> None:
    html = "<p>a<p>b<hr><p>c<p>d"
    assert column(html, "position") == approx(0, 1 / 4, 2 / 4, 3 / 4)
    assert column(html, "rows before") == approx(*(log1p(count) for count in (0, 1, 2, 3)))
    assert column(html, "rows after") == approx(*(log1p(count) for count in (3, 2, 1, 0)))
    assert column(html, "empty rows before") == approx(0, 0, log1p(1), 0)


def test_distances_to_the_last_and_next_long_row() -> None:
    html = f"<p>a<p>b<p>{'x' * LONG}<p>c<p>{'y' * LONG}"
    far = log1p(50)
    assert column(html, "from long row") == approx(far, far, far, log1p(1), log1p(2))
    assert column(html, "to long row") == approx(log1p(2), log1p(1), log1p(2), log1p(1), far)


# Elements


def test_row_element_is_the_one_that_the_row_begins_in() -> None:
    html = "<h1>A</h1><p>B</p>C<ul><li>D</li></ul><div>E<table><tr><td>F<th>G</table></div>"
    for element, expected in {"h1": 0, "p": 1, "li": 3, "div": 4, "td": 5, "th": 6}.items():
        assert column(html, f"row of {element}") == [float(row == expected) for row in range(7)]


def test_row_after_an_inner_element_belongs_to_the_container() -> None:
    assert column("<div><p>A</p>B</div>C", "row of div") == [0, 1, 0]


def test_surrounding_elements_are_found_across_many_levels() -> None:
    html = f"<article>{'<div>' * 40}<p>A{'</div>' * 40}</article><nav>B</nav>"
    assert column(html, "within article") == [1, 0]
    assert column(html, "within nav") == [0, 1]


def test_class_hints_of_the_two_nearest_and_of_all_containers() -> None:
    html = "<div class=comments><div><div class=x><p>A</div><p>B</div><p>C</div><p>D"
    assert column(html, "class hint comment") == [0, 1, 1, 0]
    assert column(html, "within class hint comment") == [1, 1, 1, 0]
    others = [name for name in CLASS_HINTS if name != "comment"]
    assert not any(sum(column(html, f"within class hint {name}")) for name in others)


def test_rows_of_a_kind_share_element_kind_and_class_name() -> None:
    html = "<div class=a><p>1<p>2<h2>3</h2></div><div class=b><p>4</div><div class=a><p>5</div>"
    assert column(html, "rows of kind") == approx(log(3), log(3), 0, 0, log(3))
    html = "<ul><li>1<li>22<h2>333</h2><h3>4444</h3></ul>5"
    # Two list items, two headings, and one row outside of the list.
    assert column(html, "rows of kind") == approx(log(2), log(2), log(2), log(2), 0)
    assert column(html, "chars of kind") == approx(*map(log1p, (1.5, 1.5, 3.5, 3.5, 1)))


def test_distances_from_headings_and_h1() -> None:
    html = "<p>a<h2>b</h2><p>c<p>d<h1>e</h1><p>f"
    steps = (50, 0, 1, 2, 0, 1)
    assert column(html, "from heading") == approx(*(log1p(count) for count in steps))
    assert column(html, "after h1") == [0, 0, 0, 0, 1, 1]


def test_best_container_has_the_most_long_text_in_its_own_rows() -> None:
    story = f"<p>{'x' * LONG}"
    html = f"<p>a<main><div>{story}</div><section><h2>b</h2>{story * 2}</section><p>c</main><p>d"
    # The rows: a, one in the <div>, b and two in the <section>, c, d.
    assert column(html, "in best") == [0, 0, 1, 1, 1, 0, 0]
    assert column(html, "in parent of best") == [0, 1, 1, 1, 1, 1, 0]
    assert column(html, "in grandparent of best") == [1] * 7


def test_container_features_start_at_the_innermost_container() -> None:
    html = f"<div><section><p>{'x' * 99}<p><a>{'y' * 99}</a></section><p>{'z' * 199}</div>"
    # The <section>, the <div> and the page have 99, 298 and 298 characters outside of links.
    shares = [column(html, f"text of container {level}")[0] for level in range(3)]
    assert shares == approx(99 / 299, 298 / 299, 298 / 299)
    linked = [column(html, f"link share of container {level}")[0] for level in range(3)]
    assert linked == approx(99 / 198, 99 / 397, 99 / 397)
    same = "<div class=a>1</div><div class=b>2</div><div class=a>3</div>4"
    assert column(same, "same class name of container 0") == approx(log(2), 0, log(2), 0)
    rows = [column(html, f"rows of container {level}")[0] for level in (0, 1, 2, 4)]
    assert rows == approx(log1p(2), *[log1p(3)] * 3)
    assert f"text of container {LEVELS - 2}" not in NAMES


def test_page_features_describe_the_whole_page() -> None:
    html = f"<h1>Rain</h1><article><p>{'x' * 99}</article><article><a>{'y' * 97}</a></article>"
    assert of_page(html, "page's rows") == pytest.approx(log1p(3))
    assert of_page(html, "page's link share") == pytest.approx(97 / 201)
    assert of_page(html, "page's long rows") == pytest.approx(log1p(1))
    assert of_page(html, "page's articles") == pytest.approx(log1p(2))
    assert of_page(html, "page has h1") == 1
    assert of_page("<p>Rain", "page has h1") == 0


# Any page

PIECES = st.sampled_from(
    [
        *("one", " Two.", "渔", "3", "\n", "<p>", "</p>", "<br>", "<b>", "<a>", "</a>", "<li>"),
        *("</li>", "<div class=nav>", "</div>", "<h1>", "<title>one</title>", "<img>", "\x00"),
    ]
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=40).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_features_of_any_page_are_finite(html: str, rows: RowKind) -> None:
    features = features_of(html, rows)
    assert features.of_rows.shape == (len(NAMES), len(features.rows))
    assert len(features.texts) == len(features.rows)
    assert np.isfinite(features.of_rows).all()
    assert np.isfinite(features.of_page).all()
    shares = [index for index, name in enumerate(NAMES) if name.startswith(("share", "link share"))]
    assert ((features.of_rows[shares] >= 0) & (features.of_rows[shares] <= 1 + 1e-6)).all()


@pytest.mark.parametrize("trap", TRAPS)
def test_features_of_hostile_pages_are_finite(trap: str) -> None:
    for rows in ("blocks", "lines"):
        features = features_of(TRAPS[trap](20_000), "lines" if rows == "lines" else "blocks")
        assert np.isfinite(features.of_rows).all()
        assert np.isfinite(features.of_page).all()


def test_features_do_not_depend_on_the_chunk_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = read("<p>a1, b.<p> <p>2渔民<hr>c22<p>", rows="blocks")
    expected = find_features(page).of_rows.tolist()
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 1)
    assert find_features(page).of_rows.tolist() == expected
