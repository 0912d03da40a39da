"""What stands near the headline of a page for people to read: the byline and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Text

from scrapy_cetr.extraction.metadata.evidence import MAX_ELEMENTS, Evidence, one_line

_BYLINES = (
    '[class*="author" i], [class*="byline" i], [rel~="author"], [itemprop~="author"],'
    ' a[href*="/author" i]'
)
_CONTAINERS = frozenset(
    ("html", "body", "main", "article", "meta", "script", "style", "img", "svg")
)
# Other people write there; but what is marked as the author in so many words is not doubted so
# easily.
_COMMENTS = (
    "[class*=comment i], [id*=comment i], [class*=related i], [class*=recommend i],"
    " [class*=testimonial i], [class*=popular i], [class*=teaser i], [id*=related i],"
    " [class*=trending i], [class*=recirc i], blockquote, nav"
)
_ASIDES = "footer, aside, [class*=sidebar i], [class*=quote i], [class*=menu i]"
# Classes such as "has-sidebar" of the whole page say nothing of a part of it.
_WHOLE = ":not(html, body, main, article)"
_OF_OTHERS = f":is({_COMMENTS}){_WHOLE}"
_ELSEWHERE = f":is({_COMMENTS}, {_ASIDES}){_WHOLE}"
_SURE = re.compile(r"author|byline", re.IGNORECASE)
_NAMED = re.compile(r"author[-_]*(?:link|name|title|by)|name|url fn|^fn\b", re.IGNORECASE)
_MAX_BYLINE = 160
# So much text behind a headline and before it is near it.
NEAR_CHARS, _CHARS_BEFORE = 1200, 150
_NEAR_NODES, _NODES_BEFORE = 300, 60
HAS_DIGIT = re.compile(r"\d").search
_NO_TEXT = frozenset(("script", "style", "noscript", "template", "title", "textarea"))


class Byline(NamedTuple):
    """What is marked as naming an author, how surely, 0 being the surest, and its text."""

    rank: int
    element: Element
    text: str


class Layout:
    """The page around its headline, looked at only as far as is asked for."""

    def __init__(self, evidence: Evidence, headline: Element | None) -> None:
        self._evidence = evidence
        self.headline = headline

    @cached_property
    def near(self) -> Neighbourhood:
        """What stands near the headline."""
        return neighbourhood(self.headline)

    def find(self, selector: str) -> list[Element]:
        """Find elements that may be short texts."""
        found = self._evidence.tree.select(selector)[:MAX_ELEMENTS]
        return [element for element in found if element.tag not in _CONTAINERS]

    @cached_property
    def bylines(self) -> list[Byline]:
        """What is marked as naming an author."""
        bylines = []
        for element in self.find(_BYLINES):
            text = spaced_text(element)
            sure = _SURE.search(f"{element.attr('rel')} {element.attr('itemprop')}")
            if text and not element.closest(_OF_OTHERS if sure else _ELSEWHERE):
                bylines.append(Byline(_rank(element), element, text))
        return bylines


def _rank(element: Element) -> int:
    label = f"{element.attr('class') or ''} {element.attr('itemprop') or ''}"
    if element.attr("rel") or element.tag == "a" or _NAMED.search(label):
        return 0
    return 1 if "by" in label.lower() else 2


def spaced_text(element: Element) -> str:
    """Read a short element, each of its parts on a line; a long one is nothing."""
    parts: list[str] = []
    size = 0
    for part in element.stripped_strings:
        size += len(part) + 1
        if size > _MAX_BYLINE:
            return ""
        parts.append(one_line(part))
    return "\n".join(filter(None, parts))


def is_elsewhere(element: Element) -> bool:
    """Tell whether an element stands among comments, teasers or the like."""
    return element.closest(_ELSEWHERE) is not None


def is_behind(element: Element, headline: Element | None) -> bool:
    """Tell whether an element stands behind the headline in the source."""
    if headline is None or headline.position is None or element.position is None:
        return True
    return element.position > headline.position


class Neighbourhood(NamedTuple):
    """The texts around a headline, those behind it first, each with its element."""

    texts: list[str]
    elements: list[Element]


def neighbourhood(headline: Element | None) -> Neighbourhood:
    """Collect the texts behind a headline up to some length, and a few before it."""
    near = Neighbourhood([], [])
    if headline is not None:
        _collect(islice(headline.following, _NEAR_NODES), NEAR_CHARS, near)
        _collect(islice(headline.preceding, _NODES_BEFORE), _CHARS_BEFORE, near)
    return near


def _collect(nodes: Iterable[object], limit: int, near: Neighbourhood) -> None:
    """Read texts until there are enough."""
    for node in nodes:
        if type(node) is not Text:
            continue
        parent = node.parent
        if not isinstance(parent, Element) or parent.tag in _NO_TEXT:
            continue
        text = one_line(node.data[:NEAR_CHARS])
        dated = parent.tag == "time" or HAS_DIGIT(text)
        if text and not (dated and parent.closest(_OF_OTHERS)):
            near.texts.append(text)
            near.elements.append(parent)
            limit -= len(text)
            if limit < 0:
                break
