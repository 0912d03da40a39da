"""Forty charsets, declared, undeclared and wrongly declared, compared with Scrapy's decoding."""

import pytest

from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.responses import page_html
from testkit.charsets import CHARSETS, WAYS, by_scrapy

# The least number of charsets decoded correctly if the declaration is missing or wrong.
LEAST = {"undeclared": 38, "header says utf-8": 37, "page says utf-8": 37}


@pytest.mark.parametrize("way", WAYS)
def test_page_html_decodes_at_least_as_many_charsets_as_scrapy(way: str) -> None:
    pages = [WAYS[way](charset) for charset in CHARSETS]
    right = sum(page.text in page_html(page.response) for page in pages)
    assert len(pages) >= 40
    assert right >= sum(map(by_scrapy, pages))
    assert right >= LEAST.get(way, 0)


@pytest.mark.parametrize("way", ["declared in the header", "declared in the page"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_page_html_decodes_every_declared_charset(charset: str, way: str) -> None:
    page = WAYS[way](charset)
    assert page.text in page_html(page.response)


@pytest.mark.parametrize("charset", ["cp037", "cp65001", "macabre", "cp99999", "mac-rom\xe4n"])
def test_decode_ignores_legacy_charsets_that_disagree_with_ascii(charset: str) -> None:
    assert decode(f"<meta charset={charset}><p>Größe".encode()).endswith("Größe")
