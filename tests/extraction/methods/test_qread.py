"""qRead as published: what it filters, its segments, densities and similarities (section 3)."""

from collections import Counter
from math import sqrt
from typing import Any

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import USE_CLASS_NAMES, Verdict
from scrapy_cetr.extraction.methods.qread import cosine, direction, segments, text_lines

GAP = "<hr>\n" * 3


def judge(html: str, *, rows: RowKind = "blocks", **options: Any) -> Verdict:
    page = read(html, rows=rows, with_class_names=True)
    return METHODS["qread"](page, Options(method="qread", rows=rows, **options))


def kept(html: str, **options: Any) -> list[str]:
    text = extract(html, method="qread", **options).text
    return text.split("\n\n") if text else []


def words(number: int, word: str = "word") -> str:
    return " ".join([word] * number)


# Section 3: filtering

STORY = f"<p>{words(9)}</p>"


@pytest.mark.parametrize(
    "menu",
    [
        '<div class="menu">Some menu</div>',
        '<div class="nav">Some menu</div>',
        "<div class='top NAV' id=x>Some menu</div>",
        "<div class=menu><div><p>Some</p></div><div>menu</div></div>",
        "<div class=menu><ul><li>Some<li>menu</ul></div>",
    ],
)
def test_divs_of_the_class_menu_or_nav_are_filtered(menu: str) -> None:
    for rows in ("blocks", "lines"):
        assert kept(f"{menu}\n{STORY}", rows=rows) == [words(9)]
    assert kept(f"{STORY}\n{menu}") == [words(9)]


@pytest.mark.parametrize(
    "part",
    [
        "<div class=navel>Some part</div>",
        "<div id=menu>Some part</div>",
        "<p class=menu>Some part</p>",
        "<div>Some part</div>",
    ],
)
def test_nothing_else_is(part: str) -> None:
    assert kept(part + STORY) == ["Some part", words(9)]


def test_a_menu_that_is_never_closed_hides_nothing() -> None:
    assert kept(f"<div class=menu>Some menu {STORY}") == ["Some menu", words(9)]


def test_classes_are_read_for_this_method() -> None:
    assert "qread" in USE_CLASS_NAMES
    assert "cetr" not in USE_CLASS_NAMES


def test_remarks_styles_scripts_and_titles_are_removed() -> None:
    html = f"<title>a</title><style>b</style><script>c</script><!-- d -->{STORY}"
    assert kept(html) == [words(9)]


def test_paragraphs_survive() -> None:
    assert kept("<p>One,<br>two.</p><p>Three.") == ["One,\ntwo.", "Three."]


# Section 3.1: segments and their density


def test_a_segment_ends_where_three_lines_are_empty() -> None:
    filled = [1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1]
    found = judge("\n".join("<b>" + "x" * text for text in filled), rows="lines").trace["segment"]
    assert found.tolist() == [0, -1, -1, 0, -1, -1, -1, 1, 1, -1, -1, -1, -1, 2]


def test_how_many_is_an_option() -> None:
    html = f"<p>{words(9)}</p>\n<hr>\n<hr>\n<p>{words(2)}</p>"
    assert kept(html, rows="lines") == [words(9), words(2)]
    assert kept(html, rows="lines", qread_empty_lines=2) == [words(9)]
    assert kept(html, rows="lines", qread_empty_lines=1) == [words(9)]


def test_the_first_and_the_last_line_of_a_page_need_not_be_filled() -> None:
    page = read("<hr><hr><hr><hr><p>a</p><hr><hr><hr><hr>", rows="blocks")
    assert set(segments(text_lines(page) > 0, empty_lines=3).tolist()) == {-1, 0}


def test_a_text_line_ends_with_the_source_line_and_with_paragraphs_and_line_breaks() -> None:
    html = "one<br>two<br><br></p>three</p>\n<p></p>\n<br>four"
    assert text_lines(read(html, rows="lines")).tolist() == [3, 0, 1]
    assert text_lines(read("<p>one<br>two<p>three\nfour", rows="blocks")).tolist() == [2, 1]


