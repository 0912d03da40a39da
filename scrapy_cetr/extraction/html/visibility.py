"""Where a page has text that no browser shows: by attributes, styles, classes and closed dialogs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Codes, Ints
from scrapy_cetr.extraction.elements import BREAK_STRENGTHS, ELEMENT_CODES, ELEMENT_NAMES, ITEM, codes_of
from scrapy_cetr.extraction.html.style_rules import StyleRules, hides
from scrapy_cetr.extraction.loops.hiding import SCREEN_READER_NAMES
from scrapy_cetr.extraction.page.hidden import NOTHING_HIDDEN, HiddenText, hidden_text

_DIALOG = ELEMENT_CODES["dialog"]
_ROOTS = codes_of("html body")
# Annotations are out of the base text; their end tags are optional.
_ANNOTATIONS = codes_of("rt rp rtc")
_RUBY_PARTS = np.array(sorted(codes_of("rt rp rtc rb ruby")), np.int8)
# A zero font size hides what is directly inside; other elements often have their own.
_PLAIN = np.array(sorted(codes_of("b br em i p strong u wbr") | {6}), np.int8)
# React streams parts of a page in hidden elements, which its inline scripts move into place.
_STREAMED_ID = re.compile(r"S:[0-9a-f]+")
_OVERLAY = re.compile(
    r"modal|overlay|popup|pop-up|dialog|lightbox|offcanvas|off-canvas|drawer", re.IGNORECASE
)
# Tabs, accordions and the rest of a text that the reader opens with a click are no hidden text.
_OPENED = re.compile(
    r"accordion|collaps|\btab|tab-?pane|faq|answer|toggle|expand|expandable|read-?more|show-?more"
    r"|more-?(?:text|content)|spoiler|disclosure|\bpanel|-panel",
    re.IGNORECASE,
)
_LONGEST_ATTRIBUTES = 1000
_OPENED_ROLES = ("tabpanel", "region")
_OVERLAY_ROLES = ("dialog", "alertdialog")


def find_annotations(
    tags: Codes, offset: Ints, marks: Sequence[loops.Mark], length: int
) -> HiddenText:
    """Find the ruby annotations of a page; they end with the next tag of a ruby or a block."""
    starts = np.array([tag for tag, _ in marks if int(tags[tag]) in _ANNOTATIONS], np.int32)
    if not len(starts):
        return NOTHING_HIDDEN
    codes = np.abs(tags)
    parts = np.flatnonzero(np.isin(codes, _RUBY_PARTS) | (BREAK_STRENGTHS[codes] >= ITEM))
    after = np.searchsorted(parts, starts, side="right")
    ends = np.append(offset[parts], np.int32(length))[after]
    return hidden_text(offset[starts], ends, np.ones(len(starts), np.bool_))


def find_hidden(
    tags: Codes, offset: Ints, marks: Sequence[loops.Mark], styles: Sequence[str]
) -> HiddenText:
    """Find the text of elements that are hidden; ``marks`` are those that may be."""
    rules = StyleRules(styles)
    found = [(tag, how) for tag, values in marks if (how := _hides(int(tags[tag]), values, rules))]
    starts = np.fromiter((tag for tag, _ in found), np.int32, len(found))
    ends = loops.closing_tags(tags, starts)
    closed = ends >= 0
    for index, (tag, how) in enumerate(found):
        if how == "font-size" and closed[index]:
            inside = np.abs(tags[tag + 1 : ends[index]])
            closed[index] = np.isin(inside, _PLAIN).all()
    starts, ends = starts[closed], ends[closed]
    is_inline = BREAK_STRENGTHS[tags[starts]] == 0
    return hidden_text(offset[starts], offset[ends], is_inline, starts, ends)


def _hides(code: int, values: Mapping[str, str], rules: StyleRules) -> str:
    """Return how a start tag hides its element, or ""."""
    if code in _ROOTS or code in _ANNOTATIONS:
        return ""
    class_name, element_id = values.get("class", ""), values.get("id", "")
    if _is_opened(values):
        return ""
    if "hidden" in values and values["hidden"].strip().lower() != "until-found":
        return "" if _STREAMED_ID.fullmatch(element_id) else "hidden"
    if code == _DIALOG and "open" not in values:
        return "dialog"
    names = class_name.split()
    if not SCREEN_READER_NAMES.isdisjoint(names) and not any("not-sr-only" in one for one in names):
        return "screen reader"
    if how := hides(values.get("style", "")):
        return how
    if values.get("aria-hidden", "").strip().lower() == "true" and (
        values.get("role") in _OVERLAY_ROLES or _OVERLAY.search(f"{class_name} {element_id}")
    ):
        return "overlay"
    return "rule" if rules.hide(ELEMENT_NAMES[code], class_name, element_id) else ""


def _is_opened(values: Mapping[str, str]) -> bool:
    """Tell whether an element is a part of the page that its reader opens."""
    return (
        values.get("role") in _OPENED_ROLES
        or "aria-labelledby" in values and values.get("role") not in _OVERLAY_ROLES
        or _OPENED.search(" ".join(values.values())[:_LONGEST_ATTRIBUTES]) is not None
    )
