"""An Article, and extract(): the one place where reading, judging and writing come together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrapy_cetr.extraction.characters import count_words
from scrapy_cetr.extraction.decoding import decode
from scrapy_cetr.extraction.methods import LABELLED, METHODS
from scrapy_cetr.extraction.options import Options, make_options
from scrapy_cetr.extraction.reader import read
from scrapy_cetr.extraction.render import render_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a page is about: its text without what surrounds it.

    ``page_chars`` counts the characters on the whole page; a ``short`` article has fewer words
    than the option min_words, and of a ``truncated`` page only max_size characters were read.
    """

    text: str = ""
    url: str | None = None
    method: str
    page_chars: int = 0
    short: bool = False
    truncated: bool = False

    @property
    def words(self) -> int:
        """The number of words in the text; each ideograph counts as one."""
        return count_words(self.text)


def extract(html: str | bytes, *, url: str | None = None, **options: Any) -> Article:
    r"""Extract the article of a page; the keyword options are the fields of Options.

    >>> extract("<h1>Harbour</h1><p>It was a long day,<br>and nobody went home.</p>").text
    'Harbour\n\nIt was a long day,\nand nobody went home.'
    """
    return extract_article(html, url=url, options=make_options(options))


def extract_article(html: str | bytes, *, url: str | None, options: Options) -> Article:
    """Extract the article of a page with options that are checked already."""
    if isinstance(html, bytes):
        html = decode(html)
    elif not isinstance(html, str):
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}")
    page = read(html[: options.max_size], rows=options.rows, labelled=options.method in LABELLED)
    keep = METHODS[options.method](page, options).keep & ~page.rows.broken
    text = render_text(page, keep)
    return Article(
        text=text,
        url=url,
        method=options.method,
        page_chars=int(page.rows.chars.sum()),
        short=options.min_words > 0 and count_words(text) < options.min_words,
        truncated=len(html) > options.max_size,
    )
