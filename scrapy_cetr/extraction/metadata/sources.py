"""The names of metadata sources, as they appear in ``Article.sources``.

Every reader of metadata takes the names from here, so one kind of tag has one name.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

JSON_LD: Final = "json-ld"
MICRODATA: Final = "microdata"
OPENGRAPH: Final = "opengraph"
META: Final = "meta"
LINK: Final = "link"
HTML_LANG: Final = "html"
TITLE_TAG: Final = "title"
# Elements that readers see, mostly near the headline.
LAYOUT: Final = "layout"
URL: Final = "url"
# JSON in scripts and attributes that is not JSON-LD.
PAGE_DATA: Final = "data"
# A selector of CETR_SITES.
SITE_RULE: Final = "site-rule"
# The language, detected from the text.
TEXT: Final = "text"
# The text, if it comes from the visible page.
PAGE: Final = "page"


class Found(NamedTuple):
    """A metadata value and the name of its source."""

    value: Any
    source: str


def meta_source(name: str) -> str:
    """Return the source name of a ``<meta>`` tag, given its lower-case name.

    Both ``og:`` and ``article:`` are namespaces of the Open Graph protocol.

    >>> meta_source("og:title"), meta_source("article:section"), meta_source("twitter:title")
    ('opengraph', 'opengraph', 'meta')
    """
    return OPENGRAPH if name.startswith(("og:", "article:")) else META
