"""The pieces of the kept text, in steps of numpy."""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.columns import Indices, Ints, UInt8s
from scrapy_cetr.extraction.loops._numpy_columns import strongest_between


def kept_pieces(
    kinds: UInt8s,
    edges: Ints,
    strengths: UInt8s,
    starts: Ints,
    ends: Ints,
    gap: int,
    last_unseen: int,
) -> tuple[Ints, Ints, UInt8s]:
    """Cut a text at edges with strengths; return begins, ends and the break after each piece.

    Dropped rows, given in order by ``starts`` and ``ends``, are left out, with a ``gap`` on both
    sides. Pieces without characters of kinds above ``last_unseen`` are left out, too; the strongest
    of the breaks around them counts. The first piece is empty, and carries the break before the
    others.
    """
    bounds = np.concatenate((starts, ends))
    edges, strengths, indices = _with_bounds(edges, strengths, bounds, gap)
    change = np.zeros(len(edges), np.int8)
    change[indices[: len(starts)]] = 1
    change[indices[len(starts) :]] -= 1
    written = np.cumsum(change, dtype=np.int8)[:-1] == 0
    written &= strongest_between(kinds, edges) > last_unseen
    filled = np.flatnonzero(written)
    after = np.zeros(len(filled) + 2, np.int32)
    after[1:-1] = filled + 1
    after[-1] = len(edges)
    piece_begins, piece_ends = edges[after[:-1] - 1], edges[after[:-1]]
    piece_begins[0] = piece_ends[0]
    return piece_begins, piece_ends, strongest_between(strengths, after)


def _with_bounds(
    edges: Ints, strengths: UInt8s, bounds: Ints, gap: int
) -> tuple[Ints, UInt8s, Indices]:
    """Add the bounds of dropped rows to the edges; return also the indices of these."""
    indices = np.searchsorted(edges, bounds)
    # Blocks end at breaks, lines need not.
    others = bounds[edges[indices] != bounds]
    if len(others):
        others = np.unique(others)
        at = np.searchsorted(edges, others)
        edges, strengths = np.insert(edges, at, others), np.insert(strengths, at, gap)
        indices = np.searchsorted(edges, bounds)
    # The text before and after a dropped row is never one paragraph.
    strengths[indices] = gap
    return edges, strengths, indices
