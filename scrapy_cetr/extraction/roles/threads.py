"""Threads: below an article, they are its comments; in a forum, they are what the page is about."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.page.page import Page

# Comments that are a smaller part of the kept text than this need no further evidence.
_MOST_OF_TEXT = 0.5
# An article above a thread has at least this many characters, in rows of running text.
_MIN_ARTICLE, _LONG = 200, 80
# A forum says so in its title, or in this many different class names.
_FORUM_TITLE = re.compile(
    r"forum|fórum|форум|\bforo\b|\bboards?\b|communit|discussion|论坛|論壇|掲示板", re.I
)
_FORUM_NAME = re.compile(r"forum|topic|postbit|phpbb|vbulletin|xenforo|discourse", re.I)
_MIN_FORUM_NAMES = 3


def are_comments(page: Page, chars: Ints, keep: Bools, is_thread: Bools) -> bool:
    """Tell whether the rows of a thread are comments on an article, and not the content.

    The columns have an element for each of ``page.text_rows``: its characters, whether a method
    keeps it, and whether it is in the thread.
    """
    if chars[keep & is_thread].sum() <= _MOST_OF_TEXT * chars[keep].sum():
        return True
    above = keep & (chars >= _LONG)
    above[int(np.argmax(is_thread)) :] = False
    return bool(chars[above].sum() >= _MIN_ARTICLE) and not is_forum(page)


def is_forum(page: Page) -> bool:
    """Tell whether a page says that it is of a forum.

    >>> from scrapy_cetr.extraction.html.reader import read
    >>> is_forum(read("<title>Bread - The Baking Forum</title><p>Hello", rows="blocks"))
    True
    """
    if any(map(_FORUM_TITLE.search, page.titles)):
        return True
    names = filter(_FORUM_NAME.search, page.class_names)
    return sum(1 for _ in names) >= _MIN_FORUM_NAMES
