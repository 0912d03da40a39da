"""One pass over a page, which collects its visible text, its tags and their offsets."""

from __future__ import annotations

import re
from collections import deque
from itertools import accumulate
from typing import TypeVar

import numpy as np
from turbohtml import TokenType, tokenize

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Codes, Ints
from scrapy_cetr.extraction.elements import ELEMENT_CODES, HIDDEN_TEXTS, HIDDEN_TREES
from scrapy_cetr.extraction.html.article_body import declared_body
from scrapy_cetr.extraction.html.meta_title import meta_title
from scrapy_cetr.extraction.html.visibility import find_suspects, without_annotations
from scrapy_cetr.extraction.page.characters import single_spaced
from scrapy_cetr.extraction.page.hidden import NO_SUSPECTS
from scrapy_cetr.extraction.page.page import Page, make_page
from scrapy_cetr.extraction.page.sources import Sources

_COMMENT = TokenType.COMMENT
_Column = TypeVar("_Column", Codes, Ints)

# The class name of an element with neither class nor id.
NO_CLASS_NAME = " "
# The rest of a longer title does not help to find the headline.
_MAX_TITLE_CHARS = 10_000
# The ways to swallow the rest of a page: an unclosed comment, quotation mark or hidden element.
_MAX_TRAPS = 3 + len(HIDDEN_TEXTS)
# Appended to a page; if it is not the last token, something unclosed has swallowed the rest.
_SENTINEL = "<!end of page>"
_LAST_TAG, _LAST_CODE = "</html>", -ELEMENT_CODES["html"]
_TAIL = 100
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


