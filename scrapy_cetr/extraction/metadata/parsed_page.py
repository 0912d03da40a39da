"""A page parsed for its metadata: meta tags, links, JSON-LD, microdata and headlines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from turbohtml import Document, Element, parse

from scrapy_cetr.extraction.html.json_ld import by_id, read_objects, texts_of, types_of
from scrapy_cetr.extraction.metadata.schema_objects import (
    ARTICLE_TYPES,
    MICRODATA_ARTICLE_TYPES,
    PAGE_TYPES,
    PageIdentity,
    SchemaObject,
    from_microdata,
    has_type,
    most_relevant,
    url_path,
)
from scrapy_cetr.extraction.metadata.source_regions import find_regions, json_ld_outside
from scrapy_cetr.extraction.metadata.sources import JSON_LD, MICRODATA
from scrapy_cetr.extraction.metadata.texts import (
    MAX_VALUE,
    SEPARATOR,
    SEPARATOR_AT_END,
    element_text,
    title_words,
)

# The limit for elements of one kind.
MAX_ELEMENTS = 300

_HEAD_ELEMENTS = (
    'meta, link[rel~="canonical" i], link[rel~="image_src" i], base, title, h1,'
    ' script[type^="application/ld+json" i], html[lang], html[xml\\:lang]'
)
_PLAIN_URL = re.compile(r"https?://[\w.-]+/\S*$", re.ASCII)


@dataclass(frozen=True, eq=False)
class ParsedPage:
    """The parsed parts of a page.

    ``html`` is the source of the whole page; ``tree`` has only its head and the region near its
    headlines. ``meta`` has the values of meta tags by lower-case name, ``links`` the URLs of
    ``<link>`` tags by lower-case relation, ``headlines`` the ``<h1>`` elements and ``objects``
    all JSON-LD objects, outer ones first.
    """

    html: str
    tree: Document
    url: str | None
    base_url: str | None
    language: str
    title: str
    meta: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[str]]
    headlines: Sequence[Element]
    objects: Sequence[SchemaObject]

    def first_meta(self, *names: str) -> str | None:
        """Return the first value of the first of these meta tags that the page has."""
        return next((self.meta[name][0] for name in names if name in self.meta), None)

    def absolute_url(self, link: str | None) -> str | None:
        """Resolve a URL; return None unless the result is an HTTP or HTTPS URL."""
        link = (link or "").strip()
        if _PLAIN_URL.match(link):
            return link
        try:
            absolute = urljoin(self.base_url or "", link) if link else ""
            parts = urlsplit(absolute)
        except ValueError:
            return None
        return absolute if parts.scheme in ("http", "https") and parts.netloc else None

    @cached_property
    def objects_by_id(self) -> Mapping[str, SchemaObject]:
        """The JSON-LD objects by their @id."""
        return by_id(self.objects)

    @cached_property
    def article_object(self) -> SchemaObject:
        """The JSON-LD object of the article, or an empty one."""
        return self._describing_page(self.objects, ARTICLE_TYPES)

    @cached_property
    def webpage_object(self) -> SchemaObject:
        """The JSON-LD object of the web page, or an empty one."""
        return self._describing_page(self.objects, PAGE_TYPES)

    @cached_property
    def microdata_object(self) -> SchemaObject:
        """The article or else the web page by microdata, or an empty object."""
        items = self.tree.microdata()[:MAX_ELEMENTS]
        objects = [from_microdata(item) for item in items if "schema.org" in (item.type or "")]
        article = self._describing_page(objects, MICRODATA_ARTICLE_TYPES)
        return article or self._describing_page(objects, PAGE_TYPES)

    @cached_property
    def main_object(self) -> tuple[SchemaObject, str]:
        """The object of the article, and its source.

        Microdata counts only without JSON-LD: few pages have properties in microdata that are
        not in their JSON-LD.
        """
        if self.article_object:
            return self.article_object, JSON_LD
        return self.microdata_object, MICRODATA

    @property
    def declared_objects(self) -> Sequence[tuple[SchemaObject, str]]:
        """The object of the article, then that of the web page, each with its source."""
        return (self.main_object, (self.webpage_object, JSON_LD))

    @cached_property
    def site_names(self) -> list[str]:
        """The names of the site in meta tags and JSON-LD."""
        names = [*self.meta.get("og:site_name", ()), *self.meta.get("application-name", ())]
        for candidate in self.objects:
            if "WebSite" in types_of(candidate):
                names += texts_of(candidate, {}) + texts_of(candidate, {}, key="alternateName")
        names += texts_of(self.article_object.get("publisher"), self.objects_by_id)
        return list(dict.fromkeys(name for name in names if title_words(name)))

    @cached_property
    def site_keys(self) -> set[str]:
        """The names of the site in lower case without spaces, also those that titles imply."""
        names = (*self.site_names, *_implied_site_names(self))
        return {"".join(title_words(name)) for name in names}

    @cached_property
    def domain(self) -> str:
        """The host of the page without "www." and dots, to compare it with names."""
        try:
            host = urlsplit(self.url or self.first_meta("og:url") or "").hostname or ""
        except ValueError:
            return ""
        return "".join(title_words(host.removeprefix("www.")))

    @cached_property
    def _identity(self) -> PageIdentity:
        urls = (self.url, *self.links.get("canonical", ()))
        titles = [self.title, *map(element_text, self.headlines[:3])]
        return PageIdentity({url_path(url) for url in urls if url}, titles)

    def _describing_page(
        self, objects: Sequence[SchemaObject], types: re.Pattern[str]
    ) -> SchemaObject:
        """Choose the object of a type that describes this page; a single one always does."""
        candidates = [candidate for candidate in objects if has_type(candidate, types)]
        if len(candidates) < 2:
            return candidates[0] if candidates else {}
        return most_relevant(candidates, self._identity)


def _implied_site_names(page: ParsedPage) -> list[str]:
    """Return the parts of <title> that og:title does not have: these are names of the site."""
    names = []
    for title in page.meta.get("og:title", ())[:1]:
        before, same, after = page.title.partition(title)
        if same and (separator := SEPARATOR.match(after)):
            names.append(after[separator.end() :])
        if same and (separator := SEPARATOR_AT_END.search(before)):
            names.append(before[: separator.start()])
    return names


def parse_page(html: str, *, url: str | None) -> ParsedPage:
    """Parse the head of a page and the region near its headlines."""
    regions = find_regions(html)
    tree = parse(html[: regions.head_end] + html[regions.begin : regions.end])
    meta: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}
    headlines: list[Element] = []
    scripts: list[str] = []
    base_url, language, title = url, "", None
    for element in tree.select(_HEAD_ELEMENTS):
        tag = element.tag
        if tag == "meta":
            _add_meta(element, meta)
        elif tag == "h1":
            headlines.append(element)
        elif tag == "script":
            scripts.append(element.text)
        elif tag == "link":
            for relation in (element.attr("rel") or "").lower().split():
                links.setdefault(relation, []).append(element.attr("href") or "")
        elif tag == "title":
            # Later <title> elements belong to SVG images.
            title = " ".join(element.text[:MAX_VALUE].split()) if title is None else title
        elif tag == "html":
            language = element.attr("lang") or element.attr("xml:lang") or ""
        elif tag == "base" and element.attr("href"):
            base_url = _joined(url, element.attr("href"))
    objects = read_objects(scripts)
    if not any(has_type(candidate, ARTICLE_TYPES) for candidate in objects):
        objects += read_objects(json_ld_outside(html, regions))
    return ParsedPage(
        html=html,
        tree=tree,
        url=url,
        base_url=base_url,
        language=language,
        title=title or "",
        meta=meta,
        links=links,
        headlines=headlines[:MAX_ELEMENTS],
        objects=objects,
    )


def _joined(url: str | None, link: str | None) -> str | None:
    try:
        return urljoin(url or "", link or "")
    except ValueError:
        return url


def _add_meta(element: Element, meta: dict[str, list[str]]) -> None:
    attr = element.attr
    content = attr("content")
    if content and (content := " ".join(content[:MAX_VALUE].split())):
        name = attr("property") or attr("name") or attr("itemprop") or attr("http-equiv")
        if name:
            meta.setdefault(name.strip().lower(), []).append(content)
