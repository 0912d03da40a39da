"""The names and dates that mark who wrote a comment, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.tree import Tree, any_name, one_line

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
_AUTHOR_BLOCK = any_name(re.compile(r"author|vcard|commenter|user", re.IGNORECASE))
_DATE = any_name(
    re.compile(r"date|time|posted|published|(?:^|[_-])(?:ago|when|permalink)(?:$|[_-])", re.I),
    re.compile(r"update|timeline|sometimes|lifetime", re.IGNORECASE),
)
_TIME = codes_of("time")
_MAX_NAME, _MAX_DATE = 60, 80
# A day, a time of day, or how long ago something was.
_TIME_OF_DAY = (
    r"\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?[ap]\.?m\b\.?)?(?: (?:[A-Z]{1,2}[SD]T|UTC|GMT|CET|Uhr)\b)?"
)
_WRITTEN_DATE = re.compile(
    r"(?:\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?"
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? [^\W\d_]{3,12}\.?,? \d{4}"
    r"|[^\W\d_]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|[^\W\d_]{3,9} \d{1,2}(?:st|nd|rd|th)\b"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일])"
    rf"(?:(?:[ ,T]| at | um | à | - ){{1,3}}{_TIME_OF_DAY})?|{_TIME_OF_DAY}"
    r"|\d{1,3} ?(?:min|hour|day|week|month|year|std|stunde|tag|jour|heure|hora|día|dia|час"
    r"|минут|дн|день|"
    r"小时|分钟|天|時間|分|日|시간|분|일|saat|gün)[^\W\d_]{0,6}(?: ago)?",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:(?:user )?profile|reply|author|user|member|avatar|permalink|comments?|posted"
    r"|antworten|\W*)$",
    re.I,
)
_BEFORE_NAME = re.compile(
    r"^\W*+(?:(?:posted|written|comment|commented)\s++)?"
    r"(?:(?:by|von|par|por|di|autor|author|from)(?:\s*+:\s*+|\s++))?",
    re.I,
)
_AROUND_NAME = " \t\r\n:,|·•–—-@"
_AFTER_NAME = re.compile(
    r"\s(?:says?|said|wrote|writes|sagt|schrieb|schreibt|dit|dice|pisze|пишет)$",
    re.IGNORECASE,
)


class Markers:
    """Where a page has names of people and dates, as offsets in its text."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        nodes = tree.nodes
        size = nodes.end - nodes.start
        named = tree.named(_AUTHOR, labels=True)
        named = named[(size[named] > 1) & (size[named] < _MAX_NAME + 40)]
        self.authors = named
        marked = np.union1d(tree.tagged_as(_TIME), tree.named(_DATE, labels=True)).astype(np.int32)
        self._dates = marked[size[marked] < _MAX_DATE]
        self._date_offsets = self._all_dates()

    def _all_dates(self) -> Ints:
        """Return where dates begin: in elements that are marked as dates, and in short rows."""
        page, rows = self._tree.page, self._tree.page.rows
        marked = self._tree.nodes.start[self._dates]
        short = np.flatnonzero((rows.chars > 2) & (rows.chars < _MAX_DATE))
        written = [
            int(rows.start[row])
            for row in short.tolist()
            if _WRITTEN_DATE.search(page.text[rows.start[row] : rows.end[row]])
        ]
        return np.unique(np.concatenate((marked, np.array(written, np.int32)))).astype(np.int32)

    def dates_in(self, nodes: Ints) -> Ints:
        """Return the number of dates in each of some elements."""
        own = self._tree.nodes
        first = np.searchsorted(self._date_offsets, own.start[nodes])
        last = np.searchsorted(self._date_offsets, own.end[nodes])
        return (last - first).astype(np.int32)

    def authors_in(self, nodes: Ints) -> Ints:
        """Return the number of names in each of some elements."""
        first = np.searchsorted(self.authors, nodes)
        last = np.searchsorted(self.authors, self._tree.nodes.last[nodes])
        return (last - first).astype(np.int32)

    def of(self, item: int, rows: Sequence[int], page: DetailedPage) -> tuple[str, str]:
        """Return the author and the date of a comment, as written, each "" if it is not known."""
        last = int(self._tree.nodes.last[item])
        author = next(
            filter(None, (self._name(node) for node in _between(self.authors, item, last))), ""
        )
        date = next(
            filter(None, (self._date(node) for node in _between(self._dates, item, last))), ""
        )
        short = [one_line(page.text[page.rows.start[row] : page.rows.end[row]]) for row in rows[:4]]
        short = [text for text in short if text and len(text) < _MAX_DATE]
        if not date:
            found = next((match for text in short if (match := _WRITTEN_DATE.search(text))), None)
            date = found[0] if found else ""
        if not author and len(rows) > 1 and short:
            name = _clean_name(self.without_dates(short[0]))
            author = (
                name if 0 < len(name.split()) <= 4 and not name.endswith((".", "!", "?")) else ""
            )
        return author, date

    def _name(self, node: int) -> str:
        return _clean_name(self.without_dates(self._tree.text(node)))

    def _date(self, node: int) -> str:
        declared = self._tree.page.datetimes.get(int(self._tree.tagged.first_tag[node]))
        text = declared or self._tree.text(node)
        return text if any(map(str.isdigit, text)) else ""

    @staticmethod
    def without_dates(text: str) -> str:
        """Remove the dates from a text.

        >>> Markers.without_dates("Ann Lee, 12.03.2024 10:15")
        'Ann Lee,'
        """
        return one_line(_WRITTEN_DATE.sub(" ", text))


def _between(nodes: Ints, first: int, last: int) -> list[int]:
    """Return the first few of some nodes in the subtree of a node."""
    begin, end = np.searchsorted(nodes, (first, last)).tolist()
    found: list[int] = nodes[begin : min(end, begin + 5)].tolist()
    return found


def _clean_name(text: str) -> str:
    """Return a name without "by" and "says".

    >>> _clean_name("By Ann Lee says:")
    'Ann Lee'
    """
    name = _BEFORE_NAME.sub("", text).rstrip(_AROUND_NAME)
    name = _AFTER_NAME.sub("", name).strip(_AROUND_NAME)
    fits = 1 < len(name) <= _MAX_NAME and any(map(str.isalpha, name))
    return name if fits and not _NO_NAME.match(name) else ""
