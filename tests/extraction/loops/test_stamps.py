"""Stamps are read the same by both implementations, whatever a page writes in their place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.elements import ELEMENT_CODES, HIDDEN, LINE_BREAK
from scrapy_cetr.extraction.loops import _numpy
from scrapy_cetr.extraction.loops.stamps import stamp_numbers
from testkit.hostile import ARTICLE, TRAPS, hostile_page
from testkit.layouts import newspaper

STAMPS = [
    *("1 2 3 4", "-1 -2 3 4", "1 2 -3 4", "1 2 3 -4", "1 2 3", "1 2 3 4 5", "1  2 3 4", " 1 2 3 4"),
    *("1 2 3 4 ", "", "-", "--", "- ", "-0 0 0 0", "99999999 -99999999 99999999 99999999"),
    *("100000000 2 3 4", "1 2 3 4 t999999999 n999999999", "1 2 3 4 t1000000000", "1 2 3 4 n t1"),
    *("1 2 3 4 n1 t1", "1 2 3 4 f1", "1 2 3 4 f9999.9", "1 2 3 4 f10000", "1 2 3 4 f1."),
    *(
        "1 2 3 4 f",
        "1 2 3 4 f1.25",
        "1 2 3 4 cffffff",
        "1 2 3 4 c000000 h",
        "1 2 3 4 cFFFFFF",
        "1 2 3 4 c12345",
    ),
    *("1 2 3 4 c1234567", "1 2 3 4 h", "1 2 3 4 hh", "1 2 3 4 h ", "1 2 3 4h"),
    *(
        "1 2 3 4 t1 n2 f3 c4",
        "1 2 3 4 t5 n6 f7.8 c9abcde h",
        "nan 0 9 9",
        "1e3 0 9 9",
        "inf 0 9 9",
        "٣ 2 3 4",
        "1\n2 3 4",
    ),
    *("&#49; 2 3 4", "1 2 3 4 &#104;", "&#45;", "1 2 3 4\0", "1 2 3 4\r", "9" * 1000, "1 2 3 4 t"),
]
PIECES = (
    *('<p data-cetr="1 2 3 4">', "<p DATA-CETR='-'>", "</p>", "<div data-cetr=", "1 2 3 4 h", '"'),
    *("<svg data-cetr='-'>", "</svg>", "<svg/>", "<select data-cetr='1 2 3 4 h'>", "</select>"),
    *("<img data-cetr='1 2 3 4'>", "<script data-cetr='-'>", "</script>", "<br>", "<!--", "-->"),
    *("<html data-cetr='1 9 8 7 6'>", "<html data-cetr='2 9 9 9 9'>", ">", "text", "&", "<x-y>"),
    *(" class='a&amp;b'", "<p id=a data-cetr='-' data-cetr='1 2 3 4'>", "<image data-cetr=x>"),
)


def read(html: str) -> list[object]:
    """Read the stamps of a page with both implementations."""
    found, plain = loops.read_stamps(html), _numpy.read_stamps(html)
    columns = [
        [one.tags.tolist(), one.boxes.tolist(), one.unseen, one.size] for one in (found, plain)
    ]
    assert columns[0] == columns[1]
    assert (found.tags.dtype, found.boxes.dtype) == (plain.tags.dtype, plain.boxes.dtype)
    return columns[0]


def test_stamps_are_read_with_the_tags_of_a_page() -> None:
    html = (
        "<html data-cetr='1 80 90 8 9'><p data-cetr='1 2 3 4 t5 n6 f7.5 c00000a'>a<br>"
        "<svg data-cetr='5 6 7 8'><path></svg></p><b id=c data-cetr='-'>d</b>"
    )
    tags, boxes, unseen, size = read(html)
    paragraph, bold, page = (ELEMENT_CODES[name] for name in ("p", "b", "html"))
    assert tags == [page, paragraph, LINE_BREAK, -paragraph, bold, -bold]
    assert boxes == [
        [1, paragraph, False, 1, 2, 3, 4, 5, 6, 75, 10, 0],
        [3, HIDDEN, True, 5, 6, 7, 8, 0, 0, -1, -1, 0],
    ]
    assert unseen == [(4, {"id": "c", "data-cetr": "-"})]
    assert size == (80, 90)


@pytest.mark.parametrize("stamp", STAMPS)
# Python holds characters in one byte, two or four, whatever the largest of a text needs.
@pytest.mark.parametrize("widest", ["", "中", "👍"])
def test_stamps_of_any_form_are_read_the_same(stamp: str, widest: str) -> None:
    for name in ("p", "html", "svg"):
        read(f'<{name} data-cetr="{stamp}">{widest}')
        read(f"{widest}<{name} data-cetr='{stamp}{widest}'>")


@given(st.text("0123456789 -.tnfch", max_size=30))
def test_random_stamps_are_read_the_same(stamp: str) -> None:
    _, boxes, _, _ = read(f"<p data-cetr='{stamp}'>")
    numbers = stamp_numbers(stamp)
    assert boxes == ([] if numbers is None else [[0, ELEMENT_CODES["p"], 0, *numbers]])


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_stamps_anywhere_are_read_the_same(html: str) -> None:
    read(html)


@pytest.mark.parametrize("trap", sorted(TRAPS))
def test_tags_of_hostile_pages_are_read_the_same(trap: str) -> None:
    read(hostile_page(trap, 5_000).replace(">", ' data-cetr="1 2 3 4 h">'))


def test_stamps_of_whole_pages_are_read_the_same() -> None:
    assert read(newspaper())[1]
    assert not read(ARTICLE)[1]


@given(st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 99))))
def test_numbers_are_filled_in_from_parents(nodes: list[tuple[int, int]]) -> None:
    numbers = np.array([number for number, _ in nodes], np.int32)
    parent = np.array([min(above, node - 1) for node, (_, above) in enumerate(nodes)], np.int32)
    found = loops.numbers_from_parents(numbers, parent)
    assert found.dtype == np.int32
    assert found.tolist() == _numpy.numbers_from_parents(numbers, parent).tolist()
    for node, number in enumerate(numbers.tolist()):
        above = found[parent[node]] if parent[node] >= 0 else 0
        assert found[node] == (above if number == -1 else number)


def test_numbers_come_from_nodes_before() -> None:
    compiled = pytest.importorskip("scrapy_cetr.extraction.loops._cython")
    with pytest.raises(ValueError, match="2 numbers of 1 nodes"):
        compiled.numbers_from_parents(np.zeros(2, np.int32), np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="node 0 comes before its parent 0"):
        compiled.numbers_from_parents(np.zeros(1, np.int32), np.zeros(1, np.int32))
