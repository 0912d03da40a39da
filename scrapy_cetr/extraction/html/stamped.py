"""Read the stamps that a browser has written into a page: boxes, fonts and what is shown.

A second pass over the tokens reads them, so pages without stamps do not pay for it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.elements import (
    BREAK_STRENGTHS,
    ELEMENT_CODES,
    HIDDEN,
    HIDDEN_TREES,
    LINE_BREAK,
    PARAGRAPH_BREAK,
    VOID,
)
from scrapy_cetr.extraction.html.visibility import is_opened, is_root
from scrapy_cetr.extraction.loops.hiding import first_values
from scrapy_cetr.extraction.page.hidden import NO_SUSPECTS, Suspects
from scrapy_cetr.extraction.page.layout import MAX_ELEMENTS, Boxes, Layout
from scrapy_cetr.extraction.page.nodes import TaggedNodes, make_tagged_nodes
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.stamps import STAMP

AnyPage = TypeVar("AnyPage", bound=Page)

_START, _END = TokenType.START_TAG, TokenType.END_TAG
# Left, top, width and height; area and number of characters of the text; font size and colour,
# where they differ from those of the parent; whether all of the text is hidden.
_BOX = re.compile(
    r"(-?\d{1,8}) (-?\d{1,8}) (\d{1,8}) (\d{1,8})(?: t(\d{1,9}))?(?: n(\d{1,9}))?"
    r"(?: f(\d{1,4}(?:\.\d)?))?(?: c([0-9a-f]{6}))?( h)?"
)
_NOT_RENDERED = "-"
# The version, and the width and height of the page and of the window.
_ROOT = re.compile(r"1 (\d{1,8}) (\d{1,8}) \d{1,8} \d{1,8}")
# Elements that are pictures; the reader does not look inside of some of them.
_PICTURES = frozenset(("img", "image", "svg", "video", "canvas", "object", "embed", "iframe"))


class _Stamp(NamedTuple):
    """A stamp: the index of its tag, the name of that, and the groups of the expression."""

    tag: int
    name: str
    groups: Sequence[str | None]


class _Stamps:
    """The stamps of a page, collected from its tokens.

    ``tags`` are those that the reader notes: none inside of hidden elements.
    """

    def __init__(self) -> None:
        self.tags = array("b")
        self.size: tuple[int, int] | None = None
        self.found: list[_Stamp] = []
        # The attributes of elements that are not shown, by the index of their tag.
        self.hidden: dict[int, Mapping[str, str]] = {}

    def read(self, html: str, hidden: frozenset[str]) -> None:
        """Read the tokens of a page; the reader looks for text in elements that are not hidden."""
        tokens: Iterator[Any] = iter(tokenize(html))
        note, code_of = self.tags.append, ELEMENT_CODES.get
        for token in tokens:
            kind = token.type
            if kind is _START:
                is_skipped = token.tag in hidden
                if (value := token.attr(STAMP)) is not None:
                    self._note(token, value, is_skipped=is_skipped)
                if is_skipped:
                    _skip(token, tokens)
                else:
                    note(code_of(token.tag, 0))
            elif kind is _END:
                note(-code_of(token.tag, 0))

    def _note(self, token: Token, value: str, *, is_skipped: bool) -> None:
        name = token.tag or ""
        # An element that the reader skips has no tag, and its index is that of the next one.
        if value == _NOT_RENDERED:
            if not is_skipped:
                self._hide(token)
        elif (box := _BOX.fullmatch(value)) is not None:
            self.found.append(_Stamp(len(self.tags), name, box.groups()))
            if box[9] and not is_skipped:
                self._hide(token)
        elif name == "html" and (root := _ROOT.fullmatch(value)) is not None:
            self.size = (int(root[1]), int(root[2]))

    def _hide(self, token: Token) -> None:
        self.hidden[len(self.tags)] = first_values(token.attrs or ())

    def are_of(self, page: Page) -> bool:
        """Tell whether the reader has seen the same tags.

        Markup that something unclosed has swallowed is read again; a browser leaves none.
        """
        if len(self.tags) != len(page.tags):
            return False
        tags, codes = np.frombuffer(self.tags, np.int8), page.tags.copy()
        codes[codes == PARAGRAPH_BREAK] = LINE_BREAK
        is_known = tags != 0
        return np.array_equal(tags[is_known], codes[is_known])


def _skip(start: Token, tokens: Iterator[Any]) -> None:
    """Read to the end tag of a hidden element, as the reader does."""
    name, depth = start.tag, 1
    if start.self_closing and name in HIDDEN_TREES:
        return
    for token in tokens:
        if token.tag == name:
            depth += -1 if token.type is _END else not token.self_closing
            if not depth:
                return


def with_layout(page: AnyPage, html: str, *, hidden: frozenset[str]) -> AnyPage:
    """Return a page with its layout, and what a browser does not show as its hidden text.

    The page is returned as it is if it was not stamped, or not by the script that does it: anybody
    can write such attributes.
    """
    if not 0 < np.count_nonzero(page.tags > 0) <= MAX_ELEMENTS:
        return page
    stamps = _Stamps()
    stamps.read(html, hidden)
    size = stamps.size
    if size is None or min(size) <= 0 or not stamps.found or not stamps.are_of(page):
        return page
    tagged = make_tagged_nodes(page.tags, page.tag_offset, len(page.text))
    at = np.array([one.tag for one in stamps.found], np.int32)
    unseen = np.array([*stamps.hidden], np.int32)
    suspects = _suspects(tagged, unseen, [*stamps.hidden.values()])
    layout = _layout(tagged, size, stamps.found, at, unseen)
    return replace(page, layout=layout, suspects=suspects)


def _layout(
    tagged: TaggedNodes,
    size: tuple[int, int],
    found: Sequence[_Stamp],
    at: Ints,
    unseen: Ints,
) -> Layout:
    groups = [int(group) if group else 0 for one in found for group in one.groups[:6]]
    numbers = np.array(groups, np.int32).reshape(-1, 6)
    count = len(tagged.nodes)
    is_node, node = _nodes_of(tagged, at, [one.name for one in found])
    columns = np.zeros((6, count), np.int32)
    columns[:, node[is_node]] = numbers[is_node].T
    is_stamped = np.zeros(count, np.bool_)
    is_stamped[node[is_node]] = True
    fonts: list[float | None] = [None] * count
    colours: list[int | None] = [None] * count
    for one, index in zip(found, np.where(is_node, node, -1).tolist(), strict=True):
        if index >= 0:
            fonts[index] = float(one.groups[6]) if one.groups[6] else None
            colours[index] = int(one.groups[7], 16) if one.groups[7] else None
    parents = tagged.nodes.parent.tolist()
    others = numbers[~is_node]
    return Layout(
        tagged=tagged,
        width=size[0],
        height=size[1],
        is_stamped=is_stamped,
        boxes=Boxes(left=columns[0], top=columns[1], width=columns[2], height=columns[3]),
        text_area=columns[4],
        chars=columns[5],
        font_size=np.array(_inherited(fonts, parents), np.float64),
        colour=np.array(_inherited(colours, parents), np.int32),
        is_hidden=_inside(tagged, unseen),
        other_boxes=Boxes(
            left=others[:, 0], top=others[:, 1], width=others[:, 2], height=others[:, 3]
        ),
        other_node=_around(tagged, at[~is_node]),
        other_is_image=np.array(
            [one.name in _PICTURES for one, own in zip(found, is_node, strict=True) if not own],
            np.bool_,
        ),
    )


def _nodes_of(tagged: TaggedNodes, at: Ints, names: Sequence[str]) -> tuple[Bools, Ints]:
    """Tell which stamped tags are those of nodes, and of which."""
    node = np.searchsorted(tagged.first_tag, at).astype(np.int32)
    node = np.minimum(node, len(tagged.nodes) - 1)
    codes = np.array([ELEMENT_CODES.get(name, 0) for name in names], np.int16)
    is_node = (tagged.first_tag[node] == at) & (codes != HIDDEN)
    is_node &= ~np.isin(codes, sorted(VOID))
    return is_node, node


def _around(tagged: TaggedNodes, at: Ints) -> Ints:
    """Return the innermost node around each of some elements that are no nodes, -1 for none.

    They are at the indices of their tags or, without a tag of their own, of the next tag.
    """
    found = np.searchsorted(tagged.first_tag, at).astype(np.int32) - np.int32(1)
    while True:
        beyond = np.flatnonzero(found >= 0)
        beyond = beyond[tagged.end_tag[found[beyond]] < at[beyond]]
        if not len(beyond):
            return found
        found[beyond] = tagged.nodes.parent[found[beyond]]


def _inherited(values: list[float | None] | list[int | None], parents: list[int]) -> list[float]:
    """Fill in values from the parents, which come before their children; 0 for none."""
    filled: list[float] = []
    for value, parent in zip(values, parents, strict=True):
        if value is None:
            value = filled[parent] if parent >= 0 else 0
        filled.append(value)
    return filled


def _inside(tagged: TaggedNodes, unseen: Ints) -> Bools:
    """Mark the nodes of some tags, and all nodes inside of them."""
    edges = np.zeros(len(tagged.nodes) + 1, np.int32)
    node = np.searchsorted(tagged.first_tag, unseen)
    found = node[np.isin(unseen, tagged.first_tag)]
    np.add.at(edges, found, 1)
    np.add.at(edges, tagged.nodes.last[found], -1)
    inside: Bools = np.cumsum(edges)[:-1] > 0
    return inside


def _suspects(
    tagged: TaggedNodes, unseen: Ints, attributes: Sequence[Mapping[str, str]]
) -> Suspects:
    """Return the elements with text that the browser does not show.

    Those that a reader opens with a click, such as tabs, stay.
    """
    node = np.minimum(np.searchsorted(tagged.first_tag, unseen), len(tagged.nodes) - 1)
    nodes = tagged.nodes
    taken = np.flatnonzero(
        (tagged.first_tag[node] == unseen) & (nodes.start[node] < nodes.end[node])
    )
    if not len(taken):
        return NO_SUSPECTS
    node = node[taken]
    codes = nodes.tag[node]

    def is_hidden(index: int) -> bool:
        values = attributes[int(taken[index])]
        return not is_root(int(codes[index])) and not is_opened(values)

    is_inline = BREAK_STRENGTHS[codes] == 0
    ends = tagged.end_tag[node]
    return Suspects(
        nodes.start[node], nodes.end[node], is_inline, tagged.first_tag[node], ends, is_hidden
    )
