"""Forged stamps: no page raises, and its work grows with its size at most."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest

from scrapy_cetr.extraction import extract, loops
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.clg.method import clg
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.layout import MAX_ELEMENTS
from testkit.forged import FORGED
from testkit.timing import in_time

# What has no layout: too many elements, or a tag that nothing closes.
UNREAD = ("too many elements", "many numbers", "stamps of one tag", "unclosed stamps")


@pytest.mark.parametrize("method", ["clg", "learned"])
@pytest.mark.parametrize("trap", sorted(FORGED))
def test_page_with_forged_stamps_has_text(trap: str, method: str) -> None:
    article = extract(FORGED[trap](30_000), method=method)
    assert isinstance(article.text, str)
    assert "data-cetr" not in article.html


@pytest.mark.parametrize("trap", sorted(FORGED.keys() - {*UNREAD}))
def test_forged_stamps_are_read(trap: str) -> None:
    assert read(FORGED[trap](30_000), rows="blocks", with_stamps=True).layout is not None


def judge(html: str) -> Callable[[], object]:
    page = read(html, rows="blocks", with_class_names=True, with_stamps=True)
    return lambda: clg(page, Options(method="clg"))


@pytest.mark.parametrize("trap", sorted(FORGED))
def test_page_with_forged_stamps_is_judged_in_time(trap: str) -> None:
    in_time(3, judge(FORGED[trap](300_000)))


def test_time_does_not_grow_with_pictures_times_boxes() -> None:
    # Looking through all pictures for those of each box would take a second.
    in_time(0.5, judge(FORGED["pictures beside boxes"](4_000_000)))


@pytest.mark.parametrize("trap", sorted(FORGED))
def test_number_of_rectangles_that_are_added_up_is_limited(trap: str) -> None:
    sizes: list[int] = []
    union_area = loops.union_area

    def union(corners: Floats) -> float:
        sizes.append(corners.shape[1])
        return union_area(corners)

    with patch.object(loops, "union_area", union):
        judge(FORGED[trap](300_000))()
    # Two times the limit, and each element once.
    assert sum(sizes) <= 2 * 50_000 + MAX_ELEMENTS
