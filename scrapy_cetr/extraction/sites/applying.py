"""The rule of a page, applied to its rows and its metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import BREAK_STRENGTHS, ELEMENT_CODES, INLINE
from scrapy_cetr.extraction.page.characters import CONTROL, single_spaced
from scrapy_cetr.extraction.page.hidden import Spans, without_spans
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.sites.elements import Elements, read_elements
from scrapy_cetr.extraction.sites.rules import ROW_USES, PageRule, RuleSelector
from scrapy_cetr.extraction.sites.selectors import compiled

# The attributes that have the value of an element that shows another text, or none.
_VALUE_ATTRIBUTES = ("content", "datetime")
# Longer texts are not titles, names or dates.
_MAX_METADATA_CHARS, _MAX_AUTHORS = 1000, 50
_CANONICAL = re.compile(
    r"""<(?:link\s[^<>]{0,300}?rel=["']?canonical["']?[^<>]{0,300}?href"""
    r"""|meta\s[^<>]{0,300}?property=["']?og:url["']?[^<>]{0,300}?content)"""
    r"""=["']?(https?://[^"'\s<>]{1,2000})""",
    re.IGNORECASE,
)
_HEAD_CHARS = 200_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Applied:
    """A page and its rows after a rule.

    ``page`` has no text of dropped elements, whose ``spans`` these are. ``keep`` are the rows of
    the article, ``is_forced`` those that are in its text whatever their role. ``decides`` tells
    that the rule names the rows of the article. ``metadata`` has the values that it selects, and
    ``unmatched`` the selectors without an element on this page.
    """

    page: Page
    keep: Bools
    is_forced: Bools
    spans: Spans
    decides: bool
    metadata: Mapping[str, Any] = field(default_factory=dict)
    unmatched: tuple[str, ...] = ()


def declared_url(html: str) -> str | None:
    """Return the URL that a page declares as its own, for stored pages without one."""
    found = _CANONICAL.search(html, 0, _HEAD_CHARS)
    return found[1] if found else None


def apply_rule(page: Page, keep: Bools, html: str, rule: PageRule) -> Applied:
    """Keep and drop the rows of a page as its rule says; other rows stay as they are.

    A dropped element takes its text out of the page, also out of the middle of a row. A row is kept
    if at least half of its characters are in a kept element. If the rule has a body and the page
    too, only rows in it are kept, all of them.
    """
    wanted = {name for selector in rule.selectors for name in compiled(selector.text).attributes}
    elements = read_elements(html, page, attributes={*wanted, *_VALUE_ATTRIBUTES})
    matched = {one: compiled(one.text).match(elements) for one in rule.selectors}
    of_use = {use: _found(use, matched) for use in ROW_USES}
    spans = _spans(elements, of_use["drop"])
    shown = without_spans(page, spans)
    in_body = _rows_in(shown, elements, of_use["body"])
    is_forced = _rows_in(shown, elements, of_use["keep"])
    has_body = bool(in_body.any())
    kept = (in_body if has_body else keep) | is_forced
    return Applied(
        page=shown,
        keep=kept & (shown.rows.chars > 0) & ~shown.rows.broken,
        is_forced=is_forced & (shown.rows.chars > 0) & ~shown.rows.broken,
        spans=spans,
        decides=has_body or bool(is_forced.any()),
        metadata=_metadata(page, elements, matched),
        unmatched=tuple(str(one) for one, found in matched.items() if not found),
    )


def _found(use: str, matched: Mapping[RuleSelector, Sequence[int]]) -> list[int]:
    return sorted({one for selector in matched if selector.use == use for one in matched[selector]})


def _spans(elements: Elements, found: Sequence[int]) -> Spans:
    """Return where the texts of some elements are, without those inside of others."""
    begin, end, inline = [], [], []
    last = 0
    for index in found:
        first, after = int(elements.begin[index]), int(elements.end[index])
        if after > max(first, last):
            code = ELEMENT_CODES.get(elements.names[index], 0)
            begin.append(max(first, last))
            end.append(after)
            inline.append(code > 0 and BREAK_STRENGTHS[code] == INLINE)
            last = after
    return Spans(np.array(begin, np.int32), np.array(end, np.int32), np.array(inline, np.bool_))


def _rows_in(page: Page, elements: Elements, found: Sequence[int]) -> Bools:
    """Mark the rows with text of which at least half is in some elements."""
    spans = _spans(elements, found)
    if not len(spans.begin):
        return np.zeros(len(page.rows), np.bool_)
    is_inside = np.zeros(len(page.text) + 1, np.int8)
    np.add.at(is_inside, spans.begin, 1)
    np.add.at(is_inside, spans.end, -1)
    is_text = page.kinds > CONTROL
    inside = np.cumsum(is_inside[:-1], dtype=np.int8) > 0
    all_chars, inside_chars = page.count_by_row(is_text), page.count_by_row(is_text & inside)
    marked: Bools = (all_chars > 0) & (2 * inside_chars >= all_chars)
    return marked


def _metadata(
    page: Page, elements: Elements, matched: Mapping[RuleSelector, Sequence[int]]
) -> dict[str, Any]:
    """Return the values of the selectors for metadata, as far as there are any."""
    values: dict[str, Any] = {}
    for selector, found in matched.items():
        texts = [text for index in found[:_MAX_AUTHORS] if (text := _value(page, elements, index))]
        if not texts:
            continue
        if selector.use == "authors":
            values["authors"] = (*values.get("authors", ()), *texts)
        elif selector.use in ("title", "date"):
            values.setdefault(selector.use, texts[0])
    return values


def _value(page: Page, elements: Elements, index: int) -> str:
    """Return the value of an element: that of an attribute, if it has one, else its text."""
    for name in _VALUE_ATTRIBUTES:
        if text := single_spaced(elements.attributes[index].get(name, "")):
            return text[:_MAX_METADATA_CHARS]
    begin, end = int(elements.begin[index]), int(elements.end[index])
    return single_spaced(page.text[begin : min(end, begin + _MAX_METADATA_CHARS)])
