"""Where the tags of a page break its text, and how strongly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Ints, UInt8s, chunks, flag_indices
from scrapy_cetr.extraction.elements import (
    BLOCK,
    ELEMENT_CODES,
    LINE,
    LINE_BREAK,
    PARAGRAPH_BREAK,
    SPACE,
)
from scrapy_cetr.extraction.page.characters import BLANK, flags_of

_PRE = ELEMENT_CODES["pre"]


@dataclass(frozen=True, slots=True, eq=False)
class Breaks:
    """The ascending offsets where tags break the text, each with a strength of ``elements``."""

    offset: Ints
    strength: UInt8s


def with_second_breaks(
    kinds: UInt8s, tags: Codes, offset: Ints, strength: UInt8s
) -> tuple[Codes, UInt8s]:
    """Make a paragraph break of each line break that has no text between it and the last."""
    second = loops.second_breaks(kinds, tags, offset, strength, LINE_BREAK, BLANK)
    if np.count_nonzero(second):
        tags, strength = tags.copy(), strength.copy()
        tags[second], strength[second] = PARAGRAPH_BREAK, BLOCK
    return tags, strength


def make_breaks(text: str, tags: Codes, offset: Ints, strength: UInt8s) -> Breaks:
    """Collect where tags break the text; of several at one offset, the strongest counts.

    Two links without text between them are separated by a space, in ``strength`` itself.
    """
    loops.part_links(tags, offset, strength, SPACE)
    breaks = Breaks(*loops.strongest_by_offset(offset, strength))
    if not (tags == _PRE).any():
        return breaks
    return _with_line_ends(breaks, _preformatted_line_ends(text, tags, offset))


def _with_line_ends(breaks: Breaks, ends: Bools) -> Breaks:
    """Merge the breaks of tags with those of line ends; at one offset, the stronger counts."""
    strengths = ends.view(np.uint8)
    strengths *= LINE
    for chunk in chunks(len(breaks.offset)):
        index = breaks.offset[chunk]
        strengths[index] = np.maximum(strengths[index], breaks.strength[chunk])
    filled = strengths != 0
    return Breaks(flag_indices(filled), strengths[filled])


def _preformatted_line_ends(text: str, tags: Codes, offset: Ints) -> Bools:
    """Mark the line ends inside of <pre>; one more flag is for the end of the text."""
    index = flag_indices(np.abs(tags) == _PRE)
    depth = np.cumsum(np.sign(tags[index]), dtype=np.int32)
    depth -= np.minimum(np.minimum.accumulate(depth), 0)
    # The tags divide the text into runs, the first of them before all tags.
    runs = np.diff(offset[index], prepend=np.int32(0), append=np.int32(len(text) + 1))
    inside: Bools = np.repeat(np.append(False, depth > 0), runs)
    inside[:-1] &= flags_of("\n", text)
    inside[-1] = False
    return inside
