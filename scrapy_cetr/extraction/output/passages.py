"""The kept parts of a page's text, and the links in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints, closed
from scrapy_cetr.extraction.elements import LINK, VOID
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.page.page import Page

_IS_VOID = np.zeros(256, np.bool_)
_IS_VOID[sorted(VOID)] = True


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


def hrefs_of(page: DetailedPage, nodes: Ints) -> dict[int, str]:
    """Return the hrefs of the links among some elements, given by ascending indices."""
    starts = np.count_nonzero((page.tags > 0) & ~_IS_VOID[page.tags])
    if starts != len(page.nodes):
        # A page nested deeper than any browser goes has nodes for some tags only.
        return {}
    links = nodes[page.nodes.tag[nodes] == LINK]
    values = page.values(page.tagged_nodes.first_tag[links], "href")
    return {node: href for node, (_, (href,)) in zip(links.tolist(), values, strict=True) if href}


def in_passages(offsets: Ints, kept: Passages) -> Bools:
    """Tell which offsets are inside of the kept passages."""
    passage = np.searchsorted(kept.end, offsets, side="right")
    inside = passage < len(kept.begin)
    inside[inside] = kept.begin[passage[inside]] <= offsets[inside]
    return inside
