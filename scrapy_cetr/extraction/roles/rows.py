"""What the role of a row is derived from: its text, and the elements and class names around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_NAMED
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.page.class_hints import ROLE_BITS
from scrapy_cetr.extraction.page.containers import Containers
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.row_texts import RowTexts

# The role of a row that is not part of the article.
NO_ROLE = -1
# The bits of class names.
CAPTION, BYLINE, LEAD, QUOTE, EMBED, NOTE, COMMENT, NO_COMMENT, SERVICE = ROLE_BITS.values()
_ALL_BITS = sum(ROLE_BITS.values())
# The bits that count for all rows inside of an element.
_PASSED_DOWN = QUOTE | EMBED | COMMENT
# Elements that give the rows inside of them a role; the innermost counts.
_ELEMENTS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("li", "dd", "dt"), "list"),
    **dict.fromkeys(("td", "th", "tr", "caption"), "table"),
    **dict.fromkeys(("pre", "listing"), "code"),
    "blockquote": "quote",
    "figcaption": "caption",
}
# An element with more characters is not one item, cell or quotation, but holds the page.
_LARGEST_ELEMENT = 3000
# A container with more characters holds more than its class name says.
_LARGEST_NEAR = 1200
_ITEM = ELEMENT_CODES["li"]
# The containers around a row that can give it a role.
_LEVELS = 4


def _tabulate_elements() -> Codes:
    table = np.full(128, NO_ROLE, np.int8)
    for name, role in _ELEMENTS.items():
        table[ELEMENT_CODES[name]] = ROLES.index(role)
    return table


_ROLE_OF_ELEMENT = _tabulate_elements()

Bits = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RoleRows:
    """Columns of the rows with text, from which their roles are derived.

    ``code`` is the element of each row, ``element_role`` the role by the elements around it. The
    bits of class names are ``near`` for the row's own element and small containers around it,
    ``inside`` for all containers. ``is_item`` tells the rows in items of lists.
    """

    texts: RowTexts
    chars: Ints
    keep: Bools
    code: Codes
    element_role: Codes
    near: Bits
    inside: Bits
    is_item: Bools

    def __len__(self) -> int:
        return len(self.texts)


class RoleSource(NamedTuple):
    """The columns of a page that ``role_columns`` reads; ``hints`` are None without class names."""

    tags: Codes
    class_name: Ints
    hints: Bits | None
    openers: Ints
    chars: Ints
    tree: Containers


def measure_rows(page: Page, keep: Bools, with_class_names: bool) -> RoleRows:
    rows = page.text_rows
    source = RoleSource(
        tags=page.tags,
        class_name=page.class_name,
        hints=page.class_hints if with_class_names and len(page.class_name) else None,
        openers=page.rows.opener[rows],
        chars=page.rows.chars[rows],
        tree=page.containers,
    )
    code, element_role, near, inside, is_item = loops.role_columns(source, TABLES, role_columns)
    return RoleRows(
        texts=page.row_texts,
        chars=source.chars,
        keep=keep[rows],
        code=code,
        element_role=element_role,
        near=near,
        inside=inside,
        is_item=is_item,
    )


# For the compiled columns.
TABLES = loops.RoleTables(
    role_of_element=_ROLE_OF_ELEMENT,
    no_role=NO_ROLE,
    item=_ITEM,
    levels=_LEVELS,
    largest_element=_LARGEST_ELEMENT,
    largest_near=_LARGEST_NEAR,
    all_bits=_ALL_BITS,
    passed_down=_PASSED_DOWN,
    veto=NO_COMMENT,
    vetoed=COMMENT,
)


def role_columns(source: RoleSource) -> tuple[Codes, Codes, Bits, Bits, Bools]:
    """Return the columns of RoleRows from ``code`` on."""
    tree, openers = source.tree, source.openers
    code = np.where(openers >= 0, source.tags.take(openers, mode="clip"), np.int8(0))
    is_opened = code > 0
    code[~is_opened] = tree.code[tree.of_row[~is_opened]]
    size = np.zeros(len(openers) + 1, np.intp)
    np.cumsum(source.chars, out=size[1:])
    size = size[tree.last_row] - size[tree.first_row]
    near = inside = np.zeros(len(openers), np.int64)
    if source.hints is not None:
        near, inside = _class_bits(source, source.hints, size)
    return code, _element_roles(tree, code, size), near, inside, _are_items(tree, code)


def _are_items(tree: Containers, code: Codes) -> Bools:
    """Tell which rows are in an item of a list."""
    is_item: Bools = code == _ITEM
    is_item_container = tree.code == _ITEM
    container = tree.of_row
    for _ in range(_LEVELS):
        is_item = is_item | is_item_container[container]
        container = tree.parent[container]
    return is_item


def _element_roles(tree: Containers, code: Codes, size: Indices) -> Codes:
    """Return the role of each row by the innermost element that gives it one."""
    of_containers = _ROLE_OF_ELEMENT[tree.code]
    of_containers[size > _LARGEST_ELEMENT] = NO_ROLE
    roles, container = _ROLE_OF_ELEMENT[code], tree.of_row
    for _ in range(_LEVELS):
        roles = np.where(roles == NO_ROLE, of_containers[container], roles)
        container = tree.parent[container]
    return roles


def _class_bits(source: RoleSource, hints: Bits, size: Indices) -> tuple[Bits, Bits]:
    """Return the role hints near to each row, and those of all containers around it."""
    tree, openers = source.tree, source.openers
    of_names = hints & _ALL_BITS
    of_names[(of_names & NO_COMMENT) > 0] &= ~COMMENT
    of_containers = of_names[source.class_name[tree.class_name]]
    of_containers[0] = 0
    whole = of_containers & _PASSED_DOWN
    inherited, _, _ = loops.inherit(tree.parent, whole, np.zeros(len(tree), np.bool_))
    of_containers[size > _LARGEST_NEAR] = 0
    of_containers |= of_containers[tree.parent]
    named_before = np.cumsum(source.tags >= FIRST_NAMED, dtype=np.int32)
    is_named = (openers >= 0) & (source.tags.take(openers, mode="clip") >= FIRST_NAMED)
    name = source.class_name.take(named_before.take(openers, mode="clip") - 1, mode="clip")
    own = np.where(is_named, of_names[name], 0)
    return own | of_containers[tree.of_row], own | inherited[tree.of_row]
