"""The statistics of a crawl in one line, for the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def summary(stats: Mapping[Any, Any]) -> str:
    """Summarize the statistics of a crawl in one line, whatever types the collector gives them.

    >>> summary({"cetr/pages": 3, "cetr/articles": 2, "cetr/chars_in": 400, "cetr/chars_out": 100})
    'Extracted 2 articles from 3 pages (1 other page); removed 75% of 400 characters; 0 errors'
    """
    names = ("pages", "articles", "chars_in", "chars_out", "errors")
    pages, articles, chars_in, chars_out, errors = (_count(stats, name) for name in names)
    # Indexes, empty pages and pages with errors.
    others = f" ({_plural(pages - articles, 'other page')})" if pages > articles else ""
    removed = max(0, round(100 * (1 - chars_out / chars_in))) if chars_in else 0
    return (
        f"Extracted {_plural(articles, 'article')} from {_plural(pages, 'page')}{others}; removed"
        f" {removed}% of {chars_in} characters; {errors} errors"
    )


def _count(stats: Mapping[Any, Any], name: str) -> int:
    """Return a counter.

    >>> _count({"cetr/pages": "3"}, "pages"), _count({b"cetr/pages": b"3"}, "pages")
    (3, 3)
    """
    key = f"cetr/{name}"
    value = stats.get(key, stats.get(key.encode(), 0))
    try:
        return int(float(value))
    except (TypeError, ValueError):
        return 0


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
