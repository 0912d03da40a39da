"""The visible layout of a page: bylines, and the texts near the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Text

from scrapy_cetr.extraction.metadata.parsed_page import MAX_ELEMENTS, ParsedPage
from scrapy_cetr.extraction.metadata.texts import one_line

_BYLINE_SELECTOR = (
    '[class*="author" i], [class*="byline" i], [rel~="author"], [itemprop~="author"],'
    ' a[href*="/author" i]'
)
_CONTAINERS = frozenset(
    ("html", "body", "main", "article", "meta", "script", "style", "img", "svg")
)
# Content by other people or about other articles.
_OTHER_CONTENT_PARTS = (
    "[class*=comment i], [id*=comment i], [class*=related i], [class*=recommend i],"
    " [class*=testimonial i], [class*=popular i], [class*=teaser i], [id*=related i],"
    " [class*=trending i], [class*=recirc i], blockquote, nav"
)
# Bylines in these count only if they are explicitly marked by rel or itemprop.
_ASIDE_PARTS = "footer, aside, [class*=sidebar i], [class*=quote i], [class*=menu i]"
# A class such as "has-sidebar" of a whole page does not apply to its parts.
_NOT_WHOLE_PAGE = ":not(html, body, main, article)"
_OTHER_CONTENT = f":is({_OTHER_CONTENT_PARTS}){_NOT_WHOLE_PAGE}"
_OUTSIDE_ARTICLE = f":is({_OTHER_CONTENT_PARTS}, {_ASIDE_PARTS}){_NOT_WHOLE_PAGE}"
_EXPLICIT = re.compile(r"author|byline", re.IGNORECASE)
_NAME_CLASS = re.compile(r"author[-_]*(?:link|name|title|by)|name|url fn|^fn\b", re.IGNORECASE)
_MAX_BYLINE = 160
# Limits for the texts after and before a headline that are near it, in characters and nodes.
CHARS_AFTER, _CHARS_BEFORE = 1200, 150
_NODES_AFTER, _NODES_BEFORE = 300, 60
HAS_DIGIT = re.compile(r"\d").search
_INVISIBLE_TAGS = frozenset(("script", "style", "noscript", "template", "title", "textarea"))


class Byline(NamedTuple):
    """An element that is marked as a byline, its rank (0 is the most reliable), and its text."""

    rank: int
    element: Element
    text: str


class Layout:
    """The visible parts of a page that name authors and dates, read when they are first used."""

    def __init__(self, page: ParsedPage, headline: Element | None) -> None:
        self._page = page
        self.headline = headline

    @cached_property
    def nearby(self) -> NearbyTexts:
        """The texts near the headline."""
        return _nearby_texts(self.headline)

    def find(self, selector: str) -> list[Element]:
        """Return the elements of a selector, without containers of a whole page."""
        found = self._page.tree.select(selector)[:MAX_ELEMENTS]
        return [element for element in found if element.tag not in _CONTAINERS]

    @cached_property
    def bylines(self) -> list[Byline]:
        """The short elements that are marked as a byline, in the order of the page."""
        bylines = []
        for element in self.find(_BYLINE_SELECTOR):
            text = short_text(element)
            explicit = _EXPLICIT.search(f"{element.attr('rel')} {element.attr('itemprop')}")
            if text and not element.closest(_OTHER_CONTENT if explicit else _OUTSIDE_ARTICLE):
                bylines.append(Byline(_rank(element), element, text))
        return bylines


def _rank(element: Element) -> int:
    names = f"{element.attr('class') or ''} {element.attr('itemprop') or ''}"
    if element.attr("rel") or element.tag == "a" or _NAME_CLASS.search(names):
        return 0
    return 1 if "by" in names.lower() else 2


def short_text(element: Element) -> str:
    """Return the text of an element, each part on its own line; empty if it is long."""
    parts: list[str] = []
    size = 0
    for part in element.stripped_strings:
        size += len(part) + 1
        if size > _MAX_BYLINE:
            return ""
        parts.append(one_line(part))
    return "\n".join(filter(None, parts))


def is_outside_article(element: Element) -> bool:
    """Return whether an element is inside of comments, teasers, asides or the like."""
    return element.closest(_OUTSIDE_ARTICLE) is not None


def is_after(element: Element, headline: Element | None) -> bool:
    """Return whether an element comes after the headline; True if that is not known."""
    if headline is None or headline.position is None or element.position is None:
        return True
    return element.position > headline.position


class NearbyTexts(NamedTuple):
    """The texts near a headline and their elements: those after it, then those before it."""

    texts: list[str]
    elements: list[Element]


def _nearby_texts(headline: Element | None) -> NearbyTexts:
    nearby = NearbyTexts([], [])
    if headline is not None:
        _collect(islice(headline.following, _NODES_AFTER), CHARS_AFTER, nearby)
        _collect(islice(headline.preceding, _NODES_BEFORE), _CHARS_BEFORE, nearby)
    return nearby


def _collect(nodes: Iterable[object], max_chars: int, nearby: NearbyTexts) -> None:
    """Add the texts of nodes until they have more than ``max_chars`` characters."""
    for node in nodes:
        if type(node) is not Text:
            continue
        parent = node.parent
        if not isinstance(parent, Element) or parent.tag in _INVISIBLE_TAGS:
            continue
        text = one_line(node.data[:CHARS_AFTER])
        may_be_date = parent.tag == "time" or HAS_DIGIT(text)
        if text and not (may_be_date and parent.closest(_OTHER_CONTENT)):
            nearby.texts.append(text)
            nearby.elements.append(parent)
            max_chars -= len(text)
            if max_chars < 0:
                break
