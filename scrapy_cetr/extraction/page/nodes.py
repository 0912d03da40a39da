"""The elements of a page as parallel numpy columns, made from nothing but its tags."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints, UInt8s
from scrapy_cetr.extraction.elements import BLOCK, BREAK_STRENGTHS, CODES, IMPLIED_ENDS, NAMES, VOID

# Browsers nest no deeper; what is nested deeper counts as inside of the deepest node.
MAX_DEPTH = 512

# Tags with as many on both sides, and no text between all of these, are left out: no page for
# people has them, and a hostile one has millions.
MAX_WITHOUT_TEXT = 1 << 14

# So many tags are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18
# Only among as many open elements is one looked for that a start tag closes.
_NEAR = 64
# So many elements without others inside, each ended by the next, are taken together.
_LONG_RUN = 64
_PARAGRAPH = CODES["p"]
_BLOCKS = frozenset(np.flatnonzero(BREAK_STRENGTHS == BLOCK).tolist())
# Tags that neither make elements nor end any: those of void ones that do not end a paragraph.
_PASSED_OVER = np.zeros(256, np.bool_)
_PASSED_OVER[[*(VOID - _BLOCKS), *(-code for code in VOID)]] = True


# How a start tag ends an element that has no other tag inside: it alone, or with its parent if the
# tag ends that.
_ALONE, _WITH_PARENT = 1, 2


def _tabulate_ends() -> UInt8s:
    """Tell how elements, the first index, are ended by a start tag right behind their own."""
    table = np.zeros((256, 256), np.uint8)
    table[_PARAGRAPH, list(_BLOCKS)] = _ALONE
    # Blocks end a paragraph around these rather than these alone.
    for code in IMPLIED_ENDS.keys() - _BLOCKS:
        closes, barriers = map(list, IMPLIED_ENDS[code])
        table[1:128, code] = _WITH_PARENT
        table[barriers, code] = 0
        table[closes, code] = _ALONE
    return table


_ENDED = _tabulate_ends()


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


def make_nodes(tags: Codes, offset: Ints, length: int, *, rooted: bool = False) -> Nodes:
    """Build the elements of a page from its tags, closing what the page forgot to close.

    If they are to be ``rooted``, the first stands for the page, and is its own parent.
    """
    near = near_text(offset)
    # The last tag of an element ends it. Were they to grow, they would leave gaps in the memory.
    size = int(np.count_nonzero(near & (tags > 0))) + rooted
    columns = first, last, parent = tuple(array("i", (0,)) * size for _ in range(3))
    count = int(rooted)
    open_codes, open_nodes = [0], [count - 1]
    still_open = [0] * len(NAMES)
    too_deep, ends_next = 0, 0
    # What is looked up for every tag is at hand.
    blocks, implied_ends, void, paragraph = _BLOCKS, IMPLIED_ENDS, VOID, _PARAGRAPH
    runs: dict[int, Ints] = {}
    for code, place, end, ender in chain.from_iterable(_parts(tags, near, runs)):
        ended = 0
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                ended = -code
        elif len(open_nodes) > MAX_DEPTH:
            if end <= 0 and code not in void:
                too_deep += len(runs[place]) if ender < 0 else 1
            continue
        elif place == ends_next:
            pass  # What it ends is not open any more.
        elif still_open[paragraph] and code in blocks:
            ended = paragraph
        elif code in implied_ends:
            ended = _implied_end(code, open_codes, still_open)
        # With an element, all that is open inside of it ends.
        while ended:
            closed = open_codes.pop()
            still_open[closed] -= 1
            last[open_nodes.pop()] = place
            if closed == ended:
                break
        if code > 0 and code not in void:
            first[count], parent[count] = place, open_nodes[-1]
            if (
                end < 0
                and len(open_nodes) < MAX_DEPTH
                and (ender <= 0 or open_codes[-1] in implied_ends[ender][0])
            ):
                end = -end
                ends_next = 0 if ender > 0 else end
            elif end <= 0:
                end = 0
                open_codes.append(code)
                open_nodes.append(count)
                still_open[code] += 1
            last[count] = end
            count += 1
            if ender < 0 and end:
                ends_next = int(runs[place][-1])
                count += _add_run(runs[place], columns, count, open_nodes[-1])
            elif ender < 0:
                too_deep += len(runs[place]) - 1
    del near
    filled = (np.frombuffer(column, np.int32)[:count] for column in columns)
    return _nodes(tags, offset, length, *filled, rooted=rooted)


def _add_run(run: Ints, columns: tuple[array[int], ...], count: int, parent: int) -> int:
    """Write the elements of a run behind its first, each ended by the next; tell how many."""
    others = len(run) - 1
    values = (run[:-1], run[1:], np.full(others, parent, np.int32))
    for column, value in zip(columns, values, strict=True):
        column[count : count + others] = array("i", value.tobytes())
    return others


def near_text(offset: Ints) -> Bools:
    """Tell which tags are not amid far too many without text between.

    >>> bool(near_text(np.zeros(100, np.int32)).all())
    True
    """
    near = np.ones(len(offset), np.bool_)
    if len(offset) <= 2 * MAX_WITHOUT_TEXT:
        return near
    amid = slice(MAX_WITHOUT_TEXT, -MAX_WITHOUT_TEXT)
    near[amid] = offset[2 * MAX_WITHOUT_TEXT :] != offset[: -2 * MAX_WITHOUT_TEXT]
    return near


def _parts(
    tags: Codes, near: Bools, runs: dict[int, Ints]
) -> Iterator[Iterable[tuple[int, int, int, int]]]:
    """Give the tags that make or end elements, and their places, without a list of all of them.

    With the tag of an element that has none inside comes the place of its end tag; the negative
    place of a start tag that ends it, and if that does so only together with the parent, its code;
    else 0. Of many elements that the next ends, only the first is given, with -1 as the code, and
    ``runs`` tell the places where each of them ends and the next begins.
    """
    for begin in range(0, len(tags), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        at = begin + np.flatnonzero(near[now] & ~_PASSED_OVER[tags[now]])
        codes, end = tags[at], np.append(at, 0)[1:]
        following = tags[end]
        paired = (codes > 0) & (following == -codes)
        ended = _ENDED[codes, following]
        # Nothing is known of what follows the last.
        ended[-1:] = 0
        ender = np.where(ended == _WITH_PARENT, following, 0)
        apart = np.append(True, ~paired[:-1])[: len(at)]
        runs.clear()
        for first, last in _long_runs(ended == _ALONE):
            ender[first] = -1
            apart[first + 1 : last] = False
            runs[int(at[first])] = end[first:last].astype(np.int32)
        end[ended > 0] *= -1
        end[~paired & (ended == 0)] = 0
        columns = (codes, at, end, ender)
        yield zip(*(column[apart].tolist() for column in columns), strict=True)


def _long_runs(flags: Bools) -> list[list[int]]:
    """Find where many flags stand together, as they do on no page for people.

    >>> _long_runs(np.array([True, *[False] * 5, *[True] * 100, False]))
    [[6, 106]]
    """
    bounds = np.flatnonzero(np.diff(flags, prepend=False, append=False)).reshape(-1, 2)
    long: list[list[int]] = bounds[bounds[:, 1] - bounds[:, 0] >= _LONG_RUN].tolist()
    return long


def _implied_end(code: int, open_codes: list[int], still_open: list[int]) -> int:
    """Find the open element that a start tag closes, as <li> does another <li>, or 0."""
    closes, barriers = IMPLIED_ENDS[code]
    # Most often the innermost element tells.
    innermost = open_codes[-1]
    if innermost in closes:
        return innermost
    if innermost in barriers or not any(map(still_open.__getitem__, closes)):
        return 0
    for element in open_codes[: -_NEAR - 1 : -1]:
        if element in closes:
            return element
        if element in barriers:
            break
    return 0


def _nodes(
    tags: Codes, offset: Ints, length: int, first: Ints, last: Ints, parent: Ints, *, rooted: bool
) -> Nodes:
    """Make columns of the places of first and last tags, 0 for an element that is never closed."""
    tag, end = np.zeros(len(first), np.int8), np.full(len(first), length, np.int32)
    # A part of them at a time, as numpy makes larger numbers of places.
    for begin in range(0, len(first), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        closed = last[now] > 0
        end[now][closed] = offset[last[now][closed]]
        last[now] = np.searchsorted(first, np.where(closed, last[now], np.int32(len(tags) + 1)))
    # Not needed any more, the places of the first tags make room.
    for begin in range(int(rooted), len(first), _AT_ONCE):
        now = slice(begin, begin + _AT_ONCE)
        tag[now] = tags[first[now]]
        first[now] = offset[first[now]]
    return Nodes(tag=tag, parent=parent, last=last, start=first, end=end)
