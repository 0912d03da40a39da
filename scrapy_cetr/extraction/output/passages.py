"""The kept parts of a page's text, and the links in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints, closed
from scrapy_cetr.extraction.elements import LINK, VOID
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.page.page import Page

_VOID = np.array(sorted(VOID), np.int8)


class Passages(NamedTuple):
    """The kept parts of a page's text, in order: the offset where each begins and ends."""

    begin: Ints
    end: Ints


def passages(page: Page, keep: Bools) -> Passages:
    """Return the passages between the dropped rows; rows without text divide nothing."""
    dropped = np.flatnonzero(~keep & (page.rows.chars > 0))
    begin = np.zeros(len(dropped) + 1, np.int32)
    begin[1:] = page.rows.end[dropped]
    end = closed(page.rows.start[dropped], len(page.text))
    filled = np.flatnonzero(begin < end)
    return Passages(begin[filled], end[filled])


def hrefs_by_node(page: DetailedPage) -> dict[int, str]:
    """Return the href of each link, by the index of its node."""
    starts = np.flatnonzero((page.tags > 0) & ~np.isin(page.tags, _VOID))
    nodes = page.nodes
    if len(starts) != len(nodes):
        # A page nested deeper than any browser goes has nodes for some tags only.
        return {}
    links = np.flatnonzero(nodes.tag == LINK)
    pairs = zip(links.tolist(), starts[links].tolist(), strict=True)
    return {node: page.hrefs[tag] for node, tag in pairs if tag in page.hrefs}


def in_passages(offsets: Ints, kept: Passages) -> Bools:
    """Tell which offsets are inside of the kept passages."""
    passage = np.searchsorted(kept.end, offsets, side="right")
    inside = passage < len(kept.begin)
    inside[inside] = kept.begin[passage[inside]] <= offsets[inside]
    return inside
