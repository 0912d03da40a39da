"""The names of the attributes of an article, and their values for JSON.

Settings and command lines are checked with them. They are not read from ``Article``, because its
module imports the whole library, which the main process of ``scrapy cetr`` does not need.
"""

from collections.abc import Mapping
from typing import Any

ATTRIBUTES = (
    "text",
    "url",
    "method",
    "page_chars",
    "short",
    "truncated",
    "probability",
    "site_rules",
    "unmatched_selectors",
    "words",
    "kind",
    "kind_probability",
    "title",
    "authors",
    "date_published",
    "date_published_raw",
    "date_modified",
    "date_modified_raw",
    "description",
    "site_name",
    "language",
    "image",
    "canonical_url",
    "keywords",
    "section",
    "paywalled",
    "breadcrumbs",
    "blocks",
    "markdown",
    "html",
    "links",
    "images",
    "captions",
    "comments",
    "sources",
)


def as_json_value(value: Any) -> Any:
    """Make lists and dicts of the tuples and mappings in an article.

    >>> as_json_value((("map", 1), "x"))
    [['map', 1], 'x']
    """
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        if named:
            return {name: as_json_value(part) for name, part in named().items()}
        return [as_json_value(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value
