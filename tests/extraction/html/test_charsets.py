"""Forty charsets, declared, undeclared and wrongly declared, beside Scrapy's own decoding."""

import pytest

from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.responses import page_html
from testkit.charsets import CHARSETS, WAYS, by_scrapy

# How many of them come out right, at the least, if nothing on the page tells them apart.
LEAST = {"undeclared": 38, "header says utf-8": 37, "page says utf-8": 37}


@pytest.mark.parametrize("way", WAYS)
def test_a_page_is_decoded_at_least_as_often_as_by_scrapy(way: str) -> None:
    pages = [WAYS[way](charset) for charset in CHARSETS]
    right = sum(page.text in page_html(page.response) for page in pages)
    assert len(pages) >= 40
    assert right >= sum(map(by_scrapy, pages))
    assert right >= LEAST.get(way, 0)


@pytest.mark.parametrize("way", ["declared in the header", "declared in the page"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_declared_charset_is_right(charset: str, way: str) -> None:
    page = WAYS[way](charset)
    assert page.text in page_html(page.response)


@pytest.mark.parametrize("charset", ["cp037", "cp65001", "macabre", "cp99999", "mac-rom\xe4n"])
def test_an_old_charset_that_cannot_be_meant_is_not_believed(charset: str) -> None:
    assert decode(f"<meta charset={charset}><p>Größe".encode()).endswith("Größe")
