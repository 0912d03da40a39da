"""Data tables are kept as a whole."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.outline import data_tables
from scrapy_cetr.extraction.page.page import Page

_TABLE = ELEMENT_CODES["table"]
# All rows of a table are kept if those kept have at least this share of its characters.
_MIN_KEPT_SHARE = 0.5


def with_whole_tables(page: Page, keep: Bools) -> Bools:
    """Keep all rows of data tables of which most is kept: a cell alone says little."""
    if not (page.tags == _TABLE).any():
        return keep
    rows = page.rows
    kept = np.flatnonzero(keep)
    whole = keep
    for begin, end in data_tables(page, rows.start[kept]):
        inside = slice(np.searchsorted(rows.start, begin), np.searchsorted(rows.start, end))
        chars = rows.chars[inside]
        if chars[keep[inside]].sum() >= _MIN_KEPT_SHARE * chars.sum() and not keep[inside].all():
            if whole is keep:
                whole = keep.copy()
            whole[inside] = (chars > 0) & ~rows.broken[inside]
    return whole
