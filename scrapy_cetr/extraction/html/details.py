"""A second reading of a page, which includes the URLs of its links and images.

Only the formats, captions and comments need it, so the text is read without it. Text and tags are
the same in both readings, so that offsets from the first are valid in the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple, TypeVar

import numpy as np
from turbohtml import Token, TokenType

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.html.reader import scan_page
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.page.hidden import without_hidden
from scrapy_cetr.extraction.page.page import Page

_START = TokenType.START_TAG
_Value = TypeVar("_Value")
_IMAGES = frozenset(("img", "image"))
# Attributes with the URL on pages that load their images late.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset", "srcset")


class Image(NamedTuple):
    """An image in the body of an article: its URL and its alternative text."""

    url: str
    alt: str


@dataclass(frozen=True, eq=False)
class DetailedPage(Page):
    """A page with the hrefs of its links and its images, by the index of the tag.

    ``base`` is the href of its <base>.
    """

    hrefs: Mapping[int, str] = field(default_factory=dict)
    images: Mapping[int, Image] = field(default_factory=dict)
    base: str | None = None


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
        self.images: dict[int, Image] = {}
        self.base: str | None = None
        self.order = bytearray()

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        self.order = bytearray()
        hrefs, images = self.hrefs, self.images
        self.hrefs, self.images = {}, {}
        tags_before = sum(len(part.tags) for part in self.parts)
        found = loops.TokenPass(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            with_marks=self.with_marks,
            watch=self.watch,
            order=self.order,
        )
        self.hrefs = hrefs | _by_tag(self.hrefs, found, tags_before)
        self.images = images | _by_tag(self.images, found, tags_before)
        return found

    def watch(self, token: Token) -> Token:
        if token.type is _START:
            tag = token.tag
            if tag == "a":
                href = token.attr("href")
                if href:
                    self.hrefs[len(self.order)] = href
            elif tag in _IMAGES:
                image = _image(token)
                if image:
                    self.images[len(self.order)] = image
            elif tag == "base" and self.base is None:
                self.base = token.attr("href")
        return token

    def page(self) -> DetailedPage:
        page = super().page()
        columns = {column.name: getattr(page, column.name) for column in fields(page)}
        return DetailedPage(**columns, hrefs=self.hrefs, images=self.images, base=self.base)


def _by_tag(
    by_token: Mapping[int, _Value], found: loops.TokenPass, tags_before: int
) -> dict[int, _Value]:
    """Replace indices of tokens by indices of tags."""
    tokens = np.fromiter(by_token, np.int32, len(by_token))
    tags = (found.tags_before(tokens) + np.int32(tags_before)).tolist()
    return dict(zip(tags, by_token.values(), strict=True))


def _image(token: Token) -> Image | None:
    """Read an image; None for a tracking pixel, or without a URL."""
    if "1" in (token.attr("width"), token.attr("height")):
        return None
    source = (token.attr("src") or "").strip()
    if not source or source.startswith("data:"):
        found = (token.attr(name) for name in _LAZY_SOURCES)
        source = next(
            (value.split()[0].rstrip(",") for value in found if value and value.strip()), ""
        )
    return Image(source, " ".join((token.attr("alt") or "").split())) if source else None
