"""Give each row of a page its role in the article.

A method decides whether a row belongs to the article. The role is what the row is in it; it comes
from the elements and class names around the row, from its text and from the title of the page. The
headline, its byline, captions and comments have a role even if the method does not keep them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_NAMED
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.page.characters import trimmed
from scrapy_cetr.extraction.page.class_hints import ROLE_BITS
from scrapy_cetr.extraction.page.containers import Containers
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.roles.byline import LONGEST_BYLINE, is_byline
from scrapy_cetr.extraction.roles.headline import find_headline

# The role of a row that is not part of the article.
NO_ROLE = -1
_HEADLINE, _BYLINE, _LEAD, _PARAGRAPH, _HEADING, _LIST, _QUOTE = map(
    ROLES.index, ("headline", "byline", "lead", "paragraph", "heading", "list", "quote")
)
_TABLE, _CODE, _CAPTION, _EMBED, _NOTE, _COMMENT = map(
    ROLES.index, ("table", "code", "caption", "embed", "note", "comment")
)

# The bits of class names.
CAPTION, BYLINE, LEAD, QUOTE, EMBED, NOTE, COMMENT, NO_COMMENT, SERVICE = ROLE_BITS.values()
_ALL_BITS = sum(ROLE_BITS.values())
# Elements that give the rows inside of them a role; the innermost counts.
_ELEMENTS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _HEADING),
    **dict.fromkeys(("li", "dd", "dt"), _LIST),
    **dict.fromkeys(("td", "th", "tr", "caption"), _TABLE),
    **dict.fromkeys(("pre", "listing"), _CODE),
    "blockquote": _QUOTE,
    "figcaption": _CAPTION,
}
# An element with more characters is not one item, cell or quotation, but holds the page.
_LARGEST_ELEMENT = 3000
# Class names that give a role to the rows near them, each with the longest of these rows, and class
# names that give a role to all rows inside of them. Later ones count more.
_NEAR = (
    *((NOTE, _NOTE, 2000), (LEAD, _LEAD, 1000), (CAPTION, _CAPTION, 600), (BYLINE, _BYLINE, 160)),
    (SERVICE, NO_ROLE, 400),
)
_INSIDE = ((QUOTE, _QUOTE), (EMBED, _EMBED), (COMMENT, _COMMENT))
# A container with more characters holds more than its class name says.
_LARGEST_NEAR = 1200
# A row with at least this many characters is running text.
_LONG = 80
# Bylines can be this number of rows above the first row that is kept.
_ROWS_ABOVE = 12
# If more of the kept text than this share has one of these roles by its class names, the names mean
# something else on this page, or the captions or comments are what it is about.
_MOST_OF_TEXT = {_CAPTION: 0.5, _COMMENT: 0.5, _BYLINE: 0.25, NO_ROLE: 0.2}
# A page with more bylines than this lists articles.
_MOST_BYLINES, _MOST_CANDIDATES = 8, 40
# The containers around a row that can give it a role.
_LEVELS = 4


def _tabulate_elements() -> Codes:
    table = np.full(128, NO_ROLE, np.int8)
    for name, role in _ELEMENTS.items():
        table[ELEMENT_CODES[name]] = role
    return table


_ROLE_OF_ELEMENT = _tabulate_elements()
_COULD_BE_BYLINE = np.isin(np.arange(len(ROLES) + 1), (_PARAGRAPH, _LIST, _TABLE, _QUOTE))


Bits = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Columns of the rows with text, from which their roles are derived.

    ``code`` is the element of each row, ``element_role`` the role by the elements around it. The
    bits of class names are ``near`` for the row's own element and small containers around it,
    ``inside`` for all containers.
    """

    text: str
    bounds: list[tuple[int, int]]
    chars: Ints
    keep: Bools
    code: Codes
    element_role: Codes
    near: Bits
    inside: Bits

    def __len__(self) -> int:
        return len(self.bounds)

    def text_of(self, row: int) -> str:
        begin, end = self.bounds[row]
        return self.text[begin:end]


def find_roles(page: Page, keep: Bools, *, with_class_names: bool = True) -> Codes:
    """Return the role of each row as its index in ROLES, NO_ROLE for rows outside the article.

    Class names are used if the page was read with them, unless they are not wanted.
    """
    roles = np.where(keep, np.int8(_PARAGRAPH), np.int8(NO_ROLE))
    rows = page.text_rows
    if len(page.tags) and keep[rows].any():
        roles[rows] = _roles(_measure(page, keep, with_class_names), titles=page.titles)
    return roles


def _measure(page: Page, keep: Bools, with_class_names: bool) -> _Rows:
    rows, tree = page.text_rows, page.containers
    begin, end = trimmed(page.kinds, page.rows.start[rows], page.rows.end[rows])
    chars = page.rows.chars[rows]
    openers = page.rows.opener[rows]
    code = np.where(openers >= 0, page.tags.take(openers, mode="clip"), np.int8(0))
    is_opened = code > 0
    code[~is_opened] = tree.code[tree.of_row[~is_opened]]
    size = np.append(np.int32(0), np.cumsum(chars, dtype=np.int32))
    size = size[tree.last_row] - size[tree.first_row]
    near = inside = np.zeros(len(rows), np.int64)
    if with_class_names and len(page.class_name):
        near, inside = _class_bits(page, openers, size)
    return _Rows(
        text=page.text,
        bounds=list(zip(begin.tolist(), end.tolist(), strict=True)),
        chars=chars,
        keep=keep[rows],
        code=code,
        element_role=_element_roles(tree, code, size),
        near=near,
        inside=inside,
    )


