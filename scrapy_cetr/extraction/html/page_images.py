"""The images of a page, each read from its HTML when asked for: an article has few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Indices, Ints, closed
from scrapy_cetr.extraction.elements import UNKNOWN
from scrapy_cetr.extraction.html.image_tags import MAX_TOKENS_BETWEEN, ImageTag, read_images
from scrapy_cetr.extraction.page.sources import Sources


class _Groups(NamedTuple):
    """Pictures that are read together: their lines in ``Sources``, and their place in the HTML."""

    part: Ints
    first: Indices
    last: Indices
    begin: Ints
    end: Ints


class PageImages:
    """The images of a page by the index of the tag, and ``tags``, from which they may be read.

    A <source> is read together with the image after it, and an image with its copy in <noscript>.
    Images in ``unseen`` elements are left out: their first and last tags, in order.
    """

    def __init__(self, sources: Sources, codes: Codes, unseen: tuple[Ints, Ints] | None) -> None:
        self._sources = sources
        bounds = (*sources.first_tag, len(sources.offset))
        parts: list[_Groups] = []
        tags, groups, count = [np.zeros(0, np.int32)], [np.zeros(0, np.intp)], 0
        for part, lines in enumerate(sources.pictures):
            if not len(lines):
                continue
            tag = lines[:, 0] + np.int32(bounds[part])
            is_source = lines[:, 2] >= 0
            is_source[is_source] = codes[tag[is_source]] == UNKNOWN
            first = _first_lines(lines, is_source)
            group = np.searchsorted(first, np.arange(len(lines)), side="right") - 1
            tags.append(tag[~is_source])
            groups.append(group[~is_source] + count)
            offsets = closed(
                sources.offset[bounds[part] : bounds[part + 1]], len(sources.html[part])
            )
            parts.append(_groups(part, lines, first, offsets))
            count += len(first)
        self._groups = _Groups(*map(np.concatenate, zip(*parts, strict=True))) if parts else None
        self._tag, self._group = np.concatenate(tags), np.concatenate(groups)
        if unseen is not None:
            seen = ~_are_inside(self._tag, *unseen)
            self._tag, self._group = self._tag[seen], self._group[seen]
        self.tags: Ints = np.unique(self._tag)

    def read(self, tags: Ints) -> dict[int, ImageTag]:
        """Read the images of some tags, as far as these are images that can be seen."""
        asked = frozenset(tags.tolist())
        found: dict[int, ImageTag] = {}
        for part, first, last, _, _ in self._lines_of(self._groups_of(tags)):
            before = self._sources.first_tag[part]
            lines = self._sources.pictures[part][first:last]
            for tag, image in read_images(self._sources.html[part], lines).items():
                if tag + before in asked:
                    found[tag + before] = image
        return found

    def written_as(self, tags: Ints, is_wanted: Callable[[str], bool]) -> Ints:
        """Return those of some tags whose HTML satisfies a function, with the HTML around them."""
        groups = self._groups_of(tags)
        fits = [
            is_wanted(self._sources.html[part][begin:end])
            for part, _, _, begin, end in self._lines_of(groups)
        ]
        found = self._tag[_flags(groups[np.array(fits, np.bool_)], self._group)[self._group]]
        return tags[_flags(found, tags)[tags]]

    def _groups_of(self, tags: Ints) -> Indices:
        """Return the groups of some tags, in order."""
        asked = self._group[_flags(tags, self._tag)[self._tag]]
        return np.flatnonzero(_flags(asked, self._group))

    def _lines_of(self, groups: Indices) -> Iterator[tuple[int, ...]]:
        if self._groups is None:
            return iter(())
        return zip(*(column[groups].tolist() for column in self._groups), strict=True)


def _flags(indices: Ints | Indices, others: Ints | Indices) -> Bools:
    """Mark some indices, of as many as the others need."""
    flags = np.zeros(max(indices.max(initial=0), others.max(initial=0)) + 1, np.bool_)
    flags[indices] = True
    return flags


def _groups(part: int, lines: Ints, first: Indices, offsets: Ints) -> _Groups:
    """Make the groups of a part of a page, which begin at some lines."""
    last = np.append(first[1:], len(lines))
    # The next tag begins where the last one of a group has ended.
    following = lines[last - 1, 0] + (lines[last - 1, 2] >= 0)
    return _Groups(
        part=np.full(len(first), part, np.int32),
        first=first,
        last=last,
        begin=np.abs(lines[first, 2]),
        end=offsets[following],
    )


def _first_lines(lines: Ints, is_source: Bools) -> Indices:
    """Return the first line of each group: it is far from the others, and after no <source>."""
    is_tag = np.maximum.accumulate(np.where(lines[:, 2] >= 0, np.arange(len(lines)), 0))
    begins = np.ones(len(lines), np.bool_)
    begins[1:] = (np.diff(lines[:, 1]) > MAX_TOKENS_BETWEEN) & ~is_source[is_tag[:-1]]
    return np.flatnonzero(begins)


def _are_inside(tags: Ints, first: Ints, last: Ints) -> Bools:
    """Tell which tags are inside of some elements, in order: their first and last tags."""
    element = np.searchsorted(first, tags) - 1
    inside: Bools = element >= 0
    inside[inside] = tags[inside] < last[element[inside]]
    return inside
