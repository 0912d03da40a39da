"""schema.org objects of a page: microdata as objects, and the choice of the object to trust.

A page often describes several articles: its own and teasers for others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_cetr.extraction.html.json_ld import JsonObject, texts_of, types_of
from scrapy_cetr.extraction.metadata.texts import similarity

SchemaObject = JsonObject

ARTICLE_TYPES = re.compile(
    r"(?:Article|Posting|Report|Recipe|HowTo|Review|Chapter|CreativeWork|PodcastEpisode)$"
)
# In microdata, fewer types are taken for the article.
MICRODATA_ARTICLE_TYPES = re.compile(r"(?:Article|Posting|Report)$")
PAGE_TYPES = re.compile(r"(?:Page)$")

_MAX_VALUES, _MAX_DEPTH = 300, 4
_MAX_CANDIDATES = 50
# Headlines that are less similar do not count.
_MIN_SIMILARITY = 0.4
# The lowest score of an object that describes the page, if there are several.
_MIN_SCORE = 0.1


class PageIdentity(NamedTuple):
    """What identifies a page among objects: the paths of its URLs, and its titles."""

    paths: set[str]
    titles: Sequence[str]


def from_microdata(item: Any, depth: int = 0) -> SchemaObject:
    """Convert a microdata item to the form of a JSON-LD object."""
    converted: dict[str, Any] = {"@type": item.type or "", "@id": item.id}
    if depth < _MAX_DEPTH:
        for name, values in item.properties.items():
            converted[name] = [
                value if isinstance(value, str) else from_microdata(value, depth + 1)
                for value in values[:_MAX_VALUES]
            ]
    return converted


def has_type(candidate: SchemaObject, types: re.Pattern[str]) -> bool:
    """Return whether one of the types of an object matches."""
    return "@type" in candidate and any(map(types.search, types_of(candidate)))


def most_relevant(candidates: Sequence[SchemaObject], identity: PageIdentity) -> SchemaObject:
    """Return the object that describes this page, or an empty one if all describe other pages."""
    scores = [_relevance(candidate, identity) for candidate in candidates[:_MAX_CANDIDATES]]
    best = max(range(len(scores)), key=lambda index: (scores[index], -index))
    return candidates[best] if scores[best] > _MIN_SCORE else {}


def _relevance(candidate: SchemaObject, identity: PageIdentity) -> float:
    """Score by URL and headline how likely an object describes this page."""
    keys = ("url", "mainEntityOfPage", "@id")
    urls = texts_of([candidate.get(key) for key in keys], {}, key="@id")
    score = float(any(url_path(url) in identity.paths for url in urls))
    names = texts_of([candidate.get("headline"), candidate.get("name")], {})
    similar = max(
        (similarity(name, title) for name in names for title in identity.titles), default=0.0
    )
    # The number of properties breaks ties.
    return score + (similar if similar > _MIN_SIMILARITY else 0.0) + min(len(candidate), 99) / 1e4


def url_path(url: str) -> str:
    """Return the host and path of a URL, to compare URLs without scheme, "www." and query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return (parts.netloc.removeprefix("www.") + parts.path).rstrip("/")
