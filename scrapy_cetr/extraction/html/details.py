"""A second reading of a page, which includes the URLs of its links and images.

Only the formats, captions and comments need it, so the text is read without it. Text and tags are
the same in both readings, so that offsets from the first are valid in the second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from turbohtml import Token, TokenType

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.html.image_tags import IMAGE_TAGS, ImageReader, ImageTag
from scrapy_cetr.extraction.html.reader import scan_page
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.page.hidden import without_hidden
from scrapy_cetr.extraction.page.nodes import Nodes, TaggedNodes, make_tagged_nodes
from scrapy_cetr.extraction.page.page import Page

_START = TokenType.START_TAG
_Value = TypeVar("_Value")
# Elements that are no containers, but whose class names can tell what their text is.
_LABELLED = frozenset(
    re.findall(
        r"\S+",
        "a abbr b cite em figcaption font h3 h4 h5 h6 i p small span strong time",
    )
)
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
    """A page with the hrefs of its links and its images, by the index of the tag.

    ``labels`` has the class names, itemprop and rel of elements that are no containers, if they
    name authors, dates or captions. ``datetimes`` has the attribute of <time> elements. ``base`` is
    the href of the <base> of the page, and ``main_image`` the URL of the image that it declares.
    """

    hrefs: Mapping[int, str] = field(default_factory=dict)
    images: Mapping[int, ImageTag] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    datetimes: Mapping[int, str] = field(default_factory=dict)
    base: str | None = None
    main_image: str | None = None

    @property
    def nodes(self) -> Nodes:
        """The elements of the page."""
        return self.tagged_nodes.nodes

    @cached_property
    def tagged_nodes(self) -> TaggedNodes:
        """The elements of the page, with the indices of their tags."""
        return make_tagged_nodes(self.tags, self.tag_offset, len(self.text))


def read_details(html: str) -> DetailedPage:
    """Read a page into blocks, with its class names, links and images.

    >>> read_details("<p>See <a href=/map>the map</a>").hrefs
    {1: '/map'}
    """
    page = scan_page(html, _DetailScan, with_class_names=True, with_marks=True)
    assert isinstance(page, DetailedPage)  # noqa: S101
    return page


def visible_details(page: DetailedPage) -> DetailedPage:
    """Return a page without its hidden text and images."""
    suspects = page.suspects
    hidden = suspects.hidden()
    if not len(hidden):
        return page
    first, last = suspects.first_tag[hidden], suspects.last_tag[hidden]
    images = {
        tag: image for tag, image in page.images.items() if not ((first < tag) & (tag < last)).any()
    }
    return replace(without_hidden(page, hidden), images=images)


class _DetailScan(Scan):
    """A pass that also collects the URLs of links and images."""

    def __init__(self, *, hidden: frozenset[str], with_class_names: bool, with_marks: bool) -> None:
        super().__init__(hidden=hidden, with_class_names=with_class_names, with_marks=with_marks)
        # By the index of the tag.
        self.hrefs: dict[int, str] = {}
        self.images: dict[int, ImageTag] = {}
        self.labels: dict[int, str] = {}
        self.datetimes: dict[int, str] = {}
        self._image_reader = ImageReader()
        self.base: str | None = None
        self.main_image: str | None = None
        self.order = bytearray()

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        self.order = bytearray()
        self._image_reader = images = ImageReader()
        before = self.hrefs, self.images, self.labels, self.datetimes
        self.hrefs, self.labels, self.datetimes = {}, {}, {}
        tags_before = sum(len(part.tags) for part in self.parts)
        found = loops.TokenPass(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            with_marks=self.with_marks,
            watch=self.watch,
            order=self.order,
            see_noscript=lambda markup: images.see_noscript(markup, len(self.order)),
        )
        self.hrefs = before[0] | _by_tag(self.hrefs, found, tags_before)
        self.images = before[1] | _by_tag(images.images, found, tags_before)
        self.labels = before[2] | _by_tag(self.labels, found, tags_before)
        self.datetimes = before[3] | _by_tag(self.datetimes, found, tags_before)
        return found

    def watch(self, token: Token) -> Token:
        if token.type is _START:
            tag = token.tag
            if tag == "a":
                href = token.attr("href")
                if href:
                    self.hrefs[len(self.order)] = href
            elif tag in IMAGE_TAGS:
                self._image_reader.see(token, len(self.order))
            elif tag == "base" and self.base is None:
                self.base = token.attr("href")
            elif tag == "meta" and self.main_image is None:
                if (token.attr("property") or token.attr("name")) in _MAIN_IMAGE:
                    self.main_image = (token.attr("content") or "").strip()[:_MAX_URL] or None
            elif tag == "time":
                self.datetimes[len(self.order)] = (token.attr("datetime") or "")[:_MAX_DATETIME]
            if tag in _LABELLED:
                label = _label(token)
                if label:
                    self.labels[len(self.order)] = label
        return token

    def page(self) -> DetailedPage:
        page = super().page()
        columns = {column.name: getattr(page, column.name) for column in fields(page)}
        return DetailedPage(
            **columns,
            hrefs=self.hrefs,
            images=self.images,
            labels=self.labels,
            datetimes=self.datetimes,
            base=self.base,
            main_image=self.main_image,
        )


def _label(token: Token) -> str:
    """Return the names of an element that say what its text is, or "" if they do not."""
    attr = token.attr
    names = f"{attr('class') or ''} {attr('itemprop') or ''} {attr('rel') or ''}"
    return names if len(names) < _MAX_LABEL and _LABEL.search(names) else ""


def _by_tag(
    by_token: Mapping[int, _Value], found: loops.TokenPass, tags_before: int
) -> dict[int, _Value]:
    """Replace indices of tokens by indices of tags."""
    tokens = np.fromiter(by_token, np.int32, len(by_token))
    tags = (found.tags_before(tokens) + np.int32(tags_before)).tolist()
    return dict(zip(tags, by_token.values(), strict=True))
