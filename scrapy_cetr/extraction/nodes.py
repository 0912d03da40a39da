"""The elements of a page as parallel numpy columns, made from nothing but its tags."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

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


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The elements of a page in preorder; the subtree of node i is nodes ``i`` to ``last[i] - 1``.

    Its text is ``page.text[start[i]:end[i]]``. ``tag`` counts into ``markup.NAMES``; the parent of
    a top-level node is -1.
    """

    tag: Ints
    parent: Ints
    last: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.tag)


def make_nodes(tags: Codes, offset: Ints, length: int) -> Nodes:
    """Build the elements of a page from its tags, closing what the page forgot to close."""
    tag, parent, last, start, end = (array("i") for _ in range(5))
    stack = [(0, -1)]  # the open elements and their nodes
    still_open = [0] * len(NAMES)
    too_deep = 0

    def close(code: int, place: int) -> None:
        """Close the innermost open element of this kind, and with it all inside."""
        closed = 0
        while closed != code:
            closed, node = stack.pop()
            still_open[closed] -= 1
            last[node], end[node] = len(tag), place

    for code, place in _pairs(tags, offset):
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                close(-code, place)
        elif len(stack) > MAX_DEPTH:
            too_deep += code not in VOID
        else:
            if ended := _implied_end(code, stack, still_open):
                close(ended, place)
            if code in VOID:
                continue
            parent.append(stack[-1][1])
            stack.append((code, len(tag)))
            still_open[code] += 1
            tag.append(code)
            start.append(place)
            last.append(0)
            end.append(0)
    while len(stack) > 1:
        close(stack[-1][0], length)
    return Nodes(*(np.frombuffer(column, np.int32) for column in (tag, parent, last, start, end)))


def _pairs(tags: Codes, offset: Ints) -> Iterator[tuple[int, int]]:
    """Give each tag and its place, without a list of all of them."""
    for first in range(0, len(tags), _AT_ONCE):
        now = slice(first, first + _AT_ONCE)
        yield from zip(tags[now].tolist(), offset[now].tolist(), strict=True)


def _implied_end(code: int, stack: list[tuple[int, int]], still_open: list[int]) -> int:
    """Find the open element that a start tag closes, as <p> does another <p>, or 0."""
    if still_open[_PARAGRAPH] and ROLES[code] == BLOCK:
        return _PARAGRAPH
    closes, barriers = IMPLIED_ENDS.get(code, (frozenset(), frozenset()))
    if any(still_open[closed] for closed in closes):
        for element, _ in islice(reversed(stack), _NEAR):
            if element in closes:
                return element
            if element in barriers:
                break
    return 0
