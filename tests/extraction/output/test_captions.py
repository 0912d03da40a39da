"""Captions, which belong to an article but not to its body."""

from scrapy_cetr import extract
from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.output.captions import caption_rows
from scrapy_cetr.extraction.output.tree import Tree

STORY = "<p>It rained all day, and by night the river stood in the streets of the old town.</p>" * 6


def test_captions_are_found_between_beginning_and_end_of_the_article() -> None:
    figure = (
        "<figure><img src=/{0}.png><figcaption>A {0}, <b>seen</b> from above</figcaption></figure>"
    )
    html = f"{STORY}{figure.format('boat')}{STORY}{figure.format('bridge')}{STORY}"
    assert extract(html).captions == ("A boat, seen from above", "A bridge, seen from above")
    assert extract(STORY).captions == ()


def test_caption_rows_are_marked() -> None:
    page = read_details(
        "<p>One</p><figure><img src=a.jpg><figcaption>Two</figcaption></figure>"
        "<div class=photo><img src=b.jpg><p class=image-caption>Three</p></div>"
        "<table><caption>Four</caption><tr><td>Five</table>"
    )
    marked = [
        page.text[page.rows.start[row] : page.rows.end[row]]
        for row in caption_rows(Tree(page)).nonzero()[0]
    ]
    assert marked == ["Two", "Three"]
