"""The end tags of elements."""

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.elements import ELEMENT_CODES

DIV, SPAN, LI = (ELEMENT_CODES[name] for name in ("div", "span", "li"))


def closing(*tags: int) -> list[int]:
    column = np.array(tags, np.int8)
    starts = np.flatnonzero(column > 0).astype(np.int32)
    found: list[int] = loops.closing_tags(column, starts).tolist()
    return found


def test_end_tag_closes_the_innermost_element_of_its_name() -> None:
    assert closing(DIV, SPAN, DIV, -DIV, -SPAN, -DIV) == [5, 4, 3]


def test_element_that_is_never_closed_has_no_end_tag() -> None:
    assert closing(SPAN, DIV, -DIV) == [-1, 2]
    assert closing(-DIV, DIV) == [-1]
    assert closing() == []


def test_end_tag_counts_only_if_the_containers_inside_are_closed() -> None:
    # <div><span></div><div></span></div>
    assert closing(DIV, SPAN, -DIV, DIV, -SPAN, -DIV) == [2, 4, 5]
    assert closing(SPAN, DIV, -SPAN) == [-1, -1]
    # The end tags of list items are optional.
    assert closing(SPAN, LI, LI, -SPAN) == [3, -1, -1]


def test_start_without_tags_is_an_error_or_none() -> None:
    assert loops.closing_tags(np.zeros(0, np.int8), np.zeros(0, np.int32)).tolist() == []
