"""What a page states of itself in so many words, and only has to be looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_cetr.extraction.html.json_ld import texts_of, types_of
from scrapy_cetr.extraction.metadata.evidence import Evidence, Found, text_of

MAX_KEYWORDS = 100
_MAX_STEPS = 20
# Classes of the whole page say only that it has one.
_TRAIL = ':is([class*="breadcrumb" i], [aria-label*="breadcrumb" i]):not(html, body, main, article)'
_LANGUAGE = re.compile(r"^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$", re.IGNORECASE)
_FREE = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_TIERS = {"free": False, "metered": True, "locked": True}


class Breadcrumb(NamedTuple):
    """A step on the way from the home page to this one."""

    name: str
    url: str | None


def _first(found: Iterable[Found]) -> Found | None:
    return next(iter(found), None)


def _meta(evidence: Evidence, *names: str) -> Iterator[Found]:
    for name in names:
        source = "opengraph" if name.startswith(("og:", "article:")) else "meta"
        for value in evidence.meta.get(name, ())[:1]:
            yield Found(value, source)


def _things(evidence: Evidence, key: str, *, inner: str = "name") -> Iterator[Found]:
    """Look a property up in the article as JSON-LD has it, as microdata has it, and in the page."""
    for thing, source in evidence.stated:
        for text in texts_of(thing.get(key), evidence.known, key=inner):
            yield Found(text, source)


def description(evidence: Evidence) -> Found | None:
    """Find the summary that the page gives of itself."""
    named = _meta(evidence, "og:description", "description", "twitter:description")
    return _first((*named, *_things(evidence, "description")))


def site_name(evidence: Evidence) -> Found | None:
    """Find the name of the site."""
    for found in _meta(evidence, "og:site_name", "application-name"):
        return found
    return Found(evidence.site_names[0], "json-ld") if evidence.site_names else None


def declared_language(evidence: Evidence) -> Found | None:
    """Find the language that the page says it is in, as a tag such as en-GB."""
    candidates = (
        Found(evidence.language, "html"),
        *_things(evidence, "inLanguage"),
        *_meta(evidence, "content-language", "og:locale", "dc.language", "language"),
    )
    for value, source in candidates:
        if _LANGUAGE.match(value):
            return Found(value.replace("_", "-"), source)
    return None


def image(evidence: Evidence) -> Found | None:
    """Find the address of the article's picture."""
    candidates = (
        *_meta(evidence, "og:image", "og:image:url", "og:image:secure_url"),
        *_things(evidence, "image", inner="url"),
        *_meta(evidence, "twitter:image", "twitter:image:src", "thumbnail"),
        *(Found(link, "meta") for link in evidence.links.get("image_src", ())),
    )
    return _first(
        Found(whole, source)
        for value, source in candidates
        if (whole := evidence.resolve_url(value))
    )


def canonical_url(evidence: Evidence) -> Found | None:
    """Find the address that the page wants to be known by."""
    candidates = (
        *(Found(link, "link") for link in evidence.links.get("canonical", ())),
        *_meta(evidence, "og:url"),
    )
    for value, source in candidates:
        whole = evidence.resolve_url(value)
        # Some sites give the home page for all their pages.
        if whole and not (_is_home(whole) and evidence.url and not _is_home(evidence.url)):
            return Found(whole, source)
    return None


def _is_home(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path in ("", "/") and not parts.query


def keywords(evidence: Evidence) -> Found | None:
    """Find the tags of the article."""
    named = [found.value for found in _things(evidence, "keywords")]
    sources = (
        (named, "json-ld"),
        (evidence.meta.get("article:tag", ()), "opengraph"),
        (evidence.meta.get("news_keywords", ()), "meta"),
        (evidence.meta.get("keywords", ()), "meta"),
    )
    for values, source in sources:
        parts = (part.strip() for value in values for part in re.split(r"[,;|]", value))
        unique = {part.lower(): part for part in parts if part}
        if unique:
            return Found(tuple(unique.values())[:MAX_KEYWORDS], source)
    return None


def section(evidence: Evidence) -> Found | None:
    """Find the part of the site that the article belongs to."""
    return _first((*_things(evidence, "articleSection"), *_meta(evidence, "article:section")))


def paywalled(evidence: Evidence) -> Found | None:
    """Find whether one has to pay to read the whole article."""
    for thing, source in evidence.stated:
        free = thing.get("isAccessibleForFree")
        if free is not None and str(free).rpartition("/")[2].lower() in _FREE:
            return Found(not _FREE[str(free).rpartition("/")[2].lower()], source)
    for value, source in _meta(evidence, "article:content_tier"):
        if value.lower() in _TIERS:
            return Found(_TIERS[value.lower()], source)
    return None


def breadcrumbs(evidence: Evidence) -> Found | None:
    """Find the way from the home page to this one."""
    for thing in evidence.things:
        if "BreadcrumbList" in types_of(thing):
            steps = thing.get("itemListElement")
            steps = steps if isinstance(steps, list) else [steps]
            trail = [step for one in steps[:_MAX_STEPS] if (step := _step(evidence, one))]
            if trail:
                return Found(tuple(trail), "json-ld")
    trails = evidence.tree.select(_TRAIL)
    links = [link for trail in trails[:1] for link in trail.select("a")]
    shown = [
        Breadcrumb(text_of(link), evidence.resolve_url(link.attr("href")))
        for link in links[:_MAX_STEPS]
    ]
    named = tuple(dict.fromkeys(step for step in shown if step.name))
    return Found(named, "layout") if named else None


def _step(evidence: Evidence, value: Any) -> Breadcrumb | None:
    """Read a step of a JSON-LD breadcrumb, which may have its name outside or inside."""
    if not isinstance(value, dict):
        return None
    item = value.get("item")
    inner = item if isinstance(item, dict) else {}
    names = texts_of([value.get("name"), inner.get("name")], {})
    link = item if isinstance(item, str) else inner.get("@id") or inner.get("url")
    url = evidence.resolve_url(link) if isinstance(link, str) else None
    return Breadcrumb(names[0], url) if names else None


STATED: Mapping[str, Callable[[Evidence], Found | None]] = {
    "description": description,
    "site_name": site_name,
    "image": image,
    "canonical_url": canonical_url,
    "keywords": keywords,
    "section": section,
    "paywalled": paywalled,
    "breadcrumbs": breadcrumbs,
}
