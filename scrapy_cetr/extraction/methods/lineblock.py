"""Line-Block: neighbouring lines with text, judged by tags, links and the words of the title.

Pan Ei San, Nilar Aye: Main Content Extraction from Dynamic Web Pages. University of Computer
Studies, Yangon. Rows stand for the paper's lines. All columns below have one element per row: the
value of the line block that the row belongs to.
"""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Ints
from scrapy_cetr.extraction.methods.spans import linked, sum_by_group
from scrapy_cetr.extraction.methods.verdict import Verdict, make_verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.characters import CONTROL
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.words import words_by_row, words_of


def lineblock(page: Page, options: Options) -> Verdict:
    """Keep line blocks with few links and with few tags or words of the title (step 4)."""
    block = line_blocks(page)
    shown = page.kinds > CONTROL
    anchor_text = _sums(block, page.count_by_row(shown & linked(page)))
    tags = np.maximum(_sums(block, page.rows.tags), 1)
    ttr = _sums(block, page.rows.chars) / tags  # (1)
    attr = anchor_text / np.maximum(_sums(block, page.count_by_row(shown)), 1)  # (2)
    tkd = _sums(block, title_keywords(page))
    least_ttr = _least_ttr(page, block, ttr, options)
    most_attr, least_tkd = options.lineblock_attr, options.lineblock_tkd
    keep = (attr < most_attr) & ((ttr > least_ttr) | (tkd >= least_tkd))
    above = np.maximum(
        (ttr - least_ttr) / max(least_ttr, 1.0), (tkd - least_tkd) / max(least_tkd, 1)
    )
    score = np.minimum(above, most_attr - attr)
    return make_verdict(page, score, keep, block=block, ttr=ttr, attr=attr, tkd=tkd)


def line_blocks(page: Page) -> Ints:
    """Number the line blocks: a run of rows with text, or a single row without."""
    filled = _with_text(page)
    begins = np.ones(len(filled), np.bool_)
    begins[1:] = ~(filled[1:] & filled[:-1])
    return np.cumsum(begins, dtype=np.int32) - 1


def title_keywords(page: Page) -> Ints:
    """Count the words of each row that are words of the title."""
    keywords = frozenset(words_of(page.title))
    counts = [0] * len(page.rows)
    for row, words in words_by_row(page) if keywords else ():
        counts[row] += sum(map(keywords.__contains__, words))
    return np.array(counts, np.int32)


def _least_ttr(page: Page, block: Ints, ttr: Floats, options: Options) -> float:
    """Return the threshold as given, or τ = λσ over the line blocks with text."""
    if options.lineblock_ttr != "std":
        return float(options.lineblock_ttr)
    filled = np.flatnonzero(_with_text(page))
    _, first = np.unique(block[filled], return_index=True)
    return options.lam * float(ttr[filled[first]].std()) if len(first) else 0.0


def _with_text(page: Page) -> Bools:
    return (page.rows.chars > 0) & ~page.rows.broken


def _sums(block: Ints, values: Ints) -> Floats:
    """Return for each row the sum of the values in its line block."""
    return sum_by_group(block, values, len(block))[block]