def test_the_density_is_words_by_lines_with_text() -> None:
    html = f"<p>{words(4)}</p>\n<p>{words(7)}</p>\n<hr>\n<b>{words(1)}</b>\n{GAP}<p>{words(5)}"
    for rows in ("blocks", "lines"):
        trace = judge(html, rows=rows).trace
        assert trace["density"].tolist() == [(4 + 7 + 1) / 3, 5]


def test_chinese_is_counted_by_characters() -> None:
    trace = judge(f"<p>渔民出海。</p>{GAP}<p>one two</p>").trace
    assert trace["density"].tolist() == [4, 2]


def test_the_segment_with_the_highest_density_is_the_content() -> None:
    html = f"<p>{words(2)}</p>{GAP}<p>{words(9)}</p><p>{words(5)}</p>{GAP}<p>{words(6)}</p>"
    assert judge(html).trace["density"].tolist() == [2, 7, 6]
    assert kept(html) == [words(9), words(5)]


def test_segments_of_the_same_density_are_all_content() -> None:
    assert kept(f"<p>{words(5)}</p>{GAP}<p>{words(5)}</p>{GAP}<p>x") == [words(5), words(5)]


# Section 3.2: similarity to the title


def test_the_similarity_is_the_cosine_of_two_bags_of_words() -> None:
    one, other = Counter({"a": 1, "b": 2}), Counter({"b": 3, "c": 4})
    assert cosine(one, direction(other)) == pytest.approx(6 / (sqrt(5) * 5))
    assert cosine(other, direction(one)) == pytest.approx(6 / (sqrt(5) * 5))
    assert cosine(one, direction(one)) == pytest.approx(1)
    assert cosine(one, direction(Counter("xyz"))) == cosine(Counter(), direction(one)) == 0


TITLE = "<title>Rain in town</title>"


def test_the_similarity_of_each_segment_to_the_title() -> None:
    trace = judge(f"{TITLE}<p>rain and Rain</p>{GAP}<p>sun</p>").trace
    # 2 of rain, 1 of and; the title has three words.
    assert trace["similarity"].tolist() == pytest.approx([2 / (sqrt(5) * sqrt(3)), 0])


@pytest.mark.parametrize(
    ("segment", "appended"),
    [
        ("the rain in our town was hard", True),
        ("the sun in your city was so bright", False),
        ("rain in town", False),
    ],
    ids=["similar and dense", "dense", "similar"],
)
def test_a_segment_both_similar_and_dense_is_appended(segment: str, *, appended: bool) -> None:
    # Densities: 2 of the menu, 9 of the densest, and of the whole page (2 + 2 + 9 + n) / 4, which
    # is 5 for 7 words, 5.25 for 8 and 4 for 3. Similarities: 0.82 of the menu, 0 of the densest,
    # and 0.65, 0.20 or 1 of the segment, so on average 0.49, 0.34 or 0.61.
    menu = "<p>rain town</p>" * 2
    html = f"{TITLE}{menu}{GAP}<p>{words(9)}</p>{GAP}<p>{segment}</p>"
    assert kept(html) == [words(9), *([segment] if appended else [])]


def test_without_a_title_nothing_is_appended() -> None:
    html = f"<p>{words(9)}</p>{GAP}<p>the rain in our town was hard</p>{GAP}<p>one</p>"
    assert kept(html) == [words(9)]


def test_breaks_and_tags_are_looked_at_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    html = (
        "<div class=menu>a<div>b</div><br>c</div>d e<br> <br>f<p>g<img>h<p>\n<hr><pre>i\n\nj</pre>"
        "<div>k<hr><hr><hr></div><p>l m n"
    ) * 4
    expected = judge(html)
    for size in (1, 2, 5):
        monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", size)
        found = judge(html)
        assert found.score.tolist() == expected.score.tolist()
        for name in ("segment", "density", "similarity"):
            assert found.trace[name].tolist() == expected.trace[name].tolist()
