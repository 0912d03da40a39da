"""The elements of a page as parallel numpy columns, made from nothing but its tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Ints, chunks

# Browsers nest no deeper; deeper elements are no nodes of their own.
MAX_DEPTH = 512

# Tags with this number of tags on both sides, and no text among them, are left out: no page for
# people has them, and a hostile one has millions.
MAX_WITHOUT_TEXT = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The elements of a page in preorder; the subtree of node i is nodes ``i`` to ``last[i] - 1``.

    Its text is ``page.text[start[i]:end[i]]``. ``tag`` is its code in ``elements``; the parent of a
    top-level node is -1.
    """

    tag: Codes
    parent: Ints
    last: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.tag)


@dataclass(frozen=True, slots=True, eq=False)
class TaggedNodes:
    """The elements of a page, and the index of the first tag and of the tag that ends each.

    The index of the end is the number of tags if an element is never closed.
    """

    nodes: Nodes
    first_tag: Ints
    end_tag: Ints

    def around(self, tags: Ints) -> Ints:
        """Return the innermost element around each of some tags, by index; -1 for none."""
        found = np.searchsorted(self.first_tag, tags).astype(np.int32) - np.int32(1)
        while True:
            beyond = np.flatnonzero(found >= 0)
            beyond = beyond[self.end_tag[found[beyond]] <= tags[beyond]]
            if not len(beyond):
                return found
            found[beyond] = self.nodes.parent[found[beyond]]


def make_tagged_nodes(tags: Codes, offset: Ints, length: int) -> TaggedNodes:
    """Build the elements of a page from its tags, and keep the indices of these."""
    first, last, parent = loops.pair_tags(tags, near_text(offset), False, MAX_DEPTH)
    first_tag = first.copy()
    end_tag = np.where(last > 0, last, np.int32(len(tags)))
    nodes = _nodes(tags, offset, length, first, last, parent, rooted=False)
    return TaggedNodes(nodes, first_tag, end_tag)


def make_nodes(tags: Codes, offset: Ints, length: int, *, rooted: bool = False) -> Nodes:
    """Build the elements of a page from its tags, closing what the page forgot to close.

    If they are ``rooted``, the first node represents the page, and is its own parent.
    """
    near = near_text(offset)
    columns = loops.pair_tags(tags, near, rooted, MAX_DEPTH)
    del near
    return _nodes(tags, offset, length, *columns, rooted=rooted)


def near_text(offset: Ints) -> Bools:
    """Mark the tags that are not amid far too many others without text between them.

    >>> bool(near_text(np.zeros(100, np.int32)).all())
    True
    """
    near = np.ones(len(offset), np.bool_)
    if len(offset) <= 2 * MAX_WITHOUT_TEXT:
        return near
    amid = slice(MAX_WITHOUT_TEXT, -MAX_WITHOUT_TEXT)
    near[amid] = offset[2 * MAX_WITHOUT_TEXT :] != offset[: -2 * MAX_WITHOUT_TEXT]
    return near


def _nodes(
    tags: Codes, offset: Ints, length: int, first: Ints, last: Ints, parent: Ints, *, rooted: bool
) -> Nodes:
    """Make nodes of the indices of first and last tags, overwriting them."""
    tag, end = np.zeros(len(first), np.int8), np.full(len(first), length, np.int32)
    for now in chunks(len(first)):
        closed = last[now] > 0
        end[now][closed] = offset[last[now][closed]]
        last[now] = np.searchsorted(first, np.where(closed, last[now], np.int32(len(tags) + 1)))
    # The root has no tag. The offsets overwrite the indices, which are not needed any more.
    tag_of, start = tag[int(rooted) :], first[int(rooted) :]
    for now in chunks(len(start)):
        tag_of[now] = tags[start[now]]
        start[now] = offset[start[now]]
    return Nodes(tag=tag, parent=parent, last=last, start=first, end=end)
