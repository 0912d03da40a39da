"""A page with the URLs of its links and images, read from its HTML when they are asked for.

Only the formats, captions and comments need them, so the text is read without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Ints, flag_indices
from scrapy_cetr.extraction.elements import ELEMENT_CODES, LINK, codes_of
from scrapy_cetr.extraction.html.image_tags import ImageTag
from scrapy_cetr.extraction.html.page_images import PageImages
from scrapy_cetr.extraction.html.reader import scan_page
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.html.stamped import with_layout
from scrapy_cetr.extraction.page.hidden import without_hidden
from scrapy_cetr.extraction.page.names import indices_with
from scrapy_cetr.extraction.page.nodes import Nodes, TaggedNodes, make_tagged_nodes
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.sources import Sources

# Elements that are no containers, but whose class names can tell what their text is.
_IS_LABELLED = np.zeros(256, np.bool_)
_IS_LABELLED[
    sorted(codes_of("a abbr b cite em figcaption font h3 h4 h5 h6 i p small span strong time"))
] = True
_LABEL_ATTRIBUTES = ("class", "itemprop", "rel")
_TIME, _BASE, _META = map(ELEMENT_CODES.__getitem__, ("time", "base", "meta"))
_LABEL = re.compile(
    r"author|name|user|nick|poster|writer|commenter|\bfn\b|by|date|time|posted|publish|ago\b|caption|legend|bild|foto"
    r"|credit|avatar|text|body|content|message",
    re.IGNORECASE,
)
_MAX_LABEL, _MAX_DATETIME, _MAX_URL = 200, 100, 4000
_MAIN_IMAGE = frozenset(("og:image", "og:image:url", "twitter:image", "twitter:image:src"))


class Image(NamedTuple):
    """An image of an article: its URL, its alternative text and its caption."""

    url: str
    alt: str
    caption: str = ""


@dataclass(frozen=True, eq=False)
class DetailedPage(Page):
    """A page with its links, images and labels, each by the index of the tag.

    They are read from the HTML when they are first asked for. ``unseen`` are the first and last
    tags of hidden elements, whose images are left out.
    """

    unseen: tuple[Ints, Ints] | None = None

    @property
    def nodes(self) -> Nodes:
        """The elements of the page."""
        return self.tagged_nodes.nodes

    @cached_property
    def tagged_nodes(self) -> TaggedNodes:
        """The elements of the page, with the indices of their tags."""
        return make_tagged_nodes(self.tags, self.tag_offset, len(self.text))

    @property
    def hrefs(self) -> Mapping[int, str]:
        """The URLs of all links as written."""
        links = flag_indices(self.tags == LINK)
        return {tag: href for tag, (href,) in self.values(links, "href") if href}

    @cached_property
    def page_images(self) -> PageImages:
        """The images, to read some of them."""
        return PageImages(self._sources, self.tags, self.unseen)

    @property
    def images(self) -> Mapping[int, ImageTag]:
        """All images as their tags have them."""
        return self.page_images.read(self.page_images.tags)

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """The class names, itemprop and rel of elements that are no containers.

        Only those are there that name authors, dates or captions.
        """
        known: dict[tuple[str | None, ...], str] = {}
        labels: dict[int, str] = {}
        tags = flag_indices(_IS_LABELLED[self.tags])
        for tag, values in self.values(tags, *_LABEL_ATTRIBUTES):
            if values not in known:
                known[values] = _label(values)
            if known[values]:
                labels[tag] = known[values]
        return labels

    def labels_with(self, words: Sequence[str]) -> dict[int, str]:
        """Return the labels that have one of some words in lower case, sooner than all labels."""
        tags = flag_indices(_IS_LABELLED[self.tags])
        given = self._sources.values(tags, *_LABEL_ATTRIBUTES)
        distinct = list(set(given))
        names = [" ".join(filter(None, values)) for values in distinct]
        of_values = {
            distinct[index]: _label(distinct[index]) for index in indices_with(names, words)
        }
        if not of_values:
            return {}
        found = zip(tags.tolist(), map(of_values.get, given), strict=True)
        return {tag: label for tag, label in found if label}

    def label(self, tag: int) -> str:
        """Return the label of a start tag, "" if it has none."""
        if not _IS_LABELLED[self.tags[tag]]:
            return ""
        ((_, values),) = self.values(np.array([tag], np.int32), *_LABEL_ATTRIBUTES)
        return _label(values)

    @cached_property
    def datetimes(self) -> Mapping[int, str]:
        """The attribute of <time> elements."""
        times = self.values(flag_indices(self.tags == _TIME), "datetime")
        return {tag: (value or "")[:_MAX_DATETIME] for tag, (value,) in times}

    @cached_property
    def base(self) -> str | None:
        """The href of the first <base> that has one."""
        bases = self.values(flag_indices(self.tags == _BASE), "href")
        return next((href for _, (href,) in bases if href is not None), None)

    @cached_property
    def main_image(self) -> str | None:
        """The URL of the image that the page declares."""
        metas = flag_indices(self.tags == _META)
        for _, (of_property, name, content) in self.values(metas, "property", "name", "content"):
            if (of_property or name) in _MAIN_IMAGE:
                url = (content or "").strip()[:_MAX_URL]
                if url:
                    return url
        return None

    def values(self, tags: Ints, *names: str) -> Iterator[tuple[int, tuple[str | None, ...]]]:
        """Yield the values of attributes of some tags, given by ascending indices."""
        return zip(tags.tolist(), self._sources.values(tags, *names), strict=True)

    @property
    def _sources(self) -> Sources:
        if self.sources is None:
            raise ValueError("the page was read without the offsets of its tags in the HTML")
        return self.sources


def _label(values: tuple[str | None, ...]) -> str:
    """Return the names of an element that say what its text is, or "" if they do not."""
    names = " ".join([value or "" for value in values])
    return names if len(names) < _MAX_LABEL and _LABEL.search(names) else ""


def read_details(html: str, *, with_stamps: bool = False) -> DetailedPage:
    """Read a page into blocks, with its class names, links and images.

    With ``with_stamps``, what is hidden is read from the stamps of a browser.

    >>> read_details("<p>See <a href=/map>the map</a>").hrefs
    {1: '/map'}
    """
    page = scan_page(html, Scan, with_class_names=True, with_marks=True, with_sources=True)
    if with_stamps:
        page = with_layout(page, html)
    return with_details(page)


def with_details(page: Page) -> DetailedPage:
    """Return a page that was read with sources as one with details."""
    return DetailedPage(**{column.name: getattr(page, column.name) for column in fields(page)})


def visible_details(page: DetailedPage) -> DetailedPage:
    """Return a page without its hidden text and images."""
    suspects = page.suspects
    hidden = suspects.hidden()
    if not len(hidden):
        return page
    unseen = suspects.first_tag[hidden], suspects.last_tag[hidden]
    visible = replace(without_hidden(page, hidden), unseen=unseen)
    # It has the same tags.
    if "tagged_nodes" in page.__dict__:
        visible.__dict__["tagged_nodes"] = page.tagged_nodes
    return visible
