"""The elements that are made from tags."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.loops import _numpy

NAMES = (
    *("p", "div", "li", "ul", "td", "tr", "table", "hr", "b", "br"),
    *("option", "optgroup", "dt", "dd", "dl", "a", "img"),
)
CODES = st.sampled_from([sign * ELEMENT_CODES[name] for name in NAMES for sign in (1, -1)])


@given(st.lists(CODES, max_size=60), st.booleans(), st.sampled_from((2, 5, 512)))
def test_both_implementations_pair_tags_alike(codes: list[int], rooted: bool, deepest: int) -> None:
    tags, near = np.array(codes, np.int8), np.ones(len(codes), np.bool_)
    found = loops.pair_tags(tags, near, rooted, deepest)
    plain = _numpy.pair_tags(tags, near, rooted, deepest)
    assert [column.tolist() for column in found] == [column.tolist() for column in plain]


def test_an_item_ends_the_item_before_it() -> None:
    ul, li = ELEMENT_CODES["ul"], ELEMENT_CODES["li"]
    tags = np.array([ul, li, li, -ul], np.int8)
    first, last, parent = loops.pair_tags(tags, np.ones(4, np.bool_), False, 512)
    assert (first.tolist(), last.tolist(), parent.tolist()) == ([0, 1, 2], [3, 2, 3], [-1, 0, 0])


def test_tags_and_flags_need_the_same_length() -> None:
    with pytest.raises((ValueError, IndexError)):
        loops.pair_tags(np.ones(2, np.int8), np.ones(3, np.bool_), False, 512)
