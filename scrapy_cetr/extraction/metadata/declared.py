"""Metadata that is declared in one place: description, image, language, keywords and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_cetr.extraction.html.json_ld import resolve, texts_of, types_of
from scrapy_cetr.extraction.html.picture_urls import is_site_picture
from scrapy_cetr.extraction.metadata.language_tags import normalise_tag
from scrapy_cetr.extraction.metadata.parsed_page import ParsedPage
from scrapy_cetr.extraction.metadata.sources import (
    HTML_LANG,
    JSON_LD,
    LAYOUT,
    LINK,
    Found,
    meta_source,
)
from scrapy_cetr.extraction.metadata.texts import element_text

MAX_KEYWORDS = 100
_MAX_BREADCRUMBS = 20
_MAX_PUBLISHERS = 10
# Class names of the whole page only say that it has breadcrumbs.
_BREADCRUMBS = (
    ':is([class*="breadcrumb" i], [aria-label*="breadcrumb" i]):not(html, body, main, article)'
)
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# The values of article:content_tier, and whether they mean a paywall.
_PAYWALLED_TIERS = {"free": False, "metered": True, "locked": True}


class Breadcrumb(NamedTuple):
    """A page on the path from the home page to this page; ``url`` is None if it has no link."""

    name: str
    url: str | None


def _first(found: Iterable[Found]) -> Found | None:
    return next(iter(found), None)


def _meta(page: ParsedPage, *names: str) -> Iterator[Found]:
    for name in names:
        for value in page.meta.get(name, ())[:1]:
            yield Found(value, meta_source(name))


def _property(page: ParsedPage, name: str, *, key: str = "name") -> Iterator[Found]:
    """Yield the values of a schema.org property of the article and of the web page.

    ``key`` is the property to read of values that are objects.
    """
    for declared, source in page.declared_objects:
        for text in texts_of(declared.get(name), page.objects_by_id, key=key):
            yield Found(text, source)


def description(page: ParsedPage) -> Found | None:
    """Return the description of the page."""
    from_meta = _meta(page, "og:description", "description", "twitter:description")
    return _first((*from_meta, *_property(page, "description")))


def site_name(page: ParsedPage) -> Found | None:
    """Return the name of the site."""
    for found in _meta(page, "og:site_name", "application-name"):
        return found
    return Found(page.site_names[0], JSON_LD) if page.site_names else None


def declared_language(page: ParsedPage) -> Found | None:
    """Return the declared language as a tag of BCP 47 such as ``en-GB``."""
    candidates = (
        Found(page.language, HTML_LANG),
        *_property(page, "inLanguage"),
        *_meta(page, "content-language", "og:locale", "dc.language", "language"),
    )
    for value, source in candidates:
        if tag := normalise_tag(value):
            return Found(tag, source)
    return None


def image(page: ParsedPage) -> Found | None:
    """Return the absolute URL of the main image; logos and defaults of the site do not count."""
    candidates = (
        *_meta(page, "og:image", "og:image:url", "og:image:secure_url"),
        *_property(page, "image", key="url"),
        *_meta(page, "twitter:image", "twitter:image:src", "thumbnail"),
        *(Found(link, LINK) for link in page.links.get("image_src", ())),
    )
    logos = _publisher_logos(page)
    return _first(
        Found(url, source)
        for value, source in candidates
        if value not in logos and (url := page.absolute_url(value)) and not is_site_picture(url)
    )


def _publisher_logos(page: ParsedPage) -> set[str]:
    publishers = page.main_object[0].get("publisher")
    publishers = publishers if isinstance(publishers, list) else [publishers]
    known = page.objects_by_id
    found = [resolve(publisher, known) for publisher in publishers[:_MAX_PUBLISHERS]]
    logos = [one.get("logo") for one in found if isinstance(one, dict)]
    return {url for logo in logos for url in texts_of(logo, known, key="url")}


def canonical_url(page: ParsedPage) -> Found | None:
    """Return the canonical URL, as an absolute URL."""
    candidates = (
        *(Found(link, LINK) for link in page.links.get("canonical", ())),
        *_meta(page, "og:url"),
    )
    for value, source in candidates:
        url = page.absolute_url(value)
        # Some sites declare their home page as canonical on all pages.
        if url and not (_is_home(url) and page.url and not _is_home(page.url)):
            return Found(url, source)
    return None


def _is_home(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path in ("", "/") and not parts.query


def keywords(page: ParsedPage) -> Found | None:
    """Return the keywords of the first source that has any, without duplicates."""
    declared = list(_property(page, "keywords"))
    meta_names = ("article:tag", "news_keywords", "keywords")
    candidates = (
        ([found.value for found in declared], declared[0].source if declared else JSON_LD),
        *((page.meta.get(name, ()), meta_source(name)) for name in meta_names),
    )
    for values, source in candidates:
        parts = (part.strip() for value in values for part in re.split(r"[,;|]", value))
        unique = {part.lower(): part for part in parts if part}
        if unique:
            return Found(tuple(unique.values())[:MAX_KEYWORDS], source)
    return None


def section(page: ParsedPage) -> Found | None:
    """Return the section of the site that the article belongs to."""
    return _first((*_property(page, "articleSection"), *_meta(page, "article:section")))


def paywalled(page: ParsedPage) -> Found | None:
    """Return whether the page declares that the article is behind a paywall."""
    for declared, source in page.declared_objects:
        # The values of microdata are lists.
        values = declared.get("isAccessibleForFree")
        for value in values[:1] if isinstance(values, list) else [values]:
            # A boolean, or the URL of one, such as https://schema.org/True.
            is_free = str(value).strip().rpartition("/")[2].lower()
            if is_free in _BOOLEANS:
                return Found(not _BOOLEANS[is_free], source)
    for value, source in _meta(page, "article:content_tier"):
        if value.lower() in _PAYWALLED_TIERS:
            return Found(_PAYWALLED_TIERS[value.lower()], source)
    return None


def breadcrumbs(page: ParsedPage) -> Found | None:
    """Return the path from the home page to this page: from JSON-LD, or from the layout."""
    for candidate in page.objects:
        if "BreadcrumbList" in types_of(candidate):
            items = candidate.get("itemListElement")
            items = items if isinstance(items, list) else [items]
            listed = (_breadcrumb(page, item) for item in items[:_MAX_BREADCRUMBS])
            if declared := tuple(filter(None, listed)):
                return Found(declared, JSON_LD)
    containers = page.tree.select(_BREADCRUMBS)
    links = [link for container in containers[:1] for link in container.select("a")]
    visible = [
        Breadcrumb(element_text(link), page.absolute_url(link.attr("href")))
        for link in links[:_MAX_BREADCRUMBS]
    ]
    named = tuple(dict.fromkeys(breadcrumb for breadcrumb in visible if breadcrumb.name))
    return Found(named, LAYOUT) if named else None


def _breadcrumb(page: ParsedPage, value: Any) -> Breadcrumb | None:
    """Read a JSON-LD ListItem, which has its name itself or in its ``item``."""
    if not isinstance(value, dict):
        return None
    item = value.get("item")
    inner = item if isinstance(item, dict) else {}
    names = texts_of([value.get("name"), inner.get("name")], {})
    link = item if isinstance(item, str) else inner.get("@id") or inner.get("url")
    url = page.absolute_url(link) if isinstance(link, str) else None
    return Breadcrumb(names[0], url) if names else None


# Readers by the name of the attribute.
DECLARED_FIELDS: Mapping[str, Callable[[ParsedPage], Found | None]] = {
    "description": description,
    "site_name": site_name,
    "image": image,
    "canonical_url": canonical_url,
    "keywords": keywords,
    "section": section,
    "paywalled": paywalled,
    "breadcrumbs": breadcrumbs,
}
