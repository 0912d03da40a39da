"""The comments of readers on a page, recognised by the shape of a thread.

A thread is a group of repeated containers, each with a name or a date, and a text. It is inside of
containers with class names of comments; or its comments have controls, such as "Reply", or the
title of a thread above them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.page import comment_words as words
from scrapy_cetr.extraction.page.characters import count_words
from scrapy_cetr.extraction.page.comment_groups import (
    HOLDERS,
    CommentGroups,
    is_head_name,
    item_name,
)
from scrapy_cetr.extraction.page.comment_rows import MARK, MAX_MARK, TEXT, CommentRows
from scrapy_cetr.extraction.page.page import Page

_NAMED_SO = re.compile(r"comment(?!s)|repl(?:y|ies)|kommentar|коммент", re.I)
_DEPTH = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nesting)[_-]?(\d{1,2})(?:$|\s)", re.I)
# Words of a text that is a comment without the name of an author or a date.
_MIN_WORDS = 8
# A comment has no more dates of its own.
_MAX_DATES = 3
_MOST_ITEMS, _MOST_NAMES, _SAMPLE = 5_000, 100, 12
_ROWS_ABOVE = 4
# Short rows with more characters, most of them spaces, are not searched for hints.
_LONGEST_HINTED = 1000
# The lists around a comment are counted in this number of containers.
_LISTS, _MOST_LEVELS = codes_of("ol ul dl"), 24
# At least this share of a group without class names are comments.
_MIN_SHARE = 0.7


class CommentItem(NamedTuple):
    """A comment: the rows of its text, those with name and date, and how deep it is in others.

    Rows are indices in ``page.text_rows``.
    """

    texts: list[int]
    marks: list[int]
    depth: int


def find_comment_items(page: Page, *, first: int) -> list[CommentItem]:
    """Return the comments of a page after its first row of the article."""
    if len(page.containers) < 2:
        return []
    threads = _Threads(page, first)
    return threads.named() or threads.unnamed()


def may_be_comments(page: Page, keep: Bools) -> bool:
    """Tell whether some of the rows that a method keeps can be comments.

    ``keep`` has an element for each of ``page.text_rows``. This is much quicker than finding the
    comments, and most pages have none among the rows that are kept.
    """
    if len(page.containers) < 2 or not keep.any():
        return False
    threads = _Threads(page, int(np.argmax(keep)))
    groups = threads.groups
    kept = groups.sums_of(keep)
    return bool(
        any(kept[region] for region in groups.regions())
        or any(
            kept[group].any() and threads.may_be_thread(group) for group in groups.repeated(keep)
        )
    )


class _Threads:
    """Looks for threads among the containers of one page."""

    def __init__(self, page: Page, first: int) -> None:
        self._page, self.groups = page, CommentGroups(page, first)
        self._tree, self._row = page.containers, CommentRows(page)

    @cached_property
    def _hinted(self) -> tuple[list[int], list[int]]:
        """The short rows that may have controls, and those that may be the title of a thread."""
        rows = np.flatnonzero(self._page.rows.chars[self._page.text_rows] <= MAX_MARK)
        begin, end = self._page.text_bounds.take(rows, axis=1)
        # Many characters that are not counted, such as spaces, are read only where it matters.
        end = np.minimum(end, begin + _LONGEST_HINTED)
        hints = words.hints_in_parts(self._page.text, begin, end)
        hints[end - begin == _LONGEST_HINTED] = words.MAY_HAVE_CONTROL | words.MAY_BE_HEADING
        controls = rows[(hints & words.MAY_HAVE_CONTROL) > 0].tolist()
        return controls, rows[(hints & words.MAY_BE_HEADING) > 0].tolist()

    def named(self) -> list[CommentItem]:
        """Return the comments in containers with class names of comments."""
        tree, regions = self._tree, self.groups.regions()
        groups: dict[tuple[int, str], list[int]] = {}
        for container in self.groups.inside(regions):
            name = item_name(self.groups.name(container))
            if name is not None and tree.code[container] in HOLDERS:
                key = name or f"#{tree.parent[container]}"
                groups.setdefault((int(tree.code[container]), key), []).append(container)
        best: list[CommentItem] = []
        largest = sorted(groups.items(), key=lambda group: -len(group[1]))
        for (_, name), group in largest[:_MOST_NAMES]:
            if len(best) >= max(len(group), 2):
                # No smaller group has more comments.
                break
            items = self._items(group, is_named=True)
            if self._has_titles(items) or not (self._are_dated(items) or self._are_so(name, items)):
                continue
            # Of containers around single comments the outer ones count, but the element around a
            # single comment has the form below it as well.
            if len(items) > len(best) or (
                len(items) == len(best) == 1 and self._replaces(items, best)
            ):
                best = items
        headed = self._headed(regions)
        return (headed if len(headed) >= max(2 * len(best), 1) else best) or self._bare(regions)

    def _replaces(self, items: Sequence[CommentItem], best: Sequence[CommentItem]) -> bool:
        """Tell whether a single comment has a name, or a smaller element around it has none."""
        return self._row.has_name(items[0].marks) or not self._row.has_name(best[0].marks)

    def _headed(self, regions: Sequence[int]) -> list[CommentItem]:
        """Return the comments that each begin with a row that says who wrote it, or end with one.

        They need no container of their own.
        """
        found: list[CommentItem] = []
        for region in regions:
            items = [CommentItem([], [], 0)]
            rows = range(self._tree.first_row[region], self._tree.last_row[region])
            for row in rows[:_MOST_ITEMS]:
                text = self._row.text(row)
                if self._is_head(row):
                    # A row with the name and one with the date can both be the head.
                    if items[-1].texts or len(items) == 1:
                        items.append(CommentItem([], [], self._lists_around(row)))
                    items[-1].marks.append(row)
                elif self._row.kind(row) == MARK:
                    items[-1].marks.append(row)
                elif self._row.kind(row) == TEXT and not self._row.is_title(row, text):
                    items[-1].texts.append(row)
            # Texts above the first name are a comment if there is none below the last.
            if items[0].texts and not items[-1].texts:
                texts = [item.texts for item in items]
                items[1:] = [
                    item._replace(texts=above)
                    for item, above in zip(items[1:], texts, strict=False)
                ]
            found += items[1:]
        return _from_zero([item for item in found if item.texts and self._is_named(item.marks)])

    def _is_named(self, marks: Sequence[int]) -> bool:
        return self._row.has_name(marks) or any(words.is_spoken(self._row.text(m)) for m in marks)

    def _is_head(self, row: int) -> bool:
        """Tell whether a row has both a name and a date, or is named or worded like such a row."""
        text = self._row.text(row)
        if words.is_spoken(text):
            return True
        if self._row.kind(row) == MARK:
            return self._row.has_name([row])
        is_short = len(text) <= MAX_MARK and not words.is_asking(text)
        return is_short and is_head_name(self.groups.name(int(self._tree.of_row[row])))

    def _lists_around(self, row: int) -> int:
        """Return in how many lists a row is."""
        found, container = 0, int(self._tree.of_row[row])
        for _ in range(_MOST_LEVELS):
            found += int(self._tree.code[container]) in _LISTS
            container = int(self._tree.parent[container])
        return found

    def unnamed(self) -> list[CommentItem]:
        """Return the comments of a thread that is recognised by its shape alone."""
        for group in filter(self.may_be_thread, self.groups.repeated()):
            sample = self._items(group[:_SAMPLE], is_named=False)
            if len(sample) < max(2, _MIN_SHARE * len(group[:_SAMPLE])) or self._has_titles(sample):
                continue
            controls = sum(self._has_control(container) for container in group[:_SAMPLE])
            if 2 * controls >= len(sample) or self._has_heading(group[0]):
                return self._items(group[:_MOST_ITEMS], is_named=False)
        return []

    def may_be_thread(self, group: Sequence[int]) -> bool:
        """Tell whether enough of a group's containers have controls, or it has a title."""
        sample = group[:_SAMPLE]
        controls = sum(map(self._has_control, sample)) if self._hinted[0] else 0
        return 2 * controls >= _MIN_SHARE * len(sample) or self._has_heading(group[0])

    def _are_dated(self, items: Sequence[CommentItem]) -> bool:
        dated = sum(any(words.date_in(self._row.text(row)) for row in item.marks) for item in items)
        return 2 * dated >= len(items)

    def _are_so(self, name: str, items: Sequence[CommentItem]) -> bool:
        """Tell whether texts without dates are named comments, each of several."""
        written = sum(
            any(count_words(self._row.text(row)) >= _MIN_WORDS // 2 for row in item.texts)
            for item in items[:_SAMPLE]
        )
        is_written = 2 * written > len(items[:_SAMPLE])
        return len(items) > 1 and bool(_NAMED_SO.search(name)) and is_written

    def _items(self, group: Sequence[int], *, is_named: bool) -> list[CommentItem]:
        """Return the containers of a group that are comments."""
        found = []
        for container, own, nesting in self.groups.own_rows(group[:_MOST_ITEMS]):
            kinds = [*map(self._row.kind, own)]
            texts = [row for row, kind in zip(own, kinds, strict=True) if kind == TEXT]
            marks = [row for row, kind in zip(own, kinds, strict=True) if kind == MARK]
            has_name = self._row.has_name(marks)
            if texts and not has_name and words.may_be_name(self._row.text(texts[0])):
                marks = sorted((*marks, texts.pop(0)))
                has_name = True
            is_marked = 0 < len(marks) <= _MAX_DATES
            if texts and is_marked and (is_named or has_name):
                depth = _DEPTH.search(self.groups.name(container))
                found.append(CommentItem(texts, marks, int(depth[1]) if depth else nesting))
        return _from_zero(found)

    def _bare(self, regions: Sequence[int]) -> list[CommentItem]:
        """Return the texts in containers of comments that do not tell them apart.

        There are none if a container asks for comments: then its texts are those of a form.
        """
        found = []
        titles = [" ".join(title.split()) for title in self._page.titles]
        for region in regions:
            rows = range(self._tree.first_row[region], self._tree.last_row[region])
            texts = [self._row.text(row) for row in rows[:_MOST_ITEMS]]
            if self._row.in_form[rows.start : rows.stop].any() or any(map(words.is_asking, texts)):
                continue
            found += [
                CommentItem([row], [], 0)
                for row, text in zip(rows, texts, strict=False)
                if count_words(text) >= _MIN_WORDS
                and not self._row.is_title(row, text)
                and not any(text in title for title in titles)
            ]
        return found

    def _has_control(self, container: int) -> bool:
        first, last = int(self._tree.first_row[container]), int(self._tree.last_row[container])
        return any(
            words.has_control(self._row.text(row)) and self._row.kind(row) != TEXT
            for row in _between(self._hinted[0], first, min(last, first + _SAMPLE))
        )

    def _has_heading(self, container: int) -> bool:
        first = int(self._tree.first_row[container])
        above = map(self._row.text, _between(self._hinted[1], first - _ROWS_ABOVE, first))
        return any(len(text) <= MAX_MARK and words.is_heading(text) for text in above)

    def _has_titles(self, items: Sequence[CommentItem]) -> bool:
        """Tell whether many comments have a longer link than a name, or nothing but links."""
        titled = sum(
            any(map(self._row.is_linked, item.texts)) or self._row.are_links(item.texts)
            for item in items
        )
        return 3 * titled > len(items)


def _between(rows: list[int], first: int, last: int) -> list[int]:
    """Return those of some ascending rows that are at least ``first`` and below ``last``."""
    begin = bisect_left(rows, first)
    return rows[begin : bisect_left(rows, last, begin)]


def _from_zero(items: Sequence[CommentItem]) -> list[CommentItem]:
    """Return comments of which the outermost have the depth zero."""
    lowest = min((item.depth for item in items), default=0)
    return [item._replace(depth=item.depth - lowest) for item in items]
