"""The number of charsets that are decoded correctly, compared with Scrapy's own decoding."""

from __future__ import annotations

from benchmarks.table import Table
from scrapy_cetr.responses import page_html
from testkit.charsets import CHARSETS, WAYS, by_scrapy


def encodings_table() -> Table:
    """Count the charsets that are decoded correctly, for each way to declare them."""
    rows = []
    for way, encode in WAYS.items():
        pages = {charset: encode(charset) for charset in CHARSETS}
        scrapy = [charset for charset, page in pages.items() if by_scrapy(page)]
        ours = [name for name, page in pages.items() if page.text in page_html(page.response)]
        lost = sorted(set(scrapy) - set(ours))
        rows.append([way, str(len(pages)), str(len(scrapy)), str(len(ours)), ", ".join(lost)])
    headers = (
        "charset",
        "pages",
        "right with Scrapy",
        "right with scrapy-cetr",
        "only with Scrapy",
    )
    return Table(headers, rows, name_columns=1)
