"""Which start tags may hide their elements, as far as the pass over a page can tell cheaply.

The pass notes these tags with their attributes. ``html.visibility`` decides on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_CONTAINER

# Class names of common frameworks and themes for text that only screen readers present.
SCREEN_READER_NAMES = frozenset(
    (
        *("sr-only", "sronly", "sr_only", "usa-sr-only", "govuk-visually-hidden", "show-for-sr"),
        *(
            "visually-hidden",
            "visuallyhidden",
            "visuallyHidden",
            "VisuallyHidden",
            "visually_hidden",
        ),
        *("u-visually-hidden", "u-visuallyhidden", "u-hidden-visually", "is-visually-hidden"),
        *(
            "is-visuallyhidden",
            "is-sr-only",
            "isVisuallyHidden",
            "hidden-visually",
            "hide-visually",
        ),
        *("sr-only-focusable", "visually-hidden-focusable", "screen-reader-text"),
        *("screen-reader-only", "screenreader-only", "screenReaderOnly", "screen-reader"),
        *("screenreader", "for-screen-reader", "element-invisible", "element-focusable"),
        *(
            "assistive-text",
            "a11y-hidden",
            "a11y-only",
            "accessibility-hidden",
            "accessibly-hidden",
        ),
        *("off-screen-text", "a-offscreen", "elementor-screen-only"),
    )
)
# A page can mark any number of tags; one for people marks fewer.
MAX_MARKS = 20_000
# Elements that the pass always notes: a dialog may be closed, and ruby annotates another text.
ALWAYS_MARKED = frozenset(ELEMENT_CODES[name] for name in ("dialog", "rt", "rp", "rtc"))

# The declarations that hide, as style sheets write them.
_VALUES = (
    *("display:none", "display: none", "visibility:hidden", "visibility: hidden"),
    *("position:fixed", "position: fixed"),
)
# No selector needs more characters, and no page more rules.
_SELECTOR_CHARS, _MAX_RULES = 4000, 2000
# The style sheets of frameworks are long. They hide menus and the like by names that say little,
# and reading them would take longer than the page.
MAX_STYLE_CHARS = 20_000
_NAME = re.compile(r"[.#][a-zA-Z_][\w-]*")
_SIMPLE = re.compile(r"[a-zA-Z]{0,40}((?:[.#][a-zA-Z_][\w-]{0,99})+)")
_STYLE = re.compile(r"y\s*:\s*(?:none|hidden|collapse)|size\s*:\s*0|n\s*:\s*fixed", re.IGNORECASE)


def selector_names(css: str) -> set[str]:
    """Return the classes (".a") and ids ("#a") that rules may hide by themselves.

    >>> sorted(selector_names(".a, p#b, .c p {display:none} .d {color:red}"))
    ['#b', '.a']
    """
    names: set[str] = set()
    rules: set[int] = set()
    for value in _VALUES:
        at = css.find(value)
        while at >= 0 and len(rules) < _MAX_RULES:
            opened = css.rfind("{", max(at - _SELECTOR_CHARS, 0), at)
            if opened >= 0 and opened not in rules:
                rules.add(opened)
                first = max(opened - _SELECTOR_CHARS, 0)
                begin = max(css.rfind("}", first, opened), css.rfind("{", first, opened), first - 1)
                for selector in css[begin + 1 : opened].rpartition("*/")[2].split(","):
                    if simple := _SIMPLE.fullmatch(selector.strip()):
                        names.update(_NAME.findall(simple[1]))
            at = css.find(value, at + len(value))
    return names


def style_sheet(css: str, media: str | None) -> str:
    """Return the rules of a style sheet, inside of a rule for its media unless it is for all."""
    if media is None or media.strip().lower() in ("", "all", "screen"):
        return css
    return f"@media {media} {{{css}}}"


def first_values(attributes: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """Return attributes by name; of several with one name, the first counts.

    >>> first_values([("id", "a"), ("hidden", None), ("id", "b")])
    {'id': 'a', 'hidden': ''}
    """
    values: dict[str, str] = {}
    for name, value in attributes:
        values.setdefault(name, value or "")
    return values


def may_hide(code: int, attributes: Iterable[tuple[str, str | None]], names: set[str]) -> bool:
    """Tell whether a start tag may hide its element; ``names`` are those of rules that may."""
    if code in ALWAYS_MARKED:
        return True
    for name, value in attributes:
        if name == "class":
            if value and any(
                one in SCREEN_READER_NAMES or f".{one}" in names for one in value.split()
            ):
                return True
        elif name == "style":
            if value and _STYLE.search(value):
                return True
        elif (
            name == "hidden"
            or (name == "id" and f"#{value}" in names)
            or (name == "aria-hidden" and code >= FIRST_CONTAINER)
        ):
            return True
    return False
