"""The method as a whole: a layout with an article, pages without stamps, hostile pages."""

from __future__ import annotations

import logging
import re
from itertools import count
from time import process_time

import pytest

from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.clg.features import FEATURES
from scrapy_cetr.extraction.methods.clg.method import _say_that_stamps_are_missing
from scrapy_cetr.extraction.methods.clg.weights import load_weights, read_weights, write_weights
from testkit.hostile import TRAPS, hostile_page
from testkit.layouts import newspaper
from testkit.server import SENTENCES, TEXT, page

ROOT = '<html data-cetr="1 1000 1000 1000 720">'


def test_article_of_a_layout_is_extracted_with_its_title() -> None:
    parts = ("headline", "paragraph", "lead")
    article = extract(newspaper(), method="clg", parts=parts)
    assert article.method == "clg"
    assert article.text.startswith("Flood in the old town")
    assert article.text.count(SENTENCES[2]) == 3
    assert "Section" not in article.text
    assert "rights" not in article.text


def test_page_without_stamps_is_extracted_by_learned_and_this_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    _say_that_stamps_are_missing.cache_clear()
    with caplog.at_level(logging.WARNING, "scrapy_cetr"):
        found = [extract(page(), method="clg") for _ in range(3)]
    assert {article.text for article in found} == {TEXT}
    assert {article.method for article in found} == {"learned"}
    assert found[0].probability == extract(page()).probability
    (record,) = caplog.records
    assert "CETR_RENDERED" in record.getMessage()


def test_page_that_shows_nothing_has_no_text() -> None:
    html = f'{ROOT}<body data-cetr="0 0 0 0"><p>Nothing is shown.</p></body></html>'
    assert isinstance(extract(html, method="clg").text, str)


def forged(html: str) -> str:
    """Give a hostile page stamps that disagree, as many as there is a place for."""
    number = count()

    def stamp(_: re.Match[str]) -> str:
        n = next(number)
        box = f"{n * 37 % 900 - 50} {n * 61 % 5000 - 50} {n * 13 % 1200} {n * 7 % 800}"
        return f' data-cetr="{box} t{n * 11 % 9999} n{n % 97} f{1 + n % 30} c{n % 4096:06x}">'

    return ROOT + re.sub(">", stamp, html)


# 200,000 characters are up to 66,000 elements, which are too many for the stamps to be read.
@pytest.mark.parametrize(
    ("method", "size"), [("clg", 200_000), ("clg", 40_000), ("learned", 40_000)]
)
@pytest.mark.parametrize("trap", sorted(TRAPS))
def test_forged_stamps_neither_raise_nor_take_long(trap: str, method: str, size: int) -> None:
    html = forged(hostile_page(trap, size))
    began = process_time()
    assert isinstance(extract(html, method=method).text, str)
    assert process_time() - began < 3


def test_most_forged_pages_are_read_with_their_stamps() -> None:
    pages = [forged(hostile_page(trap, 20_000)) for trap in [*TRAPS][::3]]
    layouts = [read(html, rows="blocks", with_stamps=True).layout for html in pages]
    assert sum(layout is not None for layout in layouts) > len(pages) / 2


def test_nested_boxes_that_stick_out_of_each_other_do_not_take_long() -> None:
    # Each rectangle is beside the one around it, at the greatest depth, many times over.
    deep = "".join(f'<div data-cetr="{n} {n} 10 10">' for n in range(400))
    html = f"{ROOT}<body>{(deep + 'x' + '</div>' * 400) * 45}</body></html>"
    began = process_time()
    extract(html, method="clg")
    assert process_time() - began < 3


def test_weights_have_the_features_of_the_code() -> None:
    weights = load_weights()
    assert tuple(weights.features) == FEATURES
    assert write_weights(read_weights(write_weights(weights))) == write_weights(weights)
    assert 0 < weights.perfect.area < 1
