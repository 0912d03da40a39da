"""What a browser shows of the elements of a page, as columns beside its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Ints
from scrapy_cetr.extraction.page.nodes import TaggedNodes

# The browser stamps no page with more elements.
MAX_ELEMENTS = 20_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Boxes:
    """Rectangles in pixels of the page: left, top, width and height of each."""

    left: Ints
    top: Ints
    width: Ints
    height: Ints

    def __len__(self) -> int:
        return len(self.left)

    def corners(self, *, width: int, height: int) -> Floats:
        """Return left, top, right and bottom, 4 × rectangles, inside of a page of some size."""
        last = np.array(((width,), (height,)), np.float64)
        first = np.clip(np.stack((self.left, self.top)), 0, last)
        ends = np.stack((self.left + self.width, self.top + self.height))
        return np.concatenate((first, np.clip(ends, first, last)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """The layout of a page, with one element per node in each column.

    ``width`` and ``height`` are those of the page. ``is_stamped`` tells which nodes have a box in
    ``boxes``. ``text_area`` is the area of a node's own text in square pixels, ``chars`` the number
    of its characters that are shown, without white space; ``font_size`` is in pixels, ``colour``
    0xRRGGBB, both inherited and 0 if unknown. ``is_hidden`` marks nodes without any text that is
    shown, together with all nodes inside. ``other_boxes`` are those of elements that are no nodes,
    such as images: ``other_node`` is the node around each, -1 for none.
    """

    tagged: TaggedNodes
    width: int
    height: int
    is_stamped: Bools
    boxes: Boxes
    text_area: Ints
    chars: Ints
    font_size: Floats
    colour: Ints
    is_hidden: Bools
    other_boxes: Boxes
    other_node: Ints
    other_is_image: Bools

    @cached_property
    def is_visible(self) -> Bools:
        """Whether a node has a box, and is not hidden."""
        visible: Bools = self.is_stamped & ~self.is_hidden
        return visible
