"""What the rows of comments are: their text, the name and date of each, or what is around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.page import comment_words as words
from scrapy_cetr.extraction.page.page import Page

TEXT, MARK, OTHER = range(3)
_FORM = codes_of("form fieldset")
# Lengths in characters: of a row with a name or a date, of a row that asks for comments, and of a
# title that is a link.
MAX_MARK, _MAX_ASKING, _MIN_TITLE = 100, 400, 30


class CommentRows:
    """The rows of a page, by their index in ``page.text_rows``."""

    def __init__(self, page: Page) -> None:
        self._page, self._rows = page, page.text_rows
        self._kinds: dict[int, int] = {}
        self._texts: dict[int, str] = {}

    def kind(self, row: int) -> int:
        """Return TEXT, MARK or OTHER for a row."""
        if row not in self._kinds:
            text = self.text(row)
            # A row that asks for comments is not long.
            kind = TEXT if len(text) > _MAX_ASKING else _kind_of(text)
            self._kinds[row] = OTHER if self.in_form[row] else kind
        return self._kinds[row]

    def text(self, row: int) -> str:
        """Return the text of a row on one line."""
        if row not in self._texts:
            self._texts[row] = self._page.row_text(int(self._rows[row]))
        return self._texts[row]

    def has_name(self, marks: Iterable[int]) -> bool:
        """Tell whether one of some rows, which are no texts, has a name besides its date."""
        return any(_has_name(self.text(row)) for row in marks)

    def is_title(self, row: int, text: str) -> bool:
        """Tell whether a row is the title of a thread or of an article."""
        is_short = len(text) <= MAX_MARK
        return self.is_linked(row) or (
            is_short and (words.is_heading(text) or bool(words.date_in(text)))
        )

    def is_linked(self, row: int) -> bool:
        """Tell whether a row is a link that is longer than a name."""
        chars, linked = self._page.rows.chars, self._page.link_chars
        return bool(2 * linked[self._rows[row]] > chars[self._rows[row]] > _MIN_TITLE)

    def are_links(self, rows: Sequence[int]) -> bool:
        """Tell whether all of some rows are links, as in a menu."""
        chars, linked = self._page.rows.chars, self._page.link_chars
        found = self._rows[list(rows)]
        return len(rows) > 1 and bool((2 * linked[found] > chars[found]).all())

    @cached_property
    def in_form(self) -> Bools:
        """Whether each row is in a form."""
        tree = self._page.containers
        inside = np.zeros(len(self._rows), np.bool_)
        for form in np.flatnonzero(np.isin(tree.code, list(_FORM))).tolist():
            # A form around the whole page is no form of comments.
            if tree.last_row[form] - tree.first_row[form] < len(self._rows) / 2:
                inside[tree.first_row[form] : tree.last_row[form]] = True
        return inside


@lru_cache(maxsize=2048)
def _kind_of(text: str) -> int:
    """Tell whether a row of a comment is its text, has a name or a date, or is neither.

    Many comments have the same rows, such as "Reply", and many pages are of the same day.
    """
    if words.is_action(words.without_dates(text) if len(text) <= MAX_MARK else text):
        return MARK if words.date_in(text) else OTHER
    if words.is_asking(text):
        return OTHER
    if len(text) <= MAX_MARK and words.date_in(text):
        return MARK if _has_name(text) else TEXT
    return TEXT


@lru_cache(maxsize=2048)
def _has_name(text: str) -> bool:
    """Tell whether a text is a name and dates."""
    return words.may_be_name(words.without_dates(text).strip(" ,|·-–—:()"))
