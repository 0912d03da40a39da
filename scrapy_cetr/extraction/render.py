"""Kept rows in, words for people out."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.characters import CONTROL, Small, single_spaced
from scrapy_cetr.extraction.markup import BLOCK, INLINE
from scrapy_cetr.extraction.page import (
    Bools,
    Ints,
    Page,
    Places,
    places_of_flags,
    strongest_in,
)

# So many pieces are written in one go, to bound the memory that they take.
_AT_ONCE = 1 << 16
# What stands between two pieces of text for each role of a break between them.
_SEPARATORS = ("", " ", "\n", "\n", "\n\n")


def render_text(page: Page, keep: Bools) -> str:
    """Write the kept rows as paragraphs, with a blank line between."""
    text = page.text
    begins, ends, roles = _filled_pieces(page, keep)
    written: list[str] = []
    strongest = INLINE
    for first in range(0, len(begins), _AT_ONCE):
        now = slice(first, first + _AT_ONCE)
        columns = (begins[now].tolist(), ends[now].tolist(), roles[now].tolist())
        pieces: list[str] = []
        for begin, end, role in zip(*columns, strict=True):
            piece = text[begin:end].strip()
            # Most pieces are in order: of all white space, only the space is printable.
            if "  " in piece or not piece.isprintable():
                piece = single_spaced(piece)
            if piece:
                pieces += (_SEPARATORS[strongest], piece)
                strongest = role
            elif role > strongest:
                strongest = role
        written.append("".join(pieces))
    return "".join(written).lstrip("\n")


def _filled_pieces(page: Page, keep: Bools) -> tuple[Ints, Ints, Small]:
    """Cut the kept text at its breaks: begin and end of each piece, and the break behind it.

    Pieces of white space alone are left out, and the breaks around them taken together.
    """
    dropped = np.flatnonzero(~keep & (page.rows.chars > 0))
    bounds = np.concatenate((page.rows.start[dropped], page.rows.end[dropped]))
    edges, roles, places = _edges(page, bounds)
    # Not even where a line or an item of a list is left out, is what is around it one paragraph.
    roles[places] = BLOCK
    change = np.zeros(len(edges), np.int8)
    change[places[: len(dropped)]] = 1
    change[places[len(dropped) :]] -= 1
    written = np.cumsum(change, dtype=np.int8)[:-1] == 0
    written &= strongest_in(page.kinds, edges) > CONTROL
    pieces = places_of_flags(written)
    roles = strongest_in(roles[1:], np.append(pieces, np.int32(len(written))))
    return edges[pieces], edges[1:][pieces], roles


def _edges(page: Page, bounds: Ints) -> tuple[Ints, Small, Places]:
    """Give the ends of all pieces, the breaks at them, and which of them the given places are."""
    breaks = page.breaks
    edges = np.empty(len(breaks.offset) + 2, np.int32)
    edges[0], edges[1:-1], edges[-1] = 0, breaks.offset, len(page.text)
    roles = np.empty(len(edges), np.uint8)
    roles[0], roles[1:-1], roles[-1] = BLOCK, breaks.role, BLOCK
    places = np.searchsorted(edges, bounds)
    # Blocks end at breaks, lines need not.
    others = bounds[edges[places] != bounds]
    if len(others):
        others = np.unique(others)
        at = np.searchsorted(edges, others)
        edges, roles = np.insert(edges, at, others), np.insert(roles, at, BLOCK)
        places = np.searchsorted(edges, bounds)
    return edges, roles, places
