"""The elements of a page with their attributes, in the order of the page, for selectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from turbohtml import Token, TokenType

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES, ELEMENT_NAMES, HIDDEN, VOID
from scrapy_cetr.extraction.html.reader import scan_page
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.page.nodes import make_tagged_nodes
from scrapy_cetr.extraction.page.page import Page

_START = TokenType.START_TAG
# Longer values are cut: no name, date or address of a page for people is longer.
_MAX_VALUE = 4000
_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, eq=False)
class Elements:
    """The elements of a page in document order, those without an end tag included.

    ``parents`` are indices of elements, -1 for none. The text of an element is
    ``page.text[begin:end]``. ``attributes`` has those attributes that were asked for.
    """

    names: Sequence[str]
    parents: Sequence[int]
    attributes: Sequence[Mapping[str, str]]
    begin: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def siblings(self) -> Siblings:
        """The position of each element among its siblings."""
        return _siblings(self.parents, self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Siblings:
    """For each element: the sibling before it (-1 for none), and its positions.

    ``index`` and ``index_of_type`` count from 1 among all siblings and among those of the same
    name; ``last`` and ``last_of_type`` are the numbers of these siblings.
    """

    before: Sequence[int]
    index: Sequence[int]
    last: Sequence[int]
    index_of_type: Sequence[int]
    last_of_type: Sequence[int]


def _siblings(parents: Sequence[int], names: Sequence[str]) -> Siblings:
    latest: dict[int, int] = {}
    count: dict[int, int] = {}
    count_of_type: dict[tuple[int, str], int] = {}
    before, index, index_of_type = [], [], []
    keys = list(zip(parents, names, strict=True))
    for element, key in enumerate(keys):
        parent = key[0]
        before.append(latest.get(parent, -1))
        latest[parent] = element
        count[parent] = count.get(parent, 0) + 1
        count_of_type[key] = count_of_type.get(key, 0) + 1
        index.append(count[parent])
        index_of_type.append(count_of_type[key])
    return Siblings(
        before=before,
        index=index,
        last=[count[parent] for parent in parents],
        index_of_type=index_of_type,
        last_of_type=[count_of_type[key] for key in keys],
    )


def read_elements(html: str, page: Page, *, attributes: Collection[str]) -> Elements:
    """Read the elements of a page that was made of this HTML.

    The tags are the same as those of the page, so that texts of elements and rows can be compared.
    If they are not, as on a page whose tags have too many attributes to be read, there are none.
    """
    found = AttributeReading(html, frozenset(attributes))
    if found.tags != len(page.tags):
        return Elements((), (), (), np.zeros(0, np.int32), np.zeros(0, np.int32))
    return _elements(page, found)


class AttributeReading:
    """A reading of a page for nothing but the attributes and unusual names of its start tags.

    ``by_tag`` and ``names`` are by the index of the tag.
    """

    def __init__(self, html: str, wanted: frozenset[str]) -> None:
        scans: list[_AttributeScan] = []

        class Reading(_AttributeScan):
            attributes_wanted = wanted

            def page(self) -> Page:
                scans.append(self)
                return super().page()

        page = scan_page(html, Reading, with_class_names=False, with_marks=True)
        # A page may be read twice, once with the inside of <noscript>.
        chosen = next(scan for scan in scans if scan.made is page)
        self.tags = len(page.tags)
        self.by_tag, self.names = chosen.by_tag, chosen.names


class _AttributeScan(Scan):
    """A pass that also collects attributes."""

    attributes_wanted: frozenset[str] = frozenset()

    def __init__(
        self,
        *,
        hidden: frozenset[str],
        with_class_names: bool,
        with_marks: bool,
        with_sources: bool = False,
    ) -> None:
        super().__init__(
            hidden=hidden,
            with_class_names=with_class_names,
            with_marks=with_marks,
            with_sources=with_sources,
        )
        self.by_tag: dict[int, Mapping[str, str]] = {}
        self.names: dict[int, str] = {}
        self.made: Page | None = None
        self._by_token: dict[int, Mapping[str, str]] = {}
        self._names_by_token: dict[int, str] = {}
        self._order = bytearray()

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        self._order, self._by_token, self._names_by_token = bytearray(), {}, {}
        tags_before = sum(len(part.tags) for part in self.parts)
        found = loops.TokenPass(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            with_marks=True,
            watch=self._watch,
            order=self._order,
        )
        for of_tokens, of_tags in (
            (self._by_token, self.by_tag),
            (self._names_by_token, self.names),
        ):
            tokens = np.fromiter(of_tokens, np.int32, len(of_tokens))
            tags = (found.tags_before(tokens) + np.int32(tags_before)).tolist()
            of_tags.update(zip(tags, of_tokens.values(), strict=True))  # type: ignore[arg-type]
        return found

    def _watch(self, token: Token) -> Token:
        # A hidden element is passed over, and is no tag of the page.
        if token.type is _START and token.tag is not None and token.tag not in self.hidden:
            wanted = self.attributes_wanted
            values = {
                name: (value or "")[:_MAX_VALUE]
                for name, value in reversed(token.attrs or ())
                if name in wanted
            }
            if values:
                self._by_token[len(self._order)] = values
            if ELEMENT_CODES.get(token.tag, 0) <= HIDDEN:
                self._names_by_token[len(self._order)] = token.tag
        return token

    def page(self) -> Page:
        self.made = super().page()
        return self.made


def _elements(page: Page, found: AttributeReading) -> Elements:
    """Combine the elements that can have others inside with those that have no end tag."""
    tagged = make_tagged_nodes(page.tags, page.tag_offset, len(page.text))
    is_void = np.isin(page.tags, sorted(VOID))
    void = np.flatnonzero(is_void).astype(np.int32)
    tags = np.concatenate((tagged.first_tag, void))
    order = np.argsort(tags, kind="stable")
    number = np.empty(len(order) + 1, np.int32)
    number[order] = np.arange(len(order))
    number[-1] = -1  # the parent of elements without one
    parents = np.concatenate((tagged.nodes.parent, tagged.around(void)))
    offset = page.tag_offset[void]
    in_order = tags[order].tolist()
    codes = page.tags[tags[order]].tolist()
    names, attributes = found.names, found.by_tag
    return Elements(
        names=[
            names.get(tag) or ELEMENT_NAMES[code] for tag, code in zip(in_order, codes, strict=True)
        ],
        parents=number[parents[order]].tolist(),
        attributes=[attributes.get(tag, _NONE) for tag in in_order],
        begin=np.concatenate((tagged.nodes.start, offset))[order],
        end=np.concatenate((tagged.nodes.end, offset))[order],
    )
