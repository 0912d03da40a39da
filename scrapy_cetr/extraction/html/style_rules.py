"""The rules of a page's own style sheets that hide elements by their class or id.

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

_VALUES = ("none", "hidden", "collapse", "size")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*)?((?:[.#][a-zA-Z_][\w-]*)+)")
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


class StyleRules:
    """The rules of all style sheets of a page, read when an element is looked up."""

    def __init__(self, styles: Sequence[str]) -> None:
        self._css = _without_comments("\n".join(styles)[:_MAX_CHARS])
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
            for rule in self._hiding
            if rule.names <= names and rule.tag in ("", "*", tag)
        ]
        if not hiding:
            return False
        return any(rule.is_important for rule in hiding) or not any(
            _may_show(self._css, name, names) for name in sorted(names)
        )

    @cached_property
    def _hiding(self) -> list[_Rule]:
        """The rules outside of others that hide."""
        rules: list[_Rule] = []
        for opened, closed in _hiding_blocks(self._css):
            if self._css.count("{", 0, opened) != self._css.count("}", 0, opened):
                continue
            is_important = _IMPORTANT in self._css[opened:closed].replace(" ", "")
            for selector in _selector(self._css, opened).split(","):
                simple = _SIMPLE.fullmatch(selector.strip())
                if simple:
                    names = frozenset(_NAME.findall(simple[2]))
                    rules.append(_Rule((simple[1] or "").lower(), names, is_important))
        return rules


def hides(declarations: str) -> str:
    """Return how a list of declarations hides: "display", "visibility", "font-size", or "".

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


def _hiding_blocks(css: str) -> Iterator[tuple[int, int]]:
    """Yield the braces around declarations that hide."""
    seen: set[int] = set()
    for value in _VALUES:
        at = css.find(value)
        while at >= 0 and len(seen) < _MAX_RULES:
            opened = css.rfind("{", max(at - _LONGEST_BLOCK, 0), at)
            if opened >= 0 and opened not in seen:
                seen.add(opened)
                closed = css.find("}", opened, opened + _LONGEST_BLOCK)
                # Zero font sizes are often those of containers, whose children set their own.
                if closed > at and hides(css[opened + 1 : closed]) in ("display", "visibility"):
                    yield opened, closed
            at = css.find(value, at + len(value))


def _may_show(css: str, name: str, names: frozenset[str]) -> bool:
    """Tell whether a rule for a name may show an element with some names."""
    at = css.find(name)
    for _ in range(_MAX_RULES):
        if at < 0:
            return False
        after = at + len(name)
        if not (css[after : after + 1].isalnum() or css[after : after + 1] in ("-", "_")):
            opened = css.find("{", after, after + _LONGEST_SELECTOR)
            closed = css.find("}", opened, opened + _LONGEST_BLOCK) if opened >= 0 else -1
            if closed >= 0 and _shows(css[opened + 1 : closed]):
                selectors = _selector(css, opened).split(",")
                if any(name in one and _may_match(one, names) for one in selectors):
                    return True
        at = css.find(name, after)
    return True


def _shows(declarations: str) -> bool:
    declarations = declarations.lower().replace(" ", "")
    return (
        "display:" in declarations and "display:none" not in declarations
    ) or "visibility:visible" in declarations


def _may_match(selector: str, names: frozenset[str]) -> bool:
    """Tell whether a selector may match an element, in whatever elements it is."""
    if _DYNAMIC.search(selector):
        return False
    own = _COMBINATOR.split(_NEGATED.sub("", selector.strip()))[-1]
    return frozenset(_NAME.findall(own)) <= names
