"""Metadata of an article: title, authors, dates and more, each with the name of its source.

Most values are declared in JSON-LD, OpenGraph, meta tags or microdata. The rest is searched in the
layout near the headline. A missing value is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrapy_cetr.extraction.metadata.authors import find_authors
from scrapy_cetr.extraction.metadata.dates import find_dates
from scrapy_cetr.extraction.metadata.declared import (
    DECLARED_FIELDS,
    Breadcrumb,
    declared_language,
)
from scrapy_cetr.extraction.metadata.layout import Layout
from scrapy_cetr.extraction.metadata.parsed_page import ParsedPage, parse_page
from scrapy_cetr.extraction.metadata.sources import Found
from scrapy_cetr.extraction.metadata.titles import find_title, headline_element

__all__ = ["Breadcrumb", "Metadata", "read_metadata"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of a page; ``sources`` has the source name of each value that was found.

    Raw dates are the dates as written on the page.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    date_published_raw: str | None = None
    date_modified: str | None = None
    date_modified_raw: str | None = None
    description: str | None = None
    site_name: str | None = None
    declared_language: Found | None = None
    image: str | None = None
    canonical_url: str | None = None
    keywords: tuple[str, ...] = ()
    section: str | None = None
    paywalled: bool | None = None
    breadcrumbs: tuple[Breadcrumb, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


def read_metadata(html: str, *, url: str | None = None, headline: str = "") -> Metadata:
    """Read the metadata of a page; ``url`` is the base of relative URLs.

    ``headline`` is the visible headline above the article, if it is known.

    >>> read_metadata("<title>Harbour | News</title><h1>Harbour</h1><p>By Ann Lee</p>").authors
    ('Ann Lee',)
    """
    return _metadata(parse_page(html, url=url), headline)


def _metadata(page: ParsedPage, headline: str) -> Metadata:
    title = find_title(page, headline)
    layout = Layout(page, headline_element(page, title.value if title else None))
    found: dict[str, Found | None] = {"title": title, "authors": find_authors(page, layout)}
    published, modified = find_dates(page, layout)
    for name, date in (("date_published", published), ("date_modified", modified)):
        if date is not None:
            found[name] = Found(date.iso, date.source)
            found[f"{name}_raw"] = Found(date.raw, date.source)
    for name, find in DECLARED_FIELDS.items():
        found[name] = find(page)
    known = {name: value for name, value in found.items() if value is not None}
    return Metadata(
        **{name: value.value for name, value in known.items()},
        declared_language=declared_language(page),
        sources={name: value.source for name, value in known.items() if not name.endswith("_raw")},
    )
