"""The elements of a page as parallel numpy columns, made from nothing but its tags."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.markup import BLOCK, CODES, IMPLIED_ENDS, NAMES, ROLES, VOID

# Browsers nest no deeper; what is nested deeper counts as inside of the deepest node.
MAX_DEPTH = 512

# Tags with as many on both sides, and no text between all of these, are left out: no page for
# people has them, and a hostile one has millions.
MAX_WITHOUT_TEXT = 1 << 14

# So many tags are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18
# Only among as many open elements is one looked for that a start tag closes.
_NEAR = 64
_PARAGRAPH = CODES["p"]
_BLOCKS = frozenset(np.flatnonzero(ROLES == BLOCK).tolist())
# Tags that neither make elements nor end any: those of void ones that do not end a paragraph.
_PASSED_OVER = np.zeros(256, np.bool_)
_PASSED_OVER[[*(VOID - _BLOCKS), *(-code for code in VOID)]] = True


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
    first, last, parent = array("i"), array("i"), array("i")  # the last tag of an element ends it
    open_codes, open_nodes = [0], [-1]
    still_open = [0] * len(NAMES)
    too_deep = 0
    for code, place, end in chain.from_iterable(_parts(tags, near_text(offset))):
        ended = 0
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                ended = -code
        elif len(open_nodes) > MAX_DEPTH:
            too_deep += not end and code not in VOID
            continue
        elif still_open[_PARAGRAPH] and code in _BLOCKS:
            ended = _PARAGRAPH
        elif code in IMPLIED_ENDS:
            ended = _implied_end(code, open_codes, still_open)
        # With an element, all that is open inside of it ends.
        while ended:
            closed = open_codes.pop()
            still_open[closed] -= 1
            last[open_nodes.pop()] = place
            if closed == ended:
                break
        if code > 0 and code not in VOID:
            parent.append(open_nodes[-1])
            if not end:
                open_codes.append(code)
                open_nodes.append(len(first))
                still_open[code] += 1
            first.append(place)
            last.append(end)
    columns = (np.frombuffer(column, np.int32) for column in (first, last, parent))
    return _nodes(tags, offset, length, *columns)


def near_text(offset: Ints) -> Bools:
    """Tell which tags are not amid far too many without text between.

    >>> bool(near_text(np.zeros(100, np.int32)).all())
    True
    """
    near = np.ones(len(offset), np.bool_)
    amid = slice(MAX_WITHOUT_TEXT, -MAX_WITHOUT_TEXT)
    near[amid] = offset[2 * MAX_WITHOUT_TEXT :] != offset[: -2 * MAX_WITHOUT_TEXT]
    return near


def _parts(tags: Codes, near: Bools) -> Iterator[Iterable[tuple[int, int, int]]]:
    """Give the tags that make or end elements, and their places, without a list of all of them.

    With the tag of an element that has none inside comes the place of its end tag, else 0.
    """
    for begin in range(0, len(tags), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        at = begin + np.flatnonzero(near[now] & ~_PASSED_OVER[tags[now]])
        codes, end = tags[at], np.append(at, 0)[1:]
        alone = (codes > 0) & (tags[end] == -codes)
        end[~alone] = 0
        apart = np.append(True, ~alone[:-1])[: len(at)]
        yield zip(codes[apart].tolist(), at[apart].tolist(), end[apart].tolist(), strict=True)


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


def _nodes(tags: Codes, offset: Ints, length: int, first: Ints, last: Ints, parent: Ints) -> Nodes:
    """Make columns of the places of first and last tags, 0 for an element that is never closed."""
    behind = np.where(last == 0, np.int32(len(tags)), last)
    end = offset.take(behind, mode="clip")
    end[last == 0] = length
    return Nodes(
        tag=tags[first],
        parent=parent,
        last=np.searchsorted(first, behind).astype(np.int32),
        start=offset[first],
        end=end,
    )
