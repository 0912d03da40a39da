"""Where a page has text that no browser shows: by attributes, styles, classes, closed dialogs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Codes, Ints
from scrapy_cetr.extraction.elements import (
    BREAK_STRENGTHS,
    ELEMENT_CODES,
    ELEMENT_NAMES,
    ITEM,
    codes_of,
)
from scrapy_cetr.extraction.html.style_rules import StyleRules, hides
from scrapy_cetr.extraction.loops.hiding import SCREEN_READER_NAMES
from scrapy_cetr.extraction.page.hidden import Suspects, covered

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


def without_annotations(text: str, tags: Codes, offset: Ints, marks: Sequence[loops.Mark]) -> str:
    """Cover the ruby annotations of a page; they end with the next tag of a ruby or a block."""
    starts = np.array([tag for tag, _ in marks if int(tags[tag]) in _ANNOTATIONS], np.int32)
    if not len(starts):
        return text
    codes = np.abs(tags)
    parts = np.flatnonzero(np.isin(codes, _RUBY_PARTS) | (BREAK_STRENGTHS[codes] >= ITEM))
    after = np.searchsorted(parts, starts, side="right")
    ends = np.append(offset[parts], np.int32(len(text)))[after]
    return covered(text, offset[starts], ends, np.ones(len(starts), np.bool_))


def find_suspects(
    tags: Codes, offset: Ints, marks: Sequence[loops.Mark], styles: Sequence[str]
) -> Suspects:
    """Find the elements of tags that may hide them, as far as they are closed."""
    starts = np.fromiter((tag for tag, _ in marks), np.int32, len(marks))
    ends = loops.closing_tags(tags, starts)
    taken = np.flatnonzero(ends >= 0)
    starts, ends = starts[taken], ends[taken]
    codes = tags[starts]
    rules = StyleRules(styles)

    def is_hidden(index: int) -> bool:
        how = _hides(int(codes[index]), marks[int(taken[index])][1], rules)
        if how != "font-size":
            return bool(how)
        inside = np.abs(tags[starts[index] + 1 : ends[index]])
        return bool(np.isin(inside, _PLAIN).all())

    is_inline = BREAK_STRENGTHS[codes] == 0
    return Suspects(offset[starts], offset[ends], is_inline, starts, ends, is_hidden)


def _hides(code: int, values: Mapping[str, str], rules: StyleRules) -> str:
    """Return how a start tag hides its element, or ""."""
    if is_root(code) or code in _ANNOTATIONS:
        return ""
    how = _hides_at_all(code, values, rules)
    return "" if how and is_opened(values) else how


def _hides_at_all(code: int, values: Mapping[str, str], rules: StyleRules) -> str:
    class_name, element_id = values.get("class", ""), values.get("id", "")
    if "hidden" in values and values["hidden"].strip().lower() != "until-found":
        return "" if _STREAMED_ID.fullmatch(element_id) else "hidden"
    if code == _DIALOG and "open" not in values:
        return "dialog"
    names = class_name.split()
    if not SCREEN_READER_NAMES.isdisjoint(names) and not any("not-sr-only" in one for one in names):
        return "screen reader"
    if "style" in values and (how := hides(values["style"])):
        return how
    if values.get("aria-hidden", "").strip().lower() == "true" and (
        values.get("role") in _OVERLAY_ROLES or _OVERLAY.search(f"{class_name} {element_id}")
    ):
        return "overlay"
    return "rule" if rules.hide(ELEMENT_NAMES[code], class_name, element_id) else ""


def is_opened(values: Mapping[str, str]) -> bool:
    """Tell whether an element is a part of the page that its reader, or a script, opens."""
    return (
        values.get("role") in _OPENED_ROLES
        or ("aria-labelledby" in values and values.get("role") not in _OVERLAY_ROLES)
        or _OPENED.search(" ".join(values.values())[:_LONGEST_ATTRIBUTES]) is not None
    )


def is_root(code: int) -> bool:
    """Tell whether an element is the page itself, which is never hidden."""
    return code in _ROOTS
