"""The images of a page, each read from its HTML when asked for: an article has few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints, closed
from scrapy_cetr.extraction.elements import UNKNOWN
from scrapy_cetr.extraction.html.image_tags import MAX_TOKENS_BETWEEN, ImageTag, read_images
from scrapy_cetr.extraction.page.sources import Sources


class _Group(NamedTuple):
    """Pictures that are read together: their lines in ``Sources``, and their place in the HTML."""

    part: int
    first: int
    last: int
    begin: int
    end: int


class PageImages:
    """The images of a page by the index of the tag, and ``tags``, from which they may be read.

    A <source> is read together with the image after it, and an image with its copy in <noscript>.
    Images in ``unseen`` elements are left out: their first and last tags, in order.
    """

    def __init__(self, sources: Sources, codes: Codes, unseen: tuple[Ints, Ints] | None) -> None:
        self._sources = sources
        self._groups: list[_Group] = []
        tags, groups = [np.zeros(0, np.int32)], [np.zeros(0, np.intp)]
        bounds = (*sources.first_tag, len(sources.offset))
        for part, lines in enumerate(sources.pictures):
            if not len(lines):
                continue
            tag = lines[:, 0] + np.int32(bounds[part])
            is_source = lines[:, 2] >= 0
            is_source[is_source] = codes[tag[is_source]] == UNKNOWN
            first = _first_lines(lines, is_source)
            group = np.searchsorted(first, np.arange(len(lines)), side="right") - 1
            tags.append(tag[~is_source])
            groups.append(group[~is_source] + len(self._groups))
            offsets = sources.offset[bounds[part] : bounds[part + 1]]
            self._groups += _groups(part, lines, first, closed(offsets, len(sources.html[part])))
        # Each tag is in one group only.
        self.tags, index = np.unique(np.concatenate(tags), return_index=True)
        self._group = np.concatenate(groups)[index]
        if unseen is not None:
            seen = ~_are_inside(self.tags, *unseen)
            self.tags, self._group = self.tags[seen], self._group[seen]

    def read(self, tags: Ints) -> dict[int, ImageTag]:
        """Read the images of some of the tags, as far as these are images that can be seen."""
        asked = frozenset(tags.tolist())
        found: dict[int, ImageTag] = {}
        for group in dict.fromkeys(self._groups_of(tags)):
            part, first, last, _, _ = self._groups[group]
            before = self._sources.first_tag[part]
            lines = self._sources.pictures[part][first:last]
            for tag, image in read_images(self._sources.html[part], lines).items():
                if tag + before in asked:
                    found[tag + before] = image
        return found

    def are_written_as(self, tags: Ints, is_wanted: Callable[[str], bool]) -> Bools:
        """Tell of which of the tags the HTML satisfies a function, with the HTML around them."""
        groups = self._groups_of(tags)
        fits: dict[int, bool] = {}
        for group in dict.fromkeys(groups):
            part, _, _, begin, end = self._groups[group]
            fits[group] = is_wanted(self._sources.html[part][begin:end])
        return np.array([fits[group] for group in groups], np.bool_)

    def _groups_of(self, tags: Ints) -> list[int]:
        """Return the group of each tag."""
        groups: list[int] = self._group[np.searchsorted(self.tags, tags)].tolist()
        return groups


def _groups(part: int, lines: Ints, first: Indices, offsets: Ints) -> Iterator[_Group]:
    """Yield the groups of a part of a page, which begin at some lines."""
    last = np.append(first[1:], len(lines))
    # The next tag begins where the last one of a group has ended.
    following = lines[last - 1, 0] + (lines[last - 1, 2] >= 0)
    columns = (first, last, np.abs(lines[first, 2]), offsets[following])
    return map(_Group, repeat(part), *(column.tolist() for column in columns))


def _first_lines(lines: Ints, is_source: Bools) -> Indices:
    """Return the first line of each group: it is far from those before, and after no <source>."""
    is_tag = np.maximum.accumulate(np.where(lines[:, 2] >= 0, np.arange(len(lines)), 0))
    begins = np.ones(len(lines), np.bool_)
    begins[1:] = (np.diff(lines[:, 1]) > MAX_TOKENS_BETWEEN) & (np.diff(lines[:, 0]) > 0)
    begins[1:] &= ~is_source[is_tag[:-1]]
    return np.flatnonzero(begins)


def _are_inside(tags: Ints, first: Ints, last: Ints) -> Bools:
    """Tell which tags are inside of some elements, in order: their first and last tags."""
    element = np.searchsorted(first, tags) - 1
    inside: Bools = element >= 0
    inside[inside] = tags[inside] < last[element[inside]]
    return inside
