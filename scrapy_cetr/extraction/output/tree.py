"""The elements of a detailed page with their names, to find parts of it by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints, flag_indices
from scrapy_cetr.extraction.elements import FIRST_NAMED
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.page.names import indices_with

# The names that are remembered, and the characters of those of one element.
_MAX_KNOWN, _MAX_KNOWN_CHARS = 4096, 500


class Tree:
    """The elements of a page in preorder, as in ``page.nodes``, with their class names.

    Containers have their class names and id, other elements their label, if the page has one.
    """

    def __init__(self, page: DetailedPage) -> None:
        self.page = page
        self.tagged = page.tagged_nodes
        self.nodes = self.tagged.nodes

    @cached_property
    def _class_name(self) -> Ints:
        """The index of the class names of each element, 0 for none."""
        page, first = self.page, self.tagged.first_tag
        named = page.tags >= FIRST_NAMED
        number = np.cumsum(named, dtype=np.int32) - np.int32(1)
        found = np.zeros(len(first), np.int32)
        own = named[first]
        found[own] = page.class_name[number[first[own]]]
        return found

    def _labelled(self, labels: Mapping[int, str]) -> tuple[Ints, list[str]]:
        """Return the elements that have one of some labels, given by tag, and the label of each."""
        tags = np.fromiter(labels, np.int32, len(labels))
        first = self.tagged.first_tag
        node = np.searchsorted(first, tags).astype(np.int32)
        known = node < len(first)
        known[known] = first[node[known]] == tags[known]
        written = list(labels.values())
        return node[known], [written[index] for index in np.flatnonzero(known).tolist()]

    def name(self, node: int) -> str:
        """Return the class names and the id of a container, or "" for other elements."""
        return self.page.class_names[self._class_name[node]] if len(self.page.class_names) else ""

    def named(self, is_named: Callable[[str], object]) -> Ints:
        """Return the elements whose class names or labels satisfy a function, in order."""
        names = self.page.class_names
        indices = [index for index, name in enumerate(names) if is_named(name)]
        return self._named(indices, self.page.labels, is_named)

    def named_with(self, words: Sequence[str], is_named: Callable[[str], object]) -> Ints:
        """Return those that have one of some words, in lower case, and satisfy a function.

        This is faster, as most names have none.
        """
        names = self.page.class_names
        indices = [index for index in indices_with(names, words) if is_named(names[index])]
        return self._named(indices, self.page.labels_with(words), is_named)

    def _named(
        self, names: list[int], labels: Mapping[int, str], is_named: Callable[[str], object]
    ) -> Ints:
        """Return the elements with some class names, and those with fitting labels."""
        found = np.zeros(0, np.int32)
        if names:
            fits = np.zeros(len(self.page.class_names), np.bool_)
            fits[names] = True
            found = flag_indices(fits[self._class_name])
        if not labels:
            return found
        nodes, written = self._labelled(labels)
        known = {label: bool(is_named(label)) for label in dict.fromkeys(written)}
        own = nodes[[known[label] for label in written]] if written else nodes
        return np.union1d(found, own).astype(np.int32)

    def around(self, node: int) -> Iterator[int]:
        """Yield an element and those around it, the innermost first; -1 is none."""
        while node >= 0:
            yield node
            node = int(self.nodes.parent[node])

    def own_names(self, node: int) -> tuple[str, ...]:
        """Return the class names and the label of an element, as far as it has them."""
        names = self.name(node), self.page.label(int(self.tagged.first_tag[node]))
        return tuple(filter(str.strip, names))

    def tagged_as(self, codes: Iterable[int]) -> Ints:
        """Return the elements of some tags, in order."""
        is_tagged = np.zeros(128, np.bool_)
        is_tagged[list(codes)] = True
        return np.flatnonzero(is_tagged[self.nodes.tag]).astype(np.int32)

    def inside(self, nodes: Ints) -> Bools:
        """Mark the given elements and everything inside of them."""
        change = np.zeros(len(self.nodes) + 1, np.int32)
        np.add.at(change, nodes, 1)
        np.add.at(change, self.nodes.last[nodes], -1)
        return np.cumsum(change[:-1]) > 0

    def outermost(self, nodes: Ints) -> list[int]:
        """Return the elements that are in no other of the given ones."""
        found: list[int] = []
        end = -1
        for node in nodes.tolist():
            if node >= end:
                found.append(node)
                end = int(self.nodes.last[node])
        return found

    def rows_in(self, nodes: Iterable[int]) -> Bools:
        """Mark the rows with text whose text is inside of the given elements."""
        rows = self.page.rows
        change = np.zeros(len(rows) + 1, np.int32)
        for node in nodes:
            begin, end = self.nodes.start[node], self.nodes.end[node]
            first = np.searchsorted(rows.start, begin)
            last = np.searchsorted(rows.end, end, side="right")
            if first < last:
                change[first] += 1
                change[last] -= 1
        return (np.cumsum(change[:-1]) > 0) & (rows.chars > 0)

    def text(self, node: int) -> str:
        """Return the text of an element on one line."""
        return one_line(self.page.text[self.nodes.start[node] : self.nodes.end[node]])


def one_line(text: str) -> str:
    """Replace each run of white space by one space."""
    return " ".join(text.split())


def any_name(pattern: re.Pattern[str], but: re.Pattern[str] | None = None) -> Callable[[str], bool]:
    """Return a function that tells whether a name matches a pattern, and not another."""

    def matches(name: str) -> bool:
        return bool(pattern.search(name)) and not (but and but.search(name))

    # Few names are many of those of a site, or of all sites.
    known = lru_cache(maxsize=_MAX_KNOWN)(matches)

    def fits(names: str) -> bool:
        is_short = len(names) <= _MAX_KNOWN_CHARS
        return any(map(known if is_short else matches, names.split()))

    return fits
