"""Read the stamps that a browser has written into a page: boxes, fonts and what is shown.

A second pass over the markup reads them, so pages without stamps do not pay for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.elements import (
    BREAK_STRENGTHS,
    HIDDEN,
    LINE_BREAK,
    PARAGRAPH_BREAK,
    VOID,
)
from scrapy_cetr.extraction.html.visibility import is_opened, is_root
from scrapy_cetr.extraction.page.hidden import NO_SUSPECTS, Suspects
from scrapy_cetr.extraction.page.layout import MAX_ELEMENTS, Boxes, Layout
from scrapy_cetr.extraction.page.nodes import TaggedNodes, make_tagged_nodes
from scrapy_cetr.extraction.page.page import Page

AnyPage = TypeVar("AnyPage", bound=Page)

# Elements with a tag that makes a node, by their codes.
_MAKES_NODE = np.ones(128, np.bool_)
_MAKES_NODE[[HIDDEN, *VOID]] = False


def with_layout(page: AnyPage, html: str) -> AnyPage:
    """Return a page with its layout, and what a browser does not show as its hidden text.

    The page is returned as it is if it was not stamped, or not by the script that does it: anybody
    can write such attributes.
    """
    if not 0 < np.count_nonzero(page.tags > 0) <= MAX_ELEMENTS:
        return page
    stamps = loops.read_stamps(html)
    size = stamps.size
    if size is None or min(size) <= 0 or not len(stamps.boxes) or not _are_of(page, stamps):
        return page
    tagged = make_tagged_nodes(page.tags, page.tag_offset, len(page.text))
    unseen = np.array([tag for tag, _ in stamps.unseen], np.int32)
    suspects = _suspects(tagged, unseen, [attributes for _, attributes in stamps.unseen])
    layout = _layout(tagged, size, stamps.boxes, unseen)
    return replace(page, layout=layout, suspects=suspects)


def _are_of(page: Page, stamps: loops.StampColumns) -> bool:
    """Tell whether the reader has seen the same tags.

    Markup that something unclosed has swallowed is read again; a browser leaves none.
    """
    codes = page.tags.copy()
    codes[codes == PARAGRAPH_BREAK] = LINE_BREAK
    return np.array_equal(stamps.tags, codes)


def _layout(tagged: TaggedNodes, size: tuple[int, int], boxes: Ints, unseen: Ints) -> Layout:
    count = len(tagged.nodes)
    at, codes = boxes[:, 0], boxes[:, 1]
    node = np.minimum(np.searchsorted(tagged.first_tag, at).astype(np.int32), count - 1)
    is_node = (tagged.first_tag[node] == at) & _MAKES_NODE[codes]
    own, others = node[is_node], boxes[~is_node]
    columns = np.zeros((8, count), np.int32)
    columns[6:] = -1
    columns[:, own] = boxes[is_node, 3:11].T
    is_stamped = np.zeros(count, np.bool_)
    is_stamped[own] = True
    left, top, width, height, text_area, chars, tenths, colour = columns
    parent = tagged.nodes.parent
    return Layout(
        tagged=tagged,
        width=size[0],
        height=size[1],
        is_stamped=is_stamped,
        boxes=Boxes(left=left, top=top, width=width, height=height),
        text_area=text_area,
        chars=chars,
        font_size=loops.numbers_from_parents(tenths, parent) / 10,
        colour=loops.numbers_from_parents(colour, parent),
        is_hidden=_inside(tagged, unseen),
        other_boxes=Boxes(
            left=others[:, 3], top=others[:, 4], width=others[:, 5], height=others[:, 6]
        ),
        other_node=_around(tagged, others[:, 0]),
        other_is_image=others[:, 2] > 0,
    )


def _around(tagged: TaggedNodes, at: Ints) -> Ints:
    """Return the innermost node around each of some elements that are no nodes, -1 for none.

    They are at the indices of their tags or, without a tag of their own, of the next tag.
    """
    if not len(at):
        return at
    last = max(int(at.max()), int(tagged.end_tag.max())) + 1
    # The node that is open after each tag that opens or closes some. Of those that a tag closes,
    # the outermost comes last here.
    node_after = np.full(last + 1, -2, np.int32)
    node_after[tagged.end_tag[::-1] + 1] = tagged.nodes.parent[::-1]
    node_after[tagged.first_tag + 1] = np.arange(len(tagged.nodes))
    node_after[0] = -1
    is_known = node_after != -2
    around: Ints = node_after[is_known][np.cumsum(is_known)[at] - 1]
    return around


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