class Scan:
    """One pass over a page, which makes a row of each block; subclasses make other rows."""

    def __init__(
        self,
        *,
        hidden: frozenset[str],
        with_class_names: bool,
        with_marks: bool,
        with_sources: bool = False,
    ) -> None:
        self.hidden, self.with_sources = hidden, with_sources
        self.with_class_names, self.with_marks = with_class_names, with_marks
        self.title: str | None = None
        self.meta_title = ""
        self.json_ld_scripts: list[str] = []
        self.styles: list[str] = []
        # A number for each class name; most elements share theirs with others.
        self.class_name_ids = {NO_CLASS_NAME: 0}
        self.unclosed: str | None = None  # the element that hides the rest of the page
        self.texts: list[str] = []
        self.length = 0  # of the texts
        # The columns of the parts that were read: most pages have one.
        self.parts: list[loops.MarkupColumns] = []
        self.sources: list[str] = []

    def feed(self, html: str) -> None:
        """Read markup to its end, and then the markup that something unclosed has swallowed."""
        self.meta_title = meta_title(html)
        for _ in range(_MAX_TRAPS):
            # Most pages end with </html>, which serves as well without copying the page.
            ended = html[-_TAIL:].rstrip()[-len(_LAST_TAG) :].lower() == _LAST_TAG
            source = html if ended else html + _SENTINEL
            self.sources.append(html)
            last = self.take(source)
            if ended and self.unclosed is None and self.last_tag() == _LAST_CODE:
                break
            html = self._swallowed(html, last)
            if not html:
                break

    def take(self, source: str) -> loops.MarkupColumns:
        """Read markup, and add its columns to those read before."""
        found = self.read(source, self.class_name_ids if self.with_class_names else None)
        self.parts.append(found)
        self.texts += found.texts
        self.length = found.length
        self.json_ld_scripts += found.json_ld_scripts
        self.styles += found.styles
        self.title = found.title if self.title is None else self.title
        self.unclosed = found.unclosed
        return found

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        """Read markup; subclasses see its tokens."""
        return loops.read_columns(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            with_marks=self.with_marks,
            with_sources=self.with_sources,
        )

    def _swallowed(self, html: str, last: loops.MarkupColumns) -> str:
        """Return the markup that something unclosed at the end of a page has swallowed."""
        if self.unclosed in HIDDEN_TREES:
            return ""
        if last.ends_with_comment and last.last_data == _SENTINEL[2:-1]:
            return ""
        if self.unclosed is not None:
            # The element has no end tag in the rest, so none of its start tags may open it again.
            rest = re.sub(f"<{self.unclosed}", "<x", last.last_data, flags=re.I)
            self.unclosed = None
            tag = _TAG.search(rest)
            rest = rest[tag.start() :] if tag else ""
        elif last.ends_with_comment and _is_closed_by("-->", html):
            rest = last.last_data.replace("<!--", "").partition(">")[2]
        else:
            rest = _unclosed_attribute(html).partition(">")[2]
        return rest.removesuffix(_SENTINEL)

    def page(self) -> Page:
        return self.make_page("".join(self.texts), *self.tag_columns())

    def make_page(
        self, text: str, tags: Codes, offset: Ints, lines: tuple[Ints, Ints] | None = None
    ) -> Page:
        class_name = _joined([part.class_name for part in self.parts])
        numbers = self._numbers()
        marks = self._marks()
        sources = self._tag_sources() if self.with_sources else None
        self.texts, self.parts = [], []  # so that text and tags are not held twice
        suspects = NO_SUSPECTS
        if marks:
            text = without_annotations(text, tags, offset, marks)
            suspects = find_suspects(tags, offset, marks, self.styles)
        title = single_spaced((self.title or "")[:_MAX_TITLE_CHARS])
        return make_page(
            text,
            tags,
            offset,
            lines=lines,
            title=title,
            class_names=[*self.class_name_ids],
            class_name=class_name,
            numbers=numbers,
            declared_body=declared_body(self.json_ld_scripts) if self.json_ld_scripts else "",
            meta_title=self.meta_title,
            suspects=suspects,
            sources=sources,
        )

    def _numbers(self) -> Ints:
        """Return the numbers in tags, with the indices of these in the whole page."""
        before, numbers = 0, []
        for part in self.parts:
            if len(found := part.numbers):
                numbers.append(found + np.array((before, 0, 0), np.int32))
            before += len(part.tags)
        return _joined(numbers) if numbers else np.zeros((0, 3), np.int32)

    def _tag_sources(self) -> Sources:
        """Return where the tags are in the HTML."""
        before = accumulate((len(part.tags) for part in self.parts[:-1]), initial=0)
        return Sources(
            html=tuple(self.sources),
            first_tag=tuple(before),
            offset=_joined([part.sources for part in self.parts]),
            pictures=tuple(part.pictures for part in self.parts),
        )

    def _marks(self) -> list[loops.Mark]:
        """Return the tags that may hide, with their indices among the tags of all parts."""
        marks: list[loops.Mark] = []
        before = 0
        for part in self.parts:
            marks += [(tag + before, values) for tag, values in part.marks]
            before += len(part.tags)
        return marks

    def last_tag(self) -> int:
        """Return the code of the last tag, or 0."""
        return next((int(part.tags[-1]) for part in reversed(self.parts) if len(part.tags)), 0)

    def tag_columns(self) -> tuple[Codes, Ints]:
        """Return the tags in order, and the length of the text before each."""
        return (
            _joined([part.tags for part in self.parts]),
            _joined([part.tag_offset for part in self.parts]),
        )


def _joined(parts: list[_Column]) -> _Column:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _unclosed_attribute(html: str) -> str:
    """Return the value of an attribute whose quotation mark is never closed."""
    for mark in ("", '"', "'"):
        if _is_closed_by(f"{mark}>", html):
            # The last mark of this kind opens it; another one after it would have closed it.
            return html.rpartition(mark)[2] if mark else ""
    return ""


def _is_closed_by(end: str, html: str) -> bool:
    """Tell whether a string would close the construct that is open at the end of a page."""
    (last,) = deque(tokenize(f"{html}{end}{_SENTINEL}", capture_attributes=False), 1) or (None,)
    return last is not None and last.type is _COMMENT and last.data == _SENTINEL[2:-1]
