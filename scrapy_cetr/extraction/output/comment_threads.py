"""The elements of a thread: repeated ones, each with a name, a date and a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.output.markers import Markers
from scrapy_cetr.extraction.output.tree import Tree

_ITEM = re.compile(r"comment|repl|respon|post|message|item|thread|node|entry|media|card", re.I)
_NOT_ITEM = re.compile(
    r"author|avatar|vcard|meta|date|time|name|footer|header|action|tools|content|text", re.I
)
_DIGITS = re.compile(r"\d+")
# Elements that can be a comment.
_HOLDERS = codes_of("article dd div dl li section table tr td")
_MIN_CHARS, _MIN_ITEMS = 12, 2
# How far around a date its comment is searched.
_MAX_LEVELS = 6


def thread_items(tree: Tree, region: int, markers: Markers) -> list[int]:
    """Return the elements of single comments in an element of comments, in order.

    They have the same class name or the same parent, and most of them a name or a date.
    """
    nodes = tree.nodes
    inside = np.arange(region, int(nodes.last[region]), dtype=np.int32)
    holders = inside[np.isin(nodes.tag[inside], list(_HOLDERS))]
    holders = holders[nodes.end[holders] - nodes.start[holders] >= _MIN_CHARS]
    marked = holders[(markers.dates_in(holders) > 0) | (markers.authors_in(holders) > 0)]
    return _best_group(tree, marked[marked != region], markers) or _alone(region, markers)


def _alone(region: int, markers: Markers) -> list[int]:
    """Return an element of comments itself, if it is a single one."""
    node = np.array([region], np.int32)
    marks = markers.authors_in(node)[0], markers.dates_in(node)[0]
    return [region] if marks == (1, 1) else []


def find_thread(tree: Tree, after: int, markers: Markers) -> list[int]:
    """Return the comments of a page whose class names do not tell them, or none.

    They are the children of one element that begins after the article. Each has one date, a name,
    and a text that is no link; teasers of other articles have titles, which are links.
    """
    nodes = tree.nodes
    late = np.flatnonzero(nodes.start >= after).astype(np.int32)
    holders = late[np.isin(nodes.tag[late], list(_HOLDERS))]
    if not len(holders):
        return []
    single = holders[(markers.dates_in(holders) == 1) & (_plain_chars(tree, holders) >= _MIN_CHARS)]
    groups: dict[tuple[int, int], list[int]] = {}
    for node in single.tolist():
        groups.setdefault((int(nodes.parent[node]), int(nodes.tag[node])), []).append(node)
    fitting = [group for group in groups.values() if len(group) >= _MIN_ITEMS]
    best = max(fitting, key=len, default=[])
    named = [node for node in best if markers.of(node, _rows_of(tree, node), tree.page)[0]]
    titled = _has_titles(tree, best)
    return best if len(named) >= max(_MIN_ITEMS, 0.7 * len(best)) and not titled else []


def _rows_of(tree: Tree, node: int) -> list[int]:
    rows = tree.page.rows
    first = int(np.searchsorted(rows.start, tree.nodes.start[node]))
    last = int(np.searchsorted(rows.end, tree.nodes.end[node], side="right"))
    found: list[int] = (
        first + np.flatnonzero(rows.chars[first : min(last, first + 9)] > 0)
    ).tolist()
    return found


def _has_titles(tree: Tree, items: Iterable[int]) -> bool:
    """Tell whether most elements have a heading, or a longer link than a name."""
    rows, linked = tree.page.rows, tree.page.link_chars
    count = titled = 0
    for item in items:
        count += 1
        titled += any(2 * linked[row] > rows.chars[row] > 30 for row in _rows_of(tree, item))
    return 3 * titled > count


def _plain_chars(tree: Tree, nodes: Ints) -> Ints:
    """Return the number of characters outside of links in the rows of each element."""
    rows = tree.page.rows
    sums = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(rows.chars - tree.page.link_chars, out=sums[1:])
    first = np.searchsorted(rows.start, tree.nodes.start[nodes])
    last = np.searchsorted(rows.end, tree.nodes.end[nodes], side="right")
    return (sums[np.maximum(first, last)] - sums[first]).astype(np.int32)


def _best_group(tree: Tree, nodes: Ints, markers: Markers) -> list[int]:
    """Return the largest group of elements with the same name; of equal ones, the outermost."""
    groups: dict[tuple[int, str], list[int]] = {}
    for node in nodes.tolist():
        name = _item_name(tree.name(node))
        if name is not None:
            key = name or f"#{tree.nodes.parent[node]}"
            groups.setdefault((int(tree.nodes.tag[node]), key), []).append(node)
    best: list[int] = []
    for group in groups.values():
        own = np.array(group, np.int32)
        # An element around several comments is no comment.
        dates = markers.dates_in(own) - _in_others(tree, own, markers.dates_in(own))
        single = own[dates <= 2]
        if len(single) > len(best) or (len(single) == len(best) and best and single[0] < best[0]):
            best = single.tolist()
    return best


def _in_others(tree: Tree, group: Ints, counts: Ints) -> Ints:
    """Return for each element of a group the sum of the counts of those directly inside of it."""
    inner = np.zeros(len(group), np.int64)
    open_items: list[int] = []
    for index, node in enumerate(group.tolist()):
        while open_items and tree.nodes.last[group[open_items[-1]]] <= node:
            open_items.pop()
        if open_items:
            inner[open_items[-1]] += counts[index]
        open_items.append(index)
    return inner.astype(np.int32)


@lru_cache(maxsize=4096)
def _item_name(names: str) -> str | None:
    """Return the name that the elements of a thread share; "" without names, None for parts.

    >>> _item_name("even comment depth-2 comment-17"), _item_name("comment-meta"), _item_name(" ")
    ('comment', None, '')
    """
    words = [_DIGITS.sub("", name).strip("-_") for name in names.split()]
    if not words:
        return ""
    named = [word for word in words if _ITEM.search(word)]
    if named and all(_NOT_ITEM.search(word) for word in named):
        return None
    return next((word for word in named if not _NOT_ITEM.search(word)), words[0])