def _element_roles(tree: Containers, code: Codes, size: Ints) -> Codes:
    """Return the role of each row by the innermost element that gives it one."""
    of_containers = _ROLE_OF_ELEMENT[tree.code]
    of_containers[size > _LARGEST_ELEMENT] = NO_ROLE
    roles, container = _ROLE_OF_ELEMENT[code], tree.of_row
    for _ in range(_LEVELS):
        roles = np.where(roles == NO_ROLE, of_containers[container], roles)
        container = tree.parent[container]
    return roles


def _class_bits(page: Page, openers: Ints, size: Ints) -> tuple[Bits, Bits]:
    """Return the role hints near to each row, and those of all containers around it."""
    tree, inside = page.containers, np.zeros(len(openers), np.int64)
    of_names = page.class_hints & _ALL_BITS
    of_names[(of_names & NO_COMMENT) > 0] &= ~COMMENT
    of_containers = of_names[page.class_name[tree.class_name]]
    of_containers[0] = 0
    for container in np.flatnonzero(of_containers & (QUOTE | EMBED | COMMENT)).tolist():
        rows = slice(tree.first_row[container], tree.last_row[container])
        inside[rows] |= of_containers[container]
    of_containers[size > _LARGEST_NEAR] = 0
    named_before = np.cumsum(page.tags >= FIRST_NAMED, dtype=np.int32)
    is_named = (openers >= 0) & (page.tags.take(openers, mode="clip") >= FIRST_NAMED)
    name = page.class_name.take(named_before.take(openers, mode="clip") - 1, mode="clip")
    own = np.where(is_named, of_names[name], 0)
    near = own | of_containers[tree.of_row] | of_containers[tree.parent[tree.of_row]]
    return near, inside | own


def _roles(rows: _Rows, *, titles: Sequence[str]) -> Codes:
    kept = np.flatnonzero(rows.keep)
    first, last = int(kept[0]), int(kept[-1])
    roles = np.where(rows.element_role == NO_ROLE, np.int8(_PARAGRAPH), rows.element_role)
    inside = rows.inside
    for bit, role in _INSIDE:
        roles[(inside & bit) > 0] = role
    for bit, role, longest in _NEAR:
        is_near = (rows.near & bit) > 0
        is_near &= rows.chars <= longest
        if role in (_LEAD, _NOTE):
            is_near &= roles == _PARAGRAPH
        roles[is_near] = role
    _give_back(rows, roles)
    # Bylines, captions and comments belong to the article even where the method drops them.
    row = np.arange(len(rows))
    is_extra = (roles == _CAPTION) & (row > first) & (row < last)
    is_extra |= (roles == _BYLINE) & (row > first - _ROWS_ABOVE) & (row < last)
    is_extra |= (roles == _COMMENT) & (row > first)
    roles[~rows.keep & ~is_extra] = NO_ROLE
    headline = find_headline(rows.text_of, rows.code, rows.chars, rows.keep, titles=titles)
    _mark_bylines(rows, roles, max(headline.row, first - _ROWS_ABOVE))
    roles[headline.repetitions] = NO_ROLE
    if headline.row >= 0:
        above = roles[: headline.row]
        above[(above == _BYLINE) & ~rows.keep[: headline.row]] = NO_ROLE
        roles[headline.row] = _HEADLINE
    return roles


def _give_back(rows: _Rows, roles: Codes) -> None:
    """Make paragraphs of the rows of a role that too much of the article has."""
    kept = roles[rows.keep] - NO_ROLE
    chars = np.bincount(kept, rows.chars[rows.keep], len(ROLES) + 1)
    for role, most in _MOST_OF_TEXT.items():
        if chars[role - NO_ROLE] > most * chars.sum():
            roles[roles == role] = _PARAGRAPH
    if np.count_nonzero(kept == _BYLINE - NO_ROLE) > _MOST_BYLINES:
        roles[roles == _BYLINE] = _PARAGRAPH


def _mark_bylines(rows: _Rows, roles: Codes, first: int) -> None:
    """Find bylines by their text, between the headline and the first long row."""
    is_long = rows.keep & (rows.chars >= _LONG) & (roles == _PARAGRAPH)
    first = max(first, 0)
    last = first + int(np.argmax(np.append(is_long[first:], True)))
    could_be = (rows.chars[first:last] <= LONGEST_BYLINE) & _COULD_BE_BYLINE[roles[first:last]]
    candidates = first + np.flatnonzero(could_be)[:_MOST_CANDIDATES]
    bylines = [row for row in candidates.tolist() if is_byline(rows.text_of(row))]
    if len(bylines) <= _MOST_BYLINES:
        roles[bylines] = _BYLINE


def are_parts(roles: Codes, parts: Sequence[str]) -> Bools:
    """Tell which rows have one of some roles."""
    is_part = np.zeros(len(ROLES) + 1, np.bool_)
    is_part[[ROLES.index(name) for name in parts]] = True
    # The last flag is for NO_ROLE, the index -1.
    return is_part[roles]
