"""The offsets of tags in the HTML, and the attributes that are read again from there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.elements import HIDDEN_TEXTS, HIDDEN_TREES, LINK
from scrapy_cetr.extraction.loops import _numpy

PAGE = (
    '<p>A\r\n<img src=a><noscript><img src=b></noscript>é <a HREF="/x?a&amp;b" href=/y>c</a>'
    "<svg><img></svg><picture><source srcset=d></picture><a>e</a><cart-drawer aria-hidden=true>"
)
PIECES = (
    *("<p>", "</p>", "<a href=x", " class='b'", ">", "<img src="),
    *("text", "\n", "\r", "é", "<!--"),
)


def read(html: str) -> loops.MarkupColumns:
    hidden = HIDDEN_TEXTS | HIDDEN_TREES
    return loops.read_columns(
        html, hidden=hidden, class_name_ids={}, before=0, with_marks=True, with_sources=True
    )


def test_sources_are_where_tags_begin() -> None:
    found = read(PAGE)
    begins = [PAGE[source : source + 2] for source in found.sources.tolist()]
    assert begins == ["<p", "<i", "<a", "</", "<p", "<s", "</", "<a", "</", "<c"]


def test_sources_are_not_noted_unless_they_are_asked_for() -> None:
    found = loops.read_columns(PAGE, hidden=HIDDEN_TEXTS, class_name_ids={}, before=0)
    assert not len(found.sources)
    assert not len(found.pictures)


def test_pictures_are_tags_and_the_insides_of_noscript() -> None:
    found = read(PAGE).pictures.tolist()
    assert [(tag, PAGE[abs(source) :][:4], source < 0) for tag, _, source in found] == [
        (1, "<img", False),
        (2, "<img", True),
        (4, "<pic", False),
        (5, "<sou", False),
    ]


def test_custom_elements_may_hide() -> None:
    assert [tag for tag, _ in read("<my-box hidden>x</my-box>").marks] == [0]


def test_attributes_are_read_again_without_references() -> None:
    found = read(PAGE)
    links = found.sources[found.tags == LINK]
    values = loops.attribute_values(PAGE, links, ("href", "class"))
    assert values == [("/x?a&b", None), (None, None)]


def test_a_long_tag_is_read_again_as_a_whole() -> None:
    page = f"<a title='{'x' * 200_000}' href='&lt;'>"
    assert loops.attribute_values(page, np.zeros(1, np.int32), ("href",)) == [("<",)]


def test_attributes_are_read_of_tags_only() -> None:
    with pytest.raises(ValueError, match="no tag begins at 1"):
        loops.attribute_values("text", np.ones(1, np.int32), ("href",))


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_both_passes_note_the_same_sources(html: str) -> None:
    found, plain = (
        read(html),
        _numpy.read_columns(
            html,
            hidden=HIDDEN_TEXTS | HIDDEN_TREES,
            class_name_ids={},
            before=0,
            with_marks=True,
            with_sources=True,
        ),
    )
    assert found.sources.tolist() == plain.sources.tolist()
    assert found.pictures.tolist() == plain.pictures.tolist()
    starts = found.sources[found.tags > 0]
    names = ("href", "class", "src")
    assert loops.attribute_values(html, starts, names) == _numpy.attribute_values(
        html, starts, names
    )
