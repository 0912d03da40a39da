"""The elements around the rows of a page, from which the page report makes selectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.sites.applying import declared_url
from scrapy_cetr.extraction.sites.elements import Elements, read_elements
from scrapy_cetr.reports.explanation import Explanation

# Nobody marks rows on a page with more elements, and they would make the report slow.
_MAX_ELEMENTS = 100_000


def row_paths(explained: Explanation, count: int) -> Mapping[str, Any]:
    """Return the elements with rows inside, and the innermost element of each row, -1 for none.

    An element is a list: the index of its parent among them, its name, its id and its classes.
    """
    elements = read_elements(explained.source, explained.page, attributes=("class", "id"))
    if len(elements) > _MAX_ELEMENTS:
        return {"elements": [], "row_elements": [-1] * count}
    innermost = _innermost(explained.page, elements, count)
    number: dict[int, int] = {-1: -1}
    for index in sorted({one for row in set(innermost) for one in _chain(elements, row)}):
        number[index] = len(number) - 1
    kept = [index for index in number if index >= 0]
    return {
        "elements": [
            [
                number[elements.parents[index]],
                elements.names[index],
                elements.attributes[index].get("id", ""),
                elements.attributes[index].get("class", ""),
            ]
            for index in kept
        ],
        "row_elements": [number[index] for index in innermost],
    }


def rule_site(url: str | None, html: str) -> str:
    """Return the key of a rule for the site of a page: its host without www.

    >>> rule_site("https://www.news.example/harbour", ""), rule_site("page.html", "")
    ('news.example', '')
    """
    for address in (url, declared_url(html)):
        try:
            host = urlsplit(address or "").hostname
        except ValueError:
            continue
        if host:
            return host.removeprefix("www.")
    return ""


def _chain(elements: Elements, index: int) -> list[int]:
    """Return an element and all elements around it."""
    found = []
    while index >= 0:
        found.append(index)
        index = elements.parents[index]
    return found


def _innermost(page: Page, elements: Elements, count: int) -> list[int]:
    """Return the innermost element around the text of each row."""
    begin, end = elements.begin.tolist(), elements.end.tolist()
    starts, ends = page.rows.start[:count].tolist(), page.rows.end[:count].tolist()
    found = []
    open_elements: list[int] = []
    following = 0
    for start, stop in zip(starts, ends, strict=True):
        text = page.text[start:stop]
        first = start + len(text) - len(text.lstrip())
        last = max(start + len(text.rstrip()), first)
        while following < len(begin) and begin[following] <= first:
            while open_elements and end[open_elements[-1]] <= begin[following]:
                open_elements.pop()
            if end[following] > begin[following]:
                open_elements.append(following)
            following += 1
        around = (one for one in reversed(open_elements) if end[one] >= last and end[one] > first)
        found.append(next(around, -1))
    return found
