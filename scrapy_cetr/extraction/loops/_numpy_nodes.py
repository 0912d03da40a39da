"""The elements of a page, made from its tags as browsers make them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints, UInt8s, chunks
from scrapy_cetr.extraction.elements import (
    BLOCK,
    BREAK_STRENGTHS,
    ELEMENT_CODES,
    ELEMENT_NAMES,
    IMPLIED_ENDS,
    VOID,
)

# The element that a start tag closes is searched among this number of open elements.
_NEAR = 64
# From this number on, elements without others inside, each ended by the next, are added together.
_LONG_RUN = 64
_PARAGRAPH = ELEMENT_CODES["p"]
_BLOCKS = frozenset(np.flatnonzero(BREAK_STRENGTHS == BLOCK).tolist())
# Tags that neither make elements nor end any: those of void ones that do not end a paragraph.
_PASSED_OVER = np.zeros(256, np.bool_)
_PASSED_OVER[[*(VOID - _BLOCKS), *(-code for code in VOID)]] = True


# How a start tag ends an element without other tags inside: alone, or with its parent if the tag
# ends that.
_ALONE, _WITH_PARENT = 1, 2


def _tabulate_ends() -> UInt8s:
    """Tabulate how elements, the first index, are ended by a start tag right after their own."""
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


def pair_tags(tags: Codes, near_text: Bools, rooted: bool, deepest: int) -> tuple[Ints, Ints, Ints]:
    """Find the first tag, the tag that ends it (0 for none) and the parent of each element.

    Only tags near text count. If it is ``rooted``, the first element represents the
    page. Elements inside of ``deepest`` others are left out.
    """
    near = near_text
    # Of their full size at once, because growing arrays would leave gaps in the memory.
    size = int(np.count_nonzero(near & (tags > 0))) + rooted
    columns = first, last, parent = tuple(array("i", (0,)) * size for _ in range(3))
    count = int(rooted)
    open_codes, open_nodes = [0], [count - 1]
    still_open = [0] * len(ELEMENT_NAMES)
    too_deep, ends_next = 0, 0
    # Local names, because they are looked up for every tag.
    blocks, implied_ends, void, paragraph = _BLOCKS, IMPLIED_ENDS, VOID, _PARAGRAPH
    runs: dict[int, Ints] = {}
    for code, index, end, ender in chain.from_iterable(_parts(tags, near, runs)):
        ended = 0
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                ended = -code
        elif len(open_nodes) > deepest:
            if end <= 0 and code not in void:
                too_deep += len(runs[index]) if ender < 0 else 1
            continue
        elif index == ends_next:
            pass  # The element that it ends is not open any more.
        elif still_open[paragraph] and code in blocks:
            ended = paragraph
        elif code in implied_ends:
            ended = _implied_end(code, open_codes, still_open)
        # Elements that are open inside of it end with it.
        while ended:
            closed = open_codes.pop()
            still_open[closed] -= 1
            last[open_nodes.pop()] = index
            if closed == ended:
                break
        if code > 0 and code not in void:
            first[count], parent[count] = index, open_nodes[-1]
            if (
                end < 0
                and len(open_nodes) < deepest
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
                ends_next = int(runs[index][-1])
                count += _add_run(runs[index], columns, count, open_nodes[-1])
            elif ender < 0:
                too_deep += len(runs[index]) - 1
    first_tags, last_tags, parents = (np.frombuffer(column, np.int32) for column in columns)
    return first_tags[:count], last_tags[:count], parents[:count]


def _add_run(run: Ints, columns: tuple[array[int], ...], count: int, parent: int) -> int:
    """Write the elements of a run after its first, each ended by the next; return their number."""
    others = len(run) - 1
    values = (run[:-1], run[1:], np.full(others, parent, np.int32))
    for column, value in zip(columns, values, strict=True):
        column[count : count + others] = array("i", value.tobytes())
    return others


def _parts(
    tags: Codes, near: Bools, runs: dict[int, Ints]
) -> Iterator[Iterable[tuple[int, int, int, int]]]:
    """Yield chunks of the tags that begin or end elements: code, index, end and ender of each.

    ``end`` is the index of the end tag of an element without tags inside, or the negative index of
    a start tag that ends it, else 0. ``ender`` is the code of that start tag if it ends the element
    only together with its parent, else 0. Of a long run of elements, each ended by the next, only
    the first comes, with an ``ender`` of -1, and ``runs`` has the indices where each of them ends
    and the next begins.
    """
    for chunk in chunks(len(tags)):
        at = chunk.start + np.flatnonzero(near[chunk] & ~_PASSED_OVER[tags[chunk]])
        codes, end = tags[at], np.append(at, 0)[1:]
        following = tags[end]
        paired = (codes > 0) & (following == -codes)
        ended = _ENDED[codes, following]
        # The tag after the last is in the next chunk.
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
    """Find long runs of true flags, which no page for people has: begin and end of each.

    >>> _long_runs(np.array([True, *[False] * 5, *[True] * 100, False]))
    [[6, 106]]
    """
    bounds = np.flatnonzero(np.diff(flags, prepend=False, append=False)).reshape(-1, 2)
    long: list[list[int]] = bounds[bounds[:, 1] - bounds[:, 0] >= _LONG_RUN].tolist()
    return long


def _implied_end(code: int, open_codes: list[int], still_open: list[int]) -> int:
    """Find the open element that a start tag closes, as <li> does another <li>, or 0."""
    closes, barriers = IMPLIED_ENDS[code]
    # Most often the innermost element decides.
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
