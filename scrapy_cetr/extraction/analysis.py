"""A page with everything that a method says of it, for those who ask why."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

import numpy as np

from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import BREAK_STRENGTHS, ELEMENT_NAMES, ITEM
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods import METHODS, Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.characters import INVISIBLES
from scrapy_cetr.extraction.page.page import Page

_SEPARATORS = ("", " ", "\n", "\n", "\n")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Judged:
    """A page, the verdict of a method on its rows, and the article that came of it.

    ``keep`` tells which rows are in the article; ``cetr`` is the verdict of CETR in any case.
    """

    page: Page
    options: Options
    verdict: Verdict
    keep: Bools
    cetr: Verdict
    article: Article


def judge(html: str | bytes, *, url: str | None, options: Options) -> Judged:
    """Do what extract() does, and keep what it forgets."""
    text = decode(html) if isinstance(html, bytes) else html
    page = read(text[: options.max_size], rows=options.rows, with_class_names=True)
    verdict = METHODS[options.method](page, options)
    keep = verdict.keep & ~page.rows.broken
    return Judged(
        page=page,
        options=options,
        verdict=verdict,
        keep=keep,
        cetr=verdict if options.method == "cetr" else METHODS["cetr"](page, options),
        article=extract_article(text, url=url, options=options),
    )


def with_method(options: Options, method: str) -> Options:
    """Choose another method for the same options."""
    return replace(options, method=method)


def row_texts(page: Page, *, longest: int, count: int | None = None) -> list[str]:
    r"""Write each row by itself, a line break where the page has one, up to so many characters.

    >>> row_texts(read("<p>It  was<br>a long day.<p>", rows="blocks"), longest=10)
    ['It was\na l…', '']
    """
    cuts, strengths = page.breaks.offset.tolist(), page.breaks.strength.tolist()
    written = []
    starts, ends = page.rows.start[:count].tolist(), page.rows.end[:count].tolist()
    for begin, end in zip(starts, ends, strict=True):
        first, behind = bisect_right(cuts, begin), bisect_left(cuts, end)
        row, place = "", begin
        for cut, strength in zip(cuts[first:behind], strengths[first:behind], strict=True):
            if len(row) > longest:
                break
            row += page.text[place : min(cut, place + 2 * longest)] + _SEPARATORS[strength]
            place = cut
        else:
            row += page.text[place : min(end, place + 2 * longest)]
        row = "\n".join(" ".join(line.split()) for line in INVISIBLES.sub("", row).split("\n"))
        row = row.strip("\n")
        written.append(row if len(row) <= longest else f"{row[:longest]}…")
    return written


def row_elements(page: Page) -> list[str]:
    """Name the element that each row's text begins in, "" if it goes on behind the end of one.

    >>> row_elements(read("<ul><li>One</ul>Two", rows="blocks"))
    ['', 'li', '']
    """
    dividing = np.flatnonzero(BREAK_STRENGTHS[np.abs(page.tags)] >= ITEM)
    # The last that divides before the row's text: all of those in one place have no text between.
    last = np.searchsorted(page.tag_offset[dividing], page.rows.start, side="right") - 1
    codes = np.append(page.tags[dividing], np.int8(0))[last]
    codes = np.where(page.rows.chars > 0, codes, 0)
    return [ELEMENT_NAMES[code] if code > 0 else "" for code in codes.tolist()]
