"""Give each row of a page its role in the article.

A method decides whether a row belongs to the article. The role is what the row is in it; it comes
from the elements and class names around the row, from its text and from the title of the page. The
headline, its byline, captions and comments have a role even if the method does not keep them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.page.comment_items import find_comment_items, may_be_comments
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.roles.byline import LONGEST_BYLINE, is_byline, is_time_of_day
from scrapy_cetr.extraction.roles.headline import HeadlineRows, find_headline
from scrapy_cetr.extraction.roles.rows import (
    BYLINE,
    CAPTION,
    COMMENT,
    EMBED,
    LEAD,
    NO_ROLE,
    NOTE,
    QUOTE,
    SERVICE,
    RoleRows,
    measure_rows,
)
from scrapy_cetr.extraction.roles.threads import are_comments

_HEADLINE, _BYLINE, _LEAD, _PARAGRAPH, _HEADING, _LIST, _QUOTE = map(
    ROLES.index, ("headline", "byline", "lead", "paragraph", "heading", "list", "quote")
)
_TABLE, _CODE, _CAPTION, _EMBED, _NOTE, _COMMENT = map(
    ROLES.index, ("table", "code", "caption", "embed", "note", "comment")
)

# Class names that give a role to the rows near them, each with the longest of these rows, and class
# names that give a role to all rows inside of them. Later ones count more.
_NEAR = (
    *((NOTE, _NOTE, 2000), (LEAD, _LEAD, 1000), (CAPTION, _CAPTION, 600), (BYLINE, _BYLINE, 160)),
    (SERVICE, NO_ROLE, 400),
)
_INSIDE = ((QUOTE, _QUOTE), (EMBED, _EMBED), (COMMENT, _COMMENT))
# A row with at least this many characters is running text.
_LONG = 80
# Bylines can be this number of rows above the first row that is kept.
_ROWS_ABOVE = 12
# If more of the kept text than this share has one of these roles by its class names, the names mean
# something else on this page, or the captions or comments are what it is about.
_MOST_OF_TEXT = {_CAPTION: 0.5, _COMMENT: 0.5, _BYLINE: 0.25, NO_ROLE: 0.2}
# A page with more bylines than this lists articles.
_MOST_BYLINES, _MOST_CANDIDATES = 8, 40
# The length of a time of day in characters, and how many entries of a live blog have one.
_TIME_CHARS, _LEAST_TIMES, _MOST_TIMES = (4, 10), 3, 2000
# For each role whether its rows can be bylines, or times. The last is for NO_ROLE, the index -1.
_COULD_BE_BYLINE, _COULD_BE_TIME = (
    np.isin(np.arange(len(ROLES) + 1), roles)
    for roles in ((_PARAGRAPH, _LIST, _TABLE, _QUOTE), (len(ROLES), _PARAGRAPH, _BYLINE))
)


def find_roles(
    page: Page, keep: Bools, *, with_class_names: bool = True, with_dropped_comments: bool = True
) -> Codes:
    """Return the role of each row as its index in ROLES, NO_ROLE for rows outside the article.

    Class names are used if the page was read with them, unless they are not wanted. Comments take
    most of the time; those that the method drops can be added later, by ``add_dropped_comments``.
    """
    roles = np.where(keep, np.int8(_PARAGRAPH), np.int8(NO_ROLE))
    rows = page.text_rows
    is_kept = keep[rows]
    if len(page.tags) and is_kept.any():
        comments = None
        if with_class_names:
            finds_comments = with_dropped_comments or may_be_comments(page, is_kept)
            comments = _find_comments(page, is_kept) if finds_comments else []
        roles[rows] = _roles(
            measure_rows(page, keep, with_class_names), comments, titles=page.titles
        )
    return roles


def add_dropped_comments(page: Page, keep: Bools, roles: Codes) -> Codes:
    """Add the comments that the method drops to roles that were found without them."""
    rows = page.text_rows
    if (roles == _COMMENT).any() or not len(page.tags) or not keep[rows].any():
        return roles
    first = int(np.argmax(keep[rows]))
    found = rows[[row for row in _find_comments(page, keep[rows]) if row > first]]
    added = roles.copy()
    added[found[roles[found] == NO_ROLE]] = _COMMENT
    return added


def _find_comments(page: Page, keep: Bools) -> list[int]:
    """Return the rows of comments, as indices in ``page.text_rows``."""
    items = find_comment_items(page, first=int(np.argmax(keep)))
    found = [row for item in items for row in (*item.texts, *item.marks)]
    is_found = np.zeros(len(keep), np.bool_)
    is_found[found] = True
    is_thread = found and are_comments(page, page.rows.chars[page.text_rows], keep, is_found)
    return found if is_thread else []


def _roles(rows: RoleRows, comments: list[int] | None, *, titles: Sequence[str]) -> Codes:
    """Return the role of each row; ``comments`` are rows, None if they are not looked for."""
    kept = np.flatnonzero(rows.keep)
    first, last = int(kept[0]), int(kept[-1])
    roles = np.where(rows.element_role == NO_ROLE, np.int8(_PARAGRAPH), rows.element_role)
    inside, all_inside = rows.inside, int(np.bitwise_or.reduce(rows.inside))
    all_near = int(np.bitwise_or.reduce(rows.near))
    for bit, role in _INSIDE:
        if all_inside & bit:
            roles[(inside & bit) > 0] = role
    for bit, role, longest in _NEAR:
        if not all_near & bit:
            continue
        is_near = (rows.near & bit) > 0
        is_near &= rows.chars <= longest
        if role in (_LEAD, _NOTE):
            is_near &= roles == _PARAGRAPH
        roles[is_near] = role
    _give_back(rows, roles)
    if comments is not None:
        # Other rows among the comments are those of forms and rules.
        roles[roles == _COMMENT] = NO_ROLE
        roles[comments] = _COMMENT
    # Bylines, captions and comments belong to the article even where the method drops them.
    row = np.arange(len(rows))
    is_extra = (roles == _CAPTION) & (row > first) & (row < last)
    is_extra |= (roles == _BYLINE) & (row > first - _ROWS_ABOVE) & (row < last)
    is_extra |= (roles == _COMMENT) & (row > first)
    roles[~rows.keep & ~is_extra] = NO_ROLE
    candidates = HeadlineRows(rows.texts, rows.code, rows.chars, rows.keep, rows.is_item)
    headline = find_headline(candidates, titles=titles)
    _mark_bylines(rows, roles, max(headline.row, first - _ROWS_ABOVE))
    _mark_times(rows, roles)
    roles[headline.repetitions] = NO_ROLE
    if headline.row >= 0:
        above = roles[: headline.row]
        above[(above == _BYLINE) & ~rows.keep[: headline.row]] = NO_ROLE
        roles[headline.row] = _HEADLINE
    return roles


def _give_back(rows: RoleRows, roles: Codes) -> None:
    """Make paragraphs of the rows of a role that too much of the article has."""
    kept = roles[rows.keep] - NO_ROLE
    chars = np.bincount(kept, rows.chars[rows.keep], len(ROLES) + 1)
    for role, most in _MOST_OF_TEXT.items():
        if chars[role - NO_ROLE] > most * chars.sum():
            roles[roles == role] = _PARAGRAPH
    if np.count_nonzero(kept == _BYLINE - NO_ROLE) > _MOST_BYLINES:
        roles[roles == _BYLINE] = _PARAGRAPH


def _mark_bylines(rows: RoleRows, roles: Codes, first: int) -> None:
    """Find bylines by their text, between the headline and the first long row."""
    is_long = rows.keep & (rows.chars >= _LONG) & (roles == _PARAGRAPH)
    first = max(first, 0)
    last = first + int(np.argmax(np.append(is_long[first:], True)))
    could_be = (rows.chars[first:last] <= LONGEST_BYLINE) & _COULD_BE_BYLINE[roles[first:last]]
    candidates = first + np.flatnonzero(could_be)[:_MOST_CANDIDATES]
    bylines = [row for row in candidates.tolist() if is_byline(rows.texts[row])]
    if len(bylines) <= _MOST_BYLINES:
        roles[bylines] = _BYLINE


def _mark_times(rows: RoleRows, roles: Codes) -> None:
    """Keep the times of the entries of a live blog: each alone in a row before a paragraph."""
    chars = rows.chars[:-1]
    short = np.flatnonzero((chars >= _TIME_CHARS[0]) & (chars <= _TIME_CHARS[1]))
    if len(short) < _LEAST_TIMES:
        return
    could_be = rows.keep[short + 1] & (roles[short + 1] == _PARAGRAPH)
    could_be &= _COULD_BE_TIME[roles[short]]
    candidates = short[could_be][:_MOST_TIMES].tolist()
    times = [row for row in candidates if is_time_of_day(rows.texts[row])]
    if len(times) >= _LEAST_TIMES:
        roles[times] = _PARAGRAPH


def are_parts(roles: Codes, parts: Sequence[str]) -> Bools:
    """Tell which rows have one of some roles."""
    is_part = np.zeros(len(ROLES) + 1, np.bool_)
    is_part[[ROLES.index(name) for name in parts]] = True
    # The last flag is for NO_ROLE, the index -1.
    return is_part[roles]


def headline_text(page: Page, roles: Codes) -> str:
    """Return the text of the headline on one line, "" for none."""
    found = np.flatnonzero(roles == _HEADLINE)
    return page.row_text(int(found[0])) if len(found) else ""
