"""A second reading of a page, with what the first left out: where links lead, what pictures show.

Only formats and some of the metadata need it, so reading the text does not pay for it. It makes the
same text and the same tags, so that what was kept by the first reading is found in the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np
from turbohtml import Token, TokenType

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints, closed
from scrapy_cetr.extraction.elements import LINK, VOID
from scrapy_cetr.extraction.html.reader import scan_into
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.page.page import Page

_START = TokenType.START_TAG
_IMAGES = frozenset(("img", "image"))
# Where pages that load their pictures late put the address.
_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset", "srcset")
_WEB = frozenset(("http", "https"))
_LINKED = _WEB | {"mailto"}
_VOID = np.array(sorted(VOID), np.int8)


class Link(NamedTuple):
    """A link in the body of an article."""

    text: str
    url: str


class Image(NamedTuple):
    """A picture in the body of an article, and what its page says it shows."""

    url: str
    alt: str


class Passages(NamedTuple):
    """The kept parts of a page's text, in order: where each begins and ends."""

    begin: Ints
    end: Ints


@dataclass(frozen=True, eq=False)
class DetailedPage(Page):
    """A page with the addresses of its links and its pictures, by the place of the tag."""

    hrefs: Mapping[int, str] = field(default_factory=dict)
    images: Mapping[int, Image] = field(default_factory=dict)
    base: str | None = None


def passages(page: Page, keep: Bools) -> Passages:
    """Say which parts of the text some rows are; rows without text part nothing."""
    dropped = np.flatnonzero(~keep & (page.rows.chars > 0))
    begin, end = (
        np.zeros(len(dropped) + 1, np.int32),
        closed(page.rows.start[dropped], len(page.text)),
    )
    begin[1:] = page.rows.end[dropped]
    filled = np.flatnonzero(begin < end)
    return Passages(begin[filled], end[filled])


def read_details(html: str) -> DetailedPage:
    """Read a page in blocks, with its links, pictures, classes and ids.

    >>> read_details("<p>See <a href=/map>the map</a>").hrefs
    {1: '/map'}
    """
    page = scan_into(html, _DetailScan, with_class_names=True)
    assert isinstance(page, DetailedPage)  # noqa: S101
    return page


class _DetailScan(Scan):
    """A pass that notes the URLs of links and images too."""

    def __init__(self, *, hidden: frozenset[str], with_class_names: bool) -> None:
        super().__init__(hidden=hidden, with_class_names=with_class_names)
        # By the index of the tag.
        self.hrefs: dict[int, str] = {}
        self.images: dict[int, Image] = {}
        self.base: str | None = None
        self.order = bytearray()

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        self.order = bytearray()
        hrefs, images = self.hrefs, self.images
        self.hrefs, self.images = {}, {}
        tags_before = sum(map(len, self.tags))
        found = loops.TokenPass(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            watch=self.watch,
            order=self.order,
        )
        # From indices of tokens to indices of tags.
        tags, _ = found.token_columns()
        self.hrefs = hrefs | {int(tags[at]) + tags_before: it for at, it in self.hrefs.items()}
        self.images = images | {int(tags[at]) + tags_before: it for at, it in self.images.items()}
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
        # Formats do not need the declared text, so its JSON-LD is not parsed again.
        self.json_ld_scripts = []
        page = super().page()
        columns = {column.name: getattr(page, column.name) for column in fields(page)}
        return DetailedPage(**columns, hrefs=self.hrefs, images=self.images, base=self.base)


def _image(token: Token) -> Image | None:
    """Read a picture; one of a single point, which only counts readers, is none."""
    if "1" in (token.attr("width"), token.attr("height")):
        return None
    source = (token.attr("src") or "").strip()
    if not source or source.startswith("data:"):
        found = (token.attr(name) for name in _SOURCES)
        source = next(
            (value.split()[0].rstrip(",") for value in found if value and value.strip()), ""
        )
    return Image(source, " ".join((token.attr("alt") or "").split())) if source else None


def link_of_node(page: DetailedPage) -> dict[int, str]:
    """Find the address of each link by its number among the page's nodes."""
    starts = np.flatnonzero((page.tags > 0) & ~np.isin(page.tags, _VOID))
    nodes = page.nodes
    if len(starts) != len(nodes):
        # A page nested deeper than any browser goes has nodes for some tags only.
        return {}
    links = np.flatnonzero(nodes.tag == LINK)
    places = starts[links].tolist()
    pairs = zip(links.tolist(), places, strict=True)
    return {node: page.hrefs[place] for node, place in pairs if place in page.hrefs}


def image_places(page: DetailedPage, kept: Passages) -> list[tuple[int, Image]]:
    """List the pictures inside of the kept passages, each with its place in the text."""
    found = []
    for place, image in page.images.items():
        offset = int(page.tag_offset[place])
        passage = int(np.searchsorted(kept.end, offset, side="right"))
        if passage < len(kept.begin) and kept.begin[passage] < offset:
            found.append((offset, image))
    return found


class Resolver:
    """Makes addresses absolute, and refuses those that are not of the web."""

    def __init__(self, page: DetailedPage, url: str | None) -> None:
        self._base = _joined(url, page.base) if page.base else url

    def link(self, href: str) -> str | None:
        """Resolve the address of a link: of the web, or of a mailbox."""
        return self._resolved(href, _LINKED)

    def image(self, source: str) -> str | None:
        """Resolve the address of a picture, which is of the web."""
        return self._resolved(source, _WEB)

    def _resolved(self, href: str, schemes: frozenset[str]) -> str | None:
        # Browsers leave out what is between the letters of "java\nscript:".
        if not href.isprintable():
            href = "".join(filter(str.isprintable, href))
        href = href.strip()
        whole = _joined(self._base, href)
        try:
            parts = urlsplit(whole or "")
        except ValueError:
            return None
        if parts.scheme not in schemes or (parts.scheme in _WEB and not parts.netloc):
            return None
        return whole


def _joined(url: str | None, link: str | None) -> str | None:
    try:
        return urljoin(url or "", link or "")
    except ValueError:
        return url
