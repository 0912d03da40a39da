"""Write the kept rows of a page as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints, UInt8s, chunk_size, chunks
from scrapy_cetr.extraction.elements import BLOCK, GAP, INLINE, SEPARATORS
from scrapy_cetr.extraction.output.code import code_line
from scrapy_cetr.extraction.output.contexts import NOWHERE, contexts_of, separator
from scrapy_cetr.extraction.page.characters import CONTROL, single_spaced, trimmed
from scrapy_cetr.extraction.page.outline import Outline, find_outline
from scrapy_cetr.extraction.page.page import Page

_Pieces = tuple[Ints, Ints, UInt8s]

# A piece takes more memory than a number of a column.
_PIECE_WEIGHT = 4


def write_text(page: Page, keep: Bools) -> str:
    """Write the kept rows as paragraphs with blank lines between them.

    Items of lists have their markers, cells of a table row are on one line, and code keeps its
    indentation.
    """
    parts = list(_filled_pieces(page, keep))
    outline = find_outline(page, np.concatenate([begins for begins, _, _ in parts]))
    if outline.is_plain:
        return _plain_text(page, parts)
    return _structured_text(page, parts, outline)


def _plain_text(page: Page, parts: Iterable[_Pieces]) -> str:
    written: list[str] = []
    strongest = INLINE
    for begins, ends, strengths in parts:
        pieces: list[str] = []
        for piece, strength in zip(_tidied(page, begins, ends), strengths.tolist(), strict=True):
            if piece:
                pieces += (SEPARATORS[strongest], piece)
                strongest = strength
            elif strength > strongest:
                strongest = strength
        written.append("".join(pieces))
    return "".join(written).lstrip("\n")


def _structured_text(page: Page, parts: Iterable[_Pieces], outline: Outline) -> str:
    written: list[str] = []
    contexts = contexts_of(outline)
    last, strongest, done = NOWHERE, INLINE, 0
    begun: set[int] = set()  # the items whose markers are written
    for begins, ends, strengths in parts:
        elements = outline.of_piece[done : done + len(begins)].tolist()
        done += len(begins)
        pieces: list[str] = []
        for index, (piece, strength, element) in enumerate(
            zip(_tidied(page, begins, ends), strengths.tolist(), elements, strict=True)
        ):
            context = contexts[element]
            if piece and context is NOWHERE is last:
                pieces += (SEPARATORS[strongest], piece)
                strongest = strength
            elif piece and not context.is_hidden:
                if context.code >= 0:
                    piece = code_line(page.text[begins[index] : ends[index]])
                is_first = context.item >= 0 and context.item not in begun
                if is_first:
                    _begin_items(context.item, outline, begun)
                pieces += (separator(last, context, strongest, is_first=is_first), piece)
                last, strongest = context, strength
            elif strength > strongest:
                strongest = strength
        written.append("".join(pieces))
    return "".join(written).strip("\n")


def _begin_items(item: int, outline: Outline, begun: set[int]) -> None:
    """Note that an item has begun, and those around it, whose first text it is."""
    while item >= 0 and item not in begun:
        begun.add(item)
        item = outline.parent[item]


def _tidied(page: Page, begins: Ints, ends: Ints) -> list[str]:
    begins, ends = trimmed(page.kinds, begins, ends)
    return loops.tidy_pieces(page.text, begins, ends, single_spaced)


def _filled_pieces(page: Page, keep: Bools) -> Iterator[_Pieces]:
    """Cut the kept text at its breaks; yield begin and end of pieces, and the break after each.

    Blank pieces are left out; the strongest of the breaks around them counts. The first piece of
    each chunk is empty, and carries the break before the others.
    """
    dropped = np.flatnonzero(~keep & (page.rows.chars > 0))
    starts, ends = page.rows.start[dropped], page.rows.end[dropped]
    count = len(page.breaks.offset) + 1
    for chunk in chunks(count, _PIECE_WEIGHT):
        edges, strengths = _edges(page, chunk.start, chunk.stop)
        rows = starts, ends
        if count > chunk_size(_PIECE_WEIGHT):
            rows = _rows_between(edges[0], edges[-1], starts, ends)
        columns = loops.kept_pieces(page.kinds, edges, strengths, *rows, GAP, CONTROL)
        for now in chunks(len(columns[0]), _PIECE_WEIGHT):
            yield columns[0][now], columns[1][now], columns[2][now]


def _edges(page: Page, first: int, last: int) -> tuple[Ints, UInt8s]:
    """Return some of the offsets where the text breaks, including its ends, and their strengths."""
    offset, strength = page.breaks.offset, page.breaks.strength
    last = min(last, len(offset) + 1)
    edges, strengths = (
        np.zeros(last - first + 1, np.int32),
        np.full(last - first + 1, BLOCK, np.uint8),
    )
    inside = slice(first == 0, len(edges) - (last > len(offset)))
    edges[-1] = len(page.text)
    edges[inside] = offset[max(first - 1, 0) : last]
    strengths[inside] = strength[max(first - 1, 0) : last]
    return edges, strengths


def _rows_between(low: int, high: int, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the starts and ends of the rows that overlap with the text between two offsets."""
    some = slice(np.searchsorted(ends, low, side="right"), np.searchsorted(starts, high))
    return np.maximum(starts[some], low), np.minimum(ends[some], high)
