"""The names and dates that mark who wrote a comment, and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.output.tree import Tree, any_name, one_line
from scrapy_cetr.extraction.page.comment_words import (
    date_in,
    is_action,
    may_be_name,
    without_dates,
)

_AUTHOR = any_name(
    re.compile(
        r"author|commenter|username|user-?name|user-?link|nickname|nick(?:$|[_-])|poster|^fn$"
        r"|^name$|"
        r"(?:^|[_-])(?:user|by|writer|member|display-?name|screen-?name)(?:$|[_-])|[a-z]Name$",
        re.IGNORECASE,
    ),
    re.compile(
        r"avatar|photo|image|img|pic|badge|role|rank|info|meta|details|byuser|even|odd", re.I
    ),
)
_DATE = any_name(
    re.compile(r"date|time|posted|published|(?:^|[_-])(?:ago|when|permalink)(?:$|[_-])", re.I),
    re.compile(r"update|timeline|sometimes|lifetime", re.IGNORECASE),
)
_TIME = codes_of("time")
_MAX_NAME, _MAX_DATE = 60, 80
# More names and dates than this are not looked at in a row.
_MOST_MARKERS = 5
_NO_NAME = re.compile(
    r"^(?:(?:user )?profile|reply|author|user|member|avatar|permalink|comments?|posted"
    r"|antworten|\W*)$",
    re.I,
)
_BEFORE_NAME = re.compile(
    # The number of the comment, or the address of a profile.
    r"^\W*+(?:\d{1,4}[.):]?\s++|https?://\S*+\s++|on\s++)?"
    r"(?:(?:posted|written|comment|commented)\s++)?"
    r"(?:(?:by|von|par|por|di|autor|author|from)(?:\s*+:\s*+|\s++))?",
    re.I,
)
_AROUND_NAME = " \t\r\n:,.|·•–—-@…"
_AFTER_NAME = re.compile(
    r"(?:\s(?:says?|said|wrote|writes|sagt|schrieb|schreibt|dit|dice|pisze|пишет|napisał(?:/a)?"
    r"|powiedział(?:/a)?|commented|posted|replied|on|at|am|um|le))+$",
    re.IGNORECASE,
)


# What is left of a date in brackets.
_EMPTY_BRACKETS = re.compile(r"\[\s?\]|\(\s?\)")


class Markers:
    """Where a page has names of people and dates: in elements that are named so."""

    def __init__(self, tree: Tree) -> None:
        self._tree, self._page = tree, tree.page
        nodes = tree.nodes
        size = nodes.end - nodes.start
        named = tree.named(_AUTHOR)
        self._authors = named[(size[named] > 1) & (size[named] < _MAX_NAME + 40)]
        marked = np.union1d(tree.tagged_as(_TIME), tree.named(_DATE)).astype(np.int32)
        self._dates = marked[size[marked] < _MAX_DATE]

    def of(self, rows: Sequence[int], marks: Sequence[int]) -> tuple[str, str]:
        """Return the author and the date of a comment, as written, each "" if it is not known.

        ``marks`` are those of its rows that have a name or a date.
        """
        author = self._first(self._authors, rows, self._name)
        date = self._first(self._dates, rows, self._date)
        texts = [self._page.row_text(row) for row in marks]
        if not date:
            date = next(filter(None, map(date_in, texts)), "")
        if not author:
            # The name is next to the date, or else it has a row of its own.
            texts.sort(key=lambda text: not date_in(text))
            names = (_clean_name(without_dates(text).strip(_AROUND_NAME)) for text in texts)
            author = next(filter(may_be_name, names), "")
        return author, date

    def is_mark(self, row: int) -> bool:
        """Tell whether a row has nothing but a name or a date."""
        return any(
            len(self._tree.text(node)) >= len(self._page.row_text(row))
            for nodes in (self._authors, self._dates)
            for node in self._inside(nodes, row)
        )

    def _first(self, nodes: Ints, rows: Sequence[int], read: Callable[[int, int], str]) -> str:
        """Return the first value that is read from some elements in some rows."""
        found = (read(node, row) for row in rows for node in self._inside(nodes, row))
        return next(filter(None, found), "")

    def _inside(self, nodes: Ints, row: int) -> list[int]:
        """Return the first of some elements that begin in a row."""
        start, rows = self._tree.nodes.start, self._page.rows
        first = int(np.searchsorted(start[nodes], rows.start[row]))
        last = int(np.searchsorted(start[nodes], rows.end[row]))
        found: list[int] = nodes[first : min(last, first + _MOST_MARKERS)].tolist()
        return found

    def _name(self, node: int, row: int) -> str:
        nodes, end = self._tree.nodes, self._page.rows.end[row]
        text = self._page.text[nodes.start[node] : min(nodes.end[node], end)]
        name = _clean_name(without_dates(one_line(text)))
        return "" if is_action(name) else name

    def _date(self, node: int, _: int) -> str:
        declared = self._page.datetimes.get(int(self._tree.tagged.first_tag[node]))
        text = declared or self._tree.text(node)
        return text if any(map(str.isdigit, text)) else ""


def _clean_name(text: str) -> str:
    """Return a name without "by" and "says".

    >>> _clean_name("By Ann Lee says:"), _clean_name("2. Ann Lee on")
    ('Ann Lee', 'Ann Lee')
    """
    name = _BEFORE_NAME.sub("", _EMPTY_BRACKETS.sub(" ", text)).partition(" | ")[0]
    name = name.rstrip(_AROUND_NAME)
    name = _AFTER_NAME.sub("", name).strip(_AROUND_NAME)
    fits = 1 < len(name) <= _MAX_NAME and any(map(str.isalpha, name))
    return name if fits and not _NO_NAME.match(name) else ""
