"""The rules of a page's own style sheets that hide elements by their class or id.

Boxes that are fixed to the window count as hidden: they lie over the text, and are no part of it.

A rule counts only if it is certain to apply: outside of @media and the like, with a selector for
a class or an id of the element itself, and without another rule that may show the element. Rules
for print, small screens and states of a script therefore hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

# No page for people has more; the rest of a hostile page is not read.
_MAX_CHARS, _MAX_RULES = 2_000_000, 5000
_LONGEST_SELECTOR, _LONGEST_BLOCK = 4000, 4000

_HIDING_VALUES = ("none", "hidden", "collapse", "fixed")
_SHOWING_PROPERTIES = ("display", "visibility", "position")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]{0,99})?((?:[.#][a-zA-Z_][\w-]{0,99})+)")
_NAME = re.compile(r"[.#][a-zA-Z_][\w-]*")
_DYNAMIC = re.compile(r":(?:hover|focus|active|target|focus-within|focus-visible)\b")
_NEGATED = re.compile(r":not\([^()]{0,400}\)")
_COMBINATOR = re.compile(r"[\s>+~]+")
_IMPORTANT = "!important"
_ZERO = re.compile(r"0(?:px|em|rem|pt|%)?$")


class _Rule(NamedTuple):
    tag: str
    names: frozenset[str]
    is_important: bool
    is_fixing: bool


class StyleRules:
    """The rules of all style sheets of a page, read when an element is looked up."""

    def __init__(self, styles: Sequence[str]) -> None:
        self._styles = styles
        self._known: dict[tuple[str, str, str], bool] = {}

    def hide(self, tag: str, class_name: str, element_id: str) -> bool:
        """Tell whether an element is hidden by its class or id.

        >>> rules = StyleRules([".a {display: none} .b {display: none} .b.open {display: block}"])
        >>> rules.hide("p", "a", ""), rules.hide("p", "b", ""), rules.hide("p", "b open", "")
        (True, True, False)
        """
        key = (tag, class_name, element_id)
        if key not in self._known:
            names = frozenset(f".{name}" for name in class_name.split())
            self._known[key] = self._hide(tag, names | ({f"#{element_id}"} - {"#"}))
        return self._known[key]

    def _hide(self, tag: str, names: frozenset[str]) -> bool:
        hiding = [
            rule
            for name in names
            for rule in self._hiding.get(name, ())
            if rule.names <= names and rule.tag in ("", tag)
        ]
        if not hiding or any(rule.is_important for rule in hiding):
            return bool(hiding)
        shown = {
            is_moving
            for name in names
            for is_moving, shown in self._showing.get(name, ())
            if shown <= names
        }
        return any(rule.is_fixing not in shown for rule in hiding)

    @cached_property
    def _css(self) -> str:
        return _without_comments("\n".join(self._styles)[:_MAX_CHARS])

    @cached_property
    def _hiding(self) -> dict[str, list[_Rule]]:
        """The rules outside of others that hide, by each of their names."""
        rules: dict[str, list[_Rule]] = {}
        depth = last = 0
        for opened, closed in sorted(_blocks(self._css, _HIDING_VALUES)):
            depth += self._css.count("{", last, opened) - self._css.count("}", last, opened)
            last = opened
            declarations = self._css[opened + 1 : closed]
            how = hides(declarations)
            # Zero font sizes are often those of containers, whose children set their own.
            if depth or how not in _SHOWING_PROPERTIES:
                continue
            is_important = _IMPORTANT in declarations.replace(" ", "")
            for selector in _selector(self._css, opened).split(","):
                simple = _SIMPLE.fullmatch(selector.strip())
                if simple:
                    names = frozenset(_NAME.findall(simple[2]))
                    is_fixing = how == "position"
                    rule = _Rule((simple[1] or "").lower(), names, is_important, is_fixing)
                    for name in names:
                        rules.setdefault(name, []).append(rule)
        return rules

    @cached_property
    def _showing(self) -> dict[str, list[tuple[bool, frozenset[str]]]]:
        """The names that an element has if a rule may show it, by each of them.

        With them is whether the rule shows it by its position. The elements around it, and the
        media, are taken to be those of the rule.
        """
        showing: dict[str, list[tuple[bool, frozenset[str]]]] = {}
        for opened, closed in _blocks(self._css, _SHOWING_PROPERTIES):
            ways = _ways_of_showing(self._css[opened + 1 : closed])
            if not ways:
                continue
            for selector in _selector(self._css, opened).split(","):
                if not _DYNAMIC.search(selector):
                    own = _COMBINATOR.split(_NEGATED.sub("", selector.strip()))[-1]
                    names = frozenset(_NAME.findall(own))
                    for name in names:
                        showing.setdefault(name, []).extend((way, names) for way in ways)
        return showing


def hides(declarations: str) -> str:
    """Return which property hides: "display", "visibility", "position", "font-size", or "".

    >>> hides("color: red; display: none"), hides("display: none; display: block")
    ('display', '')
    """
    found: dict[str, bool] = {}
    for declaration in declarations.lower().split(";"):
        name, _, value = declaration.partition(":")
        name, value = name.strip(), value.replace("!important", "").strip()
        if name == "display" and value:
            found[name] = value == "none"
        elif name == "visibility" and value:
            found[name] = value in ("hidden", "collapse")
        elif name == "position" and value:
            found[name] = value == "fixed"
        elif name == "font-size" and value:
            found[name] = _ZERO.match(value) is not None
    return next((name for name, is_hiding in found.items() if is_hiding), "")


def _without_comments(css: str) -> str:
    first, *others = css.split("/*")
    return " ".join((first, *(part.partition("*/")[2] for part in others)))


def _selector(css: str, opened: int) -> str:
    """Return the selector before an opening brace."""
    first = max(opened - _LONGEST_SELECTOR, 0)
    return css[max(css.rfind(mark, first, opened) for mark in "{};") + 1 : opened]


def _blocks(css: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the braces around declarations with one of some words, each pair once."""
    seen: set[int] = set()
    for word in words:
        at = css.find(word)
        while at >= 0 and len(seen) < _MAX_RULES:
            opened = css.rfind("{", max(at - _LONGEST_BLOCK, 0), at)
            closed = css.find("}", at, at + _LONGEST_BLOCK)
            if opened >= 0 and closed >= 0 and opened not in seen:
                seen.add(opened)
                yield opened, closed
            at = css.find(word, at + len(word) if closed < 0 else closed)


def _ways_of_showing(declarations: str) -> list[bool]:
    """Return whether declarations show an element by its position, or by other properties."""
    declarations = declarations.lower().replace(" ", "")
    is_displayed = "display:" in declarations and "display:none" not in declarations
    is_moved = "position:" in declarations and "position:fixed" not in declarations
    ways = [False] if is_displayed or "visibility:visible" in declarations else []
    return [*ways, True] if is_moved else ways
