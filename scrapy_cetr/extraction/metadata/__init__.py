"""What an article is besides its text: title, authors, dates and more, each with its source.

Programs are told most in JSON-LD, OpenGraph, meta tags and microdata; what a page leaves out there
is looked for near its headline, where people read it. Nothing is better than something wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrapy_cetr.extraction.metadata.authors import find_authors
from scrapy_cetr.extraction.metadata.dates import find_dates
from scrapy_cetr.extraction.metadata.declared import STATED, Breadcrumb, declared_language
from scrapy_cetr.extraction.metadata.evidence import Evidence, Found, read_evidence
from scrapy_cetr.extraction.metadata.layout import Layout
from scrapy_cetr.extraction.metadata.titles import find_title, headline_element

__all__ = ["Breadcrumb", "Metadata", "read_metadata"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a page says of itself; ``sources`` says where each value comes from."""

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


def read_metadata(html: str, *, url: str | None = None) -> Metadata:
    """Read the metadata of a page.

    >>> read_metadata("<title>Harbour | News</title><h1>Harbour</h1><p>By Ann Lee</p>").authors
    ('Ann Lee',)
    """
    return _metadata(read_evidence(html, url=url))


def _metadata(evidence: Evidence) -> Metadata:
    found: dict[str, Found | None] = {"title": find_title(evidence)}
    title = found["title"]
    layout = Layout(evidence, headline_element(evidence, title.value if title else None))
    found["authors"] = find_authors(evidence, layout)
    published, modified = find_dates(evidence, layout)
    for name, day in (("date_published", published), ("date_modified", modified)):
        if day is not None:
            found[name] = Found(day.iso, day.source)
            found[f"{name}_raw"] = Found(day.raw, day.source)
    for name, find in STATED.items():
        found[name] = find(evidence)
    language = declared_language(evidence)
    known = {name: value for name, value in found.items() if value is not None}
    return Metadata(
        **{name: value.value for name, value in known.items()},
        declared_language=language,
        sources={name: value.source for name, value in known.items() if not name.endswith("_raw")},
    )
