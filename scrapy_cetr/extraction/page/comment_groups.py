"""The containers of a page in which comments can be: those named so, and repeated ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Indices, Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.page.class_hints import ROLE_BITS
from scrapy_cetr.extraction.page.comment_rows import MAX_MARK
from scrapy_cetr.extraction.page.page import Page

_COMMENT, _NO_COMMENT = ROLE_BITS["comment"], ROLE_BITS["no comment"]
HOLDERS = codes_of("article dd div dl li section table tr td")
_CODES = 128
_IS_HOLDER = np.isin(np.arange(_CODES), list(HOLDERS))
_ITEM = re.compile(r"comment|repl|respon|post|message|item|thread|node|entry|media|card", re.I)
_NOT_ITEM = re.compile(
    r"author|avatar|vcard|meta|date|time|name|footer|header|action|tools|content|text|reply-", re.I
)
# The element with who wrote a comment and when.
_HEAD = re.compile(
    r"(?:comment|reply|response|post)[-_]?(?:head(?:er|ing)?|authors?|by|user|meta|info|data)"
    r"(?:$|[\s_-])",
    re.I,
)
# Comments on other pages.
_ELSEWHERE = re.compile(
    r"(?:latest|recent|newest|popular)[\s_-]?(?:comment|repl|respon|discuss)", re.I
)
_LEVELS_AROUND = 4
_DIGITS = re.compile(r"\d+")
# Characters of the text of a comment in a thread without class names.
_MIN_PLAIN = 12
_MOST_CONTAINERS, _MOST_GROUPS, _LEAST_OF_GROUP = 20_000, 12, 2
# A longer container holds more than a comment.
_MOST_ROWS = 500


def comment_containers(page: Page) -> Indices:
    """Return the containers whose class names say that they hold comments."""
    if not len(page.class_name):
        return np.zeros(0, np.intp)
    hints = page.class_hints[page.class_name[page.containers.class_name]]
    is_named = ((hints & _COMMENT) > 0) & ((hints & _NO_COMMENT) == 0)
    is_named[0] = False
    return np.flatnonzero(is_named)


class CommentGroups:
    """Groups of containers of one page."""

    def __init__(self, page: Page, first: int) -> None:
        self._page, self._first = page, first
        self._tree, self._rows = page.containers, page.text_rows
        self._chars = page.rows.chars[self._rows]

    def regions(self) -> list[int]:
        """Return the outermost containers of comments that end after the article begins."""
        tree = self._tree
        return [
            region
            for region in self._outermost(comment_containers(self._page).tolist())
            if tree.last_row[region] > max(self._first, tree.first_row[region])
            and not self._is_elsewhere(region)
        ]

    def _is_elsewhere(self, container: int) -> bool:
        """Tell whether a container is in a list of comments on other pages."""
        for _ in range(_LEVELS_AROUND):
            if _ELSEWHERE.search(self.name(container)):
                return True
            container = int(self._tree.parent[container])
        return False

    def repeated(self, with_rows: Bools | None = None) -> Iterator[list[int]]:
        """Yield groups of siblings after the article that all have a date, the largest first.

        Siblings without any of the rows ``with_rows`` are left out.
        """
        tree = self._tree
        fits = _IS_HOLDER[tree.code] & (tree.first_row > self._first)
        if with_rows is not None:
            holds_rows = np.zeros(len(tree), np.bool_)
            holds_rows[tree.parent[fits & (self.sums_of(with_rows) > 0)]] = True
            fits &= holds_rows[tree.parent]
        if np.count_nonzero(fits) < _LEAST_OF_GROUP:
            return
        _, digits, _ = self._page.kind_counts
        dated = (digits > 0) & (self._chars <= MAX_MARK)
        fits &= self.sums_of(self._chars - self._page.link_chars[self._rows]) >= _MIN_PLAIN
        fits &= self.sums_of(dated) > 0
        found = np.flatnonzero(fits)
        groups: dict[int, list[int]] = {}
        keys = tree.parent[found] * _CODES + tree.code[found]
        for key, container in zip(keys.tolist(), found.tolist(), strict=True):
            groups.setdefault(key, []).append(container)
        largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        for _, group in largest[:_MOST_GROUPS]:
            if len(group) >= _LEAST_OF_GROUP:
                yield group

    def sums_of(self, of_rows: Ints | Bools) -> Ints:
        """Sum up numbers of the rows of each container."""
        sums = np.zeros(len(of_rows) + 1, np.int64)
        np.cumsum(of_rows, out=sums[1:])
        total: Ints = sums[self._tree.last_row] - sums[self._tree.first_row]
        return total

    def own_rows(self, group: Sequence[int]) -> Iterator[tuple[int, list[int], int]]:
        """Yield each container of a group with its rows outside of others, and its nesting."""
        first, last = self._tree.first_row[group], self._tree.last_row[group]
        lowest = int(first[0])
        owner = np.full(int(last.max()) - lowest, -1, np.int32)
        nesting: list[int] = []
        ends: list[int] = []
        for index, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            while ends and ends[-1] <= begin:
                ends.pop()
            nesting.append(len(ends))
            ends.append(end)
            owner[begin - lowest : end - lowest] = index
        order = np.argsort(owner, kind="stable")
        bounds = np.searchsorted(owner[order], np.arange(len(group) + 1))
        for index, container in enumerate(group):
            own = order[bounds[index] : bounds[index + 1]]
            if 0 < len(own) <= _MOST_ROWS:
                yield container, (own + lowest).tolist(), nesting[index]

    def name(self, container: int) -> str:
        """Return the class names of a container."""
        page = self._page
        if not len(page.class_name) or not container:
            return ""
        return str(page.class_names[page.class_name[self._tree.class_name[container]]])

    def _outermost(self, containers: Sequence[int]) -> list[int]:
        """Return the containers that are in no other of the given ones."""
        found: list[int] = []
        end = -1
        for container in containers:
            if self._tree.first_row[container] >= end:
                found.append(container)
                end = int(self._tree.last_row[container])
        return found

    def inside(self, regions: Sequence[int]) -> list[int]:
        """Return the containers with rows that are, or are in, the given ones."""
        tree, found = self._tree, []
        for region in regions:
            last = int(np.searchsorted(tree.first_row, tree.last_row[region]))
            inside = np.arange(region, min(last, region + _MOST_CONTAINERS))
            has_rows = tree.last_row[inside] > tree.first_row[inside]
            found += inside[has_rows & (tree.last_row[inside] <= tree.last_row[region])].tolist()
        return found[:_MOST_CONTAINERS]


@lru_cache(maxsize=4096)
def is_head_name(names: str) -> bool:
    """Tell whether class names are those of the element with who wrote a comment.

    >>> is_head_name("comment-header"), is_head_name("comment-body"), is_head_name("header")
    (True, False, False)
    """
    return bool(_HEAD.search(names))


@lru_cache(maxsize=4096)
def item_name(names: str) -> str | None:
    """Return the name that the comments of a thread share; "" without names, None for parts.

    >>> item_name("even comment depth-2 comment-17"), item_name("comment-meta"), item_name(" ")
    ('comment', None, '')
    """
    found = [_DIGITS.sub("", name).strip("-_") for name in names.split()]
    if not found:
        return ""
    named = [word for word in found if _ITEM.search(word)]
    if named and all(_NOT_ITEM.search(word) for word in named):
        return None
    return next((word for word in named if not _NOT_ITEM.search(word)), found[0])
