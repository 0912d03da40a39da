"""The metadata of an article as a table of the page report, with the source of each value."""

from __future__ import annotations

import json

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.attributes import as_json_value
from scrapy_cetr.extraction.metadata import Breadcrumb
from scrapy_cetr.reports.templating import as_html

# The attributes that the page report shows.
SHOWN = (
    *("title", "authors", "date_published", "date_modified", "description", "site_name"),
    *("language", "image", "canonical_url", "keywords", "section", "paywalled", "breadcrumbs"),
)
_MAX_CHARS = 400


def metadata_table(article: Article) -> str:
    """Return the rows of the table: attribute, value and source; a dash if nothing was found."""
    sources = article.sources
    return "".join(
        f'<tr><th scope="row">{name}</th><td>{as_html(_shown(getattr(article, name)))}</td>'
        f"<td>{as_html(sources.get(name, ''))}</td></tr>"
        for name in SHOWN
    )


def _shown(value: object) -> str:
    if value is None or value == ():
        return "–"
    if isinstance(value, tuple):
        value = tuple(one.name or "" if isinstance(one, Breadcrumb) else one for one in value)
    plain = as_json_value(value)
    if isinstance(plain, list) and all(isinstance(one, str) for one in plain):
        plain = ", ".join(plain)
    written = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return written if len(written) <= _MAX_CHARS else f"{written[:_MAX_CHARS]}…"
