"""The formats of a page of which all or some rows are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.output.blocks import Block
from scrapy_cetr.extraction.output.html import write_html
from scrapy_cetr.extraction.output.markdown import write_markdown
from scrapy_cetr.extraction.output.passages import passages
from scrapy_cetr.extraction.output.structure import body_blocks
from scrapy_cetr.extraction.output.text import write_text
from scrapy_cetr.extraction.page.characters import single_spaced

URL = "https://courier.example/news/harbour"


def text_of(html: str, keep: Sequence[int] | None = None, *, rows: RowKind = "blocks") -> str:
    """Write some rows of a page as text, or all."""
    page = read(html, rows=rows, with_class_names=True)
    return write_text(page, _flags(len(page.rows), keep))


def blocks_of(
    html: str, keep: Sequence[int] | None = None, *, rows: RowKind = "blocks"
) -> list[Block]:
    """Make blocks of some rows of a page, or of all."""
    page = read(html, rows=rows)
    kept = passages(page, _flags(len(page.rows), keep))
    return body_blocks(read_details(html), kept, url=URL)


def markdown_of(html: str, keep: Sequence[int] | None = None) -> str:
    """Write some rows of a page as Markdown, or all."""
    return write_markdown(blocks_of(html, keep))


def html_of(html: str, keep: Sequence[int] | None = None) -> str:
    """Write some rows of a page as HTML, or all."""
    return write_html(blocks_of(html, keep))


def visible_words(html: str) -> list[str]:
    """Return the words that a page shows, without the numbers of list items."""
    page = read(html, rows="blocks")
    offsets = [0, *page.breaks.offset.tolist(), len(page.text)]
    pieces = [single_spaced(page.text[begin:end]) for begin, end in pairwise(offsets)]
    return re.findall(r"\w+", " ".join(pieces))


def _flags(count: int, keep: Sequence[int] | None) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.isin(np.arange(count), range(count) if keep is None else keep)
