"""Kept rows in, words for people out."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.characters import CONTROL, Small, single_spaced
from scrapy_cetr.extraction.markup import BLOCK
from scrapy_cetr.extraction.page import Bools, Ints, Page, strongest_between

# So many pieces are written in one go, to bound the memory that they take.
_AT_ONCE = 1 << 16
# What stands between two pieces of text for each role of a break between them.
_SEPARATORS = ("", " ", "\n", "\n", "\n\n")


def render_text(page: Page, keep: Bools) -> str:
    """Write the kept rows as paragraphs, with a blank line between."""
    text = page.text
    begins, ends, roles = _filled_pieces(page, keep)
    written: list[str] = []
    strongest = BLOCK
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
    """Leave out pieces of white space alone, and take the breaks around each together."""
    begins, ends, roles = _pieces(page, keep)
    filled = np.flatnonzero(strongest_between(page.kinds, begins, ends) > CONTROL)
    roles = np.maximum.reduceat(roles, filled) if len(filled) else roles[filled]
    return begins[filled], ends[filled], roles


def _pieces(page: Page, keep: Bools) -> tuple[Ints, Ints, Small]:
    """Cut the kept text at its breaks: begin and end of each piece, and the break behind it."""
    dropped = np.flatnonzero(~keep & (page.rows.chars > 0))
    begins = np.append(np.int32(0), page.rows.end[dropped])
    ends = np.append(page.rows.start[dropped], np.int32(len(page.text)))
    filled = np.flatnonzero(begins < ends)
    begins, ends = begins[filled], ends[filled]
    cuts, roles = page.breaks.offset, page.breaks.role
    begin_of = np.append(begins, np.int32(len(page.text)))
    passages = np.diff(np.searchsorted(cuts, ends), prepend=0, append=len(cuts))
    inside = cuts > np.repeat(begin_of, passages)
    cuts, roles = cuts[inside], roles[inside]
    # The ends of passages are cuts too, each behind the cuts before it.
    place = np.searchsorted(cuts, ends, side="right") + np.arange(len(ends))
    is_cut = np.ones(len(cuts) + len(ends), np.bool_)
    is_cut[place] = False
    all_cuts, all_roles = np.empty(len(is_cut), np.int32), np.full(len(is_cut), BLOCK, np.uint8)
    all_cuts[place], all_cuts[is_cut], all_roles[is_cut] = ends, cuts, roles
    cuts, roles = all_cuts, all_roles
    starts = np.append(np.int32(0), cuts[:-1])[: len(cuts)]
    pieces = np.diff(np.searchsorted(cuts, ends, side="right"), prepend=0)
    return np.maximum(starts, np.repeat(begins, pieces), out=starts), cuts, roles
