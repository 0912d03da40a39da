"""The elements of a page as parallel numpy columns, made from nothing but its tags."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.markup import BLOCK, CODES, IMPLIED_ENDS, NAMES, ROLES, VOID

Ints = NDArray[np.int32]
Codes = NDArray[np.int8]

# Browsers nest no deeper; what is nested deeper counts as inside of the deepest node.
MAX_DEPTH = 512

# So many tags are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18
# Only among as many open elements is one looked for that a start tag closes.
_NEAR = 64
_PARAGRAPH = CODES["p"]
_BLOCKS = frozenset(np.flatnonzero(ROLES == BLOCK).tolist())
# Tags that neither are elements nor end any: what is void and does not end a paragraph.
_PASSED_OVER = np.zeros(256, np.bool_)
_PASSED_OVER[list(VOID - _BLOCKS)] = True


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The elements of a page in preorder; the subtree of node i is nodes ``i`` to ``last[i] - 1``.

    Its text is ``page.text[start[i]:end[i]]``. ``tag`` counts into ``markup.NAMES``; the parent of
    a top-level node is -1.
    """

    tag: Codes
    parent: Ints
    last: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.tag)


def make_nodes(tags: Codes, offset: Ints, length: int) -> Nodes:
    """Build the elements of a page from its tags, closing what the page forgot to close."""
    # The tags that begin and end each element; what is never closed ends behind the last tag.
    first, closing, parent = array("i"), array("i"), array("i")
    open_codes, open_nodes = [0], [-1]
    still_open = [0] * len(NAMES)
    too_deep = 0
    for code, place in _codes_and_places(tags):
        ended = 0
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                ended = -code
        elif len(open_nodes) > MAX_DEPTH:
            too_deep += code not in VOID
            continue
        elif still_open[_PARAGRAPH] and code in _BLOCKS:
            ended = _PARAGRAPH
        elif code in IMPLIED_ENDS:
            ended = _implied_end(code, open_codes, still_open)
        # With an element, all that is open inside of it ends.
        while ended:
            closed = open_codes.pop()
            still_open[closed] -= 1
            closing[open_nodes.pop()] = place
            if closed == ended:
                break
        if code > 0 and code not in VOID:
            parent.append(open_nodes[-1])
            open_codes.append(code)
            open_nodes.append(len(first))
            still_open[code] += 1
            first.append(place)
            closing.append(len(tags))
    begins, ends = np.frombuffer(first, np.int32), np.frombuffer(closing, np.int32)
    end = offset.take(ends, mode="clip")
    end[ends == len(tags)] = length
    return Nodes(
        tag=tags[begins],
        parent=np.frombuffer(parent, np.int32),
        last=np.searchsorted(begins, ends).astype(np.int32),
        start=offset[begins],
        end=end,
    )


def _codes_and_places(tags: Codes) -> Iterator[tuple[int, int]]:
    """Give each tag that makes or ends an element, without a list of all of them."""
    return chain.from_iterable(
        zip(tags[at].tolist(), at.tolist(), strict=True)
        for begin in range(0, len(tags), _AT_ONCE)
        for at in (begin + np.flatnonzero(~_PASSED_OVER[tags[begin : begin + _AT_ONCE]]),)
    )


def _implied_end(code: int, open_codes: list[int], still_open: list[int]) -> int:
    """Find the open element that a start tag closes, as <li> does another <li>, or 0."""
    closes, barriers = IMPLIED_ENDS[code]
    if not any(map(still_open.__getitem__, closes)):
        return 0
    for element in islice(reversed(open_codes), _NEAR):
        if element in closes:
            return element
        if element in barriers:
            break
    return 0
