"""Hostile lists, tables and code: all formats are written in linear time and size."""

import pytest

from scrapy_cetr.extraction.output.html import write_html
from scrapy_cetr.extraction.output.markdown import write_markdown
from testkit.formats import blocks_of, text_of
from testkit.timing import in_time

COUNT = 1500
PAGES = {
    "spans": "<table>" + "<tr><td colspan=1000 rowspan=65534>x<td colspan=99>y" * COUNT,
    "one wide row": f"<table><tr>{'<td>x' * COUNT}{'<tr><td>y<td>z' * COUNT}",
    "links in items": "<li><a href=/x>x</a>" * COUNT,
    "numbered items": "<ol>" + "<li>x" * COUNT,
    "items with values": "<ol reversed>" + "<li value=5>x" * COUNT,
    "nested lists": "<ol start=9><li>x" * COUNT,
    "nested tables": "<table><tr><td>x<td>y" * COUNT,
    "tables": "<table><tr><td>1<td>a<tr><td>2<td>b</table>" * COUNT,
    "code in tables": "<table><tr><td>1<td><pre>x</pre><tr><td>2<td><code>y</table>" * COUNT,
    "lines of code": "<pre>" + "  x\n" * COUNT,
    "definitions": "<dl>" + "<dt>x<dd>y" * COUNT,
    "quotations": "<blockquote>x" * COUNT,
    "paragraphs": "<p>x" * COUNT,
    "line breaks": "x<br>" * COUNT,
}
SECONDS = 3
# The written page has at most this number of characters per character of the page.
GROWTH = 12


@pytest.mark.parametrize("name", PAGES)
def test_hostile_structure_is_written_in_linear_time_and_size(name: str) -> None:
    page = PAGES[name]

    def write() -> list[str]:
        blocks = blocks_of(page)
        return [text_of(page), write_markdown(blocks), write_html(blocks)]

    assert all(0 < len(one) < GROWTH * len(page) for one in in_time(SECONDS, write))
