"""The comments of readers, each with its author, date, text and depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.markers import Markers
from scrapy_cetr.extraction.output.tree import Tree
from scrapy_cetr.extraction.page.comment_items import CommentItem, find_comment_items
from scrapy_cetr.extraction.page.comment_words import is_action, without_dates

# The longest row that may be a name and a date.
_MAX_SHORT = 200
_MOST_OF_ARTICLE = 0.5


class Comment(NamedTuple):
    """A comment of a reader.

    The author and the date in ISO 8601 are None if they are not known. The depth is 0 for a comment
    on the article, and 1 for a reply to one.
    """

    author: str | None
    date: str | None
    text: str
    depth: int


def find_comments(page: DetailedPage, kept: Bools) -> tuple[Comment, ...]:
    """Return the comments of a page; their dates are as written.

    ``kept`` are the rows of the article, which are no comments. If most of it is in comments, it
    consists of the posts of a forum.
    """
    rows = page.text_rows
    is_kept = kept[rows]
    items = find_comment_items(page, first=int(np.argmax(is_kept)) if is_kept.any() else -1)
    chars = page.rows.chars[rows]
    posts = [row for item in items for row in item.texts if is_kept[row]]
    if chars[posts].sum() > _MOST_OF_ARTICLE * chars[is_kept].sum():
        return ()
    reader = _Reader(page)
    found = (reader.comment(item) for item in items if not is_kept[item.texts].any())
    return tuple(comment for comment in found if comment.text)


class _Reader:
    """Reads the comments of one page."""

    def __init__(self, page: DetailedPage) -> None:
        self._page = page
        self._markers = Markers(Tree(page))

    def comment(self, item: CommentItem) -> Comment:
        """Read a comment."""
        marks, texts = (self._page.text_rows[rows].tolist() for rows in (item.marks, item.texts))
        author, date = self._markers.of(sorted((*marks, *texts)), marks)
        return Comment(author or None, date or None, self._text(texts, author, date), item.depth)

    def _text(self, rows: Sequence[int], author: str, date: str) -> str:
        own = [row for row in rows if not self._markers.is_mark(row)]
        written = (self._without_marks(self._page.row_text(row), author, date) for row in own)
        return "\n".join(filter(None, written))

    @staticmethod
    def _without_marks(text: str, author: str, date: str) -> str:
        """Return "" for a row of nothing but the name and the date."""
        if len(text) > _MAX_SHORT:
            return text
        bare = text
        for mark in (author, date):
            bare = bare.replace(mark, " ", 1) if mark else bare
        bare = without_dates(bare)
        is_text = len(_letters(bare)) > 0.5 * len(_letters(text)) + 2 or bare == text
        return text if is_text and not is_action(bare) else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))
