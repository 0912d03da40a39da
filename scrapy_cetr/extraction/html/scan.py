"""One pass over the tokens of a page: its visible text in one string, and which tags stand where.

Tokens rather than a tree, because CETR counts source lines and end tags, which a tree no longer
has.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.columns import Codes, Ints, closed, flag_indices, mask_or_indices
from scrapy_cetr.extraction.elements import (
    CODES,
    CUSTOM,
    FIRST_CONTAINER,
    HIDDEN,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    JSON_LD,
    STATING,
    UNKNOWN,
    UNNOTICED,
)
from scrapy_cetr.extraction.html.article_body import declared_body
from scrapy_cetr.extraction.page.characters import single_spaced
from scrapy_cetr.extraction.page.page import Page, make_page

_TEXT = TokenType.TEXT
_START = TokenType.START_TAG
_END = TokenType.END_TAG
_COMMENT = TokenType.COMMENT

_END_CODES = {name: 256 - code for name, code in CODES.items()}
# So many tokens are read in one go, to bound the memory that they take; a page of at most so many
# characters has few enough.
_AT_ONCE, _SMALL = 1 << 16, 1 << 18

# Neither class nor id.
NO_CLASS_NAME = " "
# What is behind so many characters of a title does not help to find the headline.
_LONGEST_TITLE = 10_000
# A page can be unclosed in as many ways: a comment, two quotation marks, and hidden elements.
_MAX_TRAPS = 3 + len(HIDDEN_TEXTS)
# The last token of every page; where it is not, something unclosed has swallowed the rest.
_SENTINEL = "<!end of page>"
_LAST_TAG, _LAST_CODE = "</html>", -CODES["html"]
_TAIL = 100
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


class Last(NamedTuple):
    """What a page ends with: a comment or not, and the text of that or of an unclosed element."""

    is_comment: bool
    data: str


class Scan:
    """One pass over a page, into rows that are blocks; the subclasses make other rows."""

    # Whether JSON-LD scripts are read for the declared text, along with class names.
    reads_json_ld = True

    def __init__(self, *, hidden: frozenset[str], with_class_names: bool) -> None:
        self.hidden = hidden
        self.with_class_names = with_class_names
        self.title: str | None = None
        self.statements: list[str] = []
        # The label of each container that begins, by its number; most are those of many.
        self.labels = array("i")
        self.class_name_ids = {NO_CLASS_NAME: 0}
        self.unclosed: str | None = None  # the element that hides the rest of the page
        self.tokens: Iterator[Token] = iter(())
        self.texts: list[str] = []
        # The tokens in order, a byte each: 0 is text, others are elements as in markup, end tags
        # as negative numbers; and the sizes of the texts, with nothing before the first.
        self.order = bytearray()
        self.sizes: list[Ints] = [np.zeros(1, np.int32)]

    def feed(self, html: str) -> None:
        """Read markup to its end, and then what an unclosed construct in it has swallowed."""
        for _ in range(_MAX_TRAPS):
            # Most pages have an end that is as good, and need not be copied for it.
            ended = html[-_TAIL:].rstrip()[-len(_LAST_TAG) :].lower() == _LAST_TAG
            source = html if ended else html + _SENTINEL
            last = self.take(source)
            if ended and self.unclosed is None and self.last_tag() == _LAST_CODE:
                break
            html = self._swallowed(html, last)
            if not html:
                break

    def take(self, source: str) -> Last:
        """Note what is in markup, and say what is last."""
        self.tokens = tokenize(source, capture_attributes=self.with_class_names)
        tokens, last = self.placed_tokens(), None
        if len(source) <= _SMALL:
            last = self._read(tokens)
        else:
            while token := self._read(islice(tokens, _AT_ONCE)):
                last = token
        self.tokens = iter(())  # which hold the page once more
        return Last(last is not None and last.type is _COMMENT, (last and last.data) or "")

    def placed_tokens(self) -> Iterator[Token]:
        return self.tokens

    def _read(self, tokens: Iterator[Any]) -> Token | None:
        """Note text and tags; return the last token. Every token goes through here, so be short."""
        texts: list[str] = []
        # What is looked up for every token is at hand.
        is_text, is_start, is_end = _TEXT, _START, _END
        note, start_code, end_code = self.order.append, CODES.get, _END_CODES.get
        label, first_labelled = (
            self.labels.append,
            FIRST_CONTAINER if self.with_class_names else 128,
        )
        numbers = self.class_name_ids
        number = numbers.setdefault
        token = None
        for token in tokens:
            kind = token.type
            if kind is is_text:
                note(0)
                texts.append(token.data)
            elif kind is is_start:
                code = start_code(token.tag, 0)
                if code > HIDDEN:
                    note(code)
                    if code >= first_labelled:
                        text = f"{token.attr('class') or ''} {token.attr('id') or ''}"
                        label(number(text, len(numbers)))
                elif token.tag not in self.hidden:
                    note(code or _unknown(token.tag))
                else:
                    if token.tag not in UNNOTICED:
                        note(0)
                        texts.append(" ")
                    token = self._skip(token)
            elif kind is is_end:
                note(end_code(token.tag, 0) or 256 - _unknown(token.tag))
        self.sizes.append(np.fromiter(map(len, texts), np.int32, len(texts)))
        self.texts.append("".join(texts))
        return token

    def _skip(self, start: Token) -> Token:
        """Read to the end tag of a hidden element; where there is none, to the end of the page."""
        name = start.tag
        token, depth = start, 1
        if start.self_closing and name in HIDDEN_TREES:
            return start
        is_title = name == "title" and self.title is None
        reads_json_ld = self.with_class_names and self.reads_json_ld
        is_statement = reads_json_ld and name == "script" and _is_json_ld(start)
        for token in self.tokens:
            if is_title:
                self.title = self.title or token.data or ""
            elif is_statement and STATING in (token.data or ""):
                self.statements.append(token.data or "")
            if token.tag == name:
                depth += -1 if token.type is _END else not token.self_closing
                if not depth:
                    return token
        self.unclosed = name
        return token

    def _swallowed(self, html: str, last: Last) -> str:
        """Find the markup that an unclosed construct at the end of a page has swallowed."""
        if self.unclosed in HIDDEN_TREES or last == (True, _SENTINEL[2:-1]):
            return ""
        if self.unclosed is not None:
            # Nothing closes this element any more, so let no tag of it open it again.
            rest = re.sub(f"<{self.unclosed}", "<x", last.data, flags=re.I)
            self.unclosed = None
            tag = _TAG.search(rest)
            rest = rest[tag.start() :] if tag else ""
        elif last.is_comment and _is_closed_by("-->", html):
            rest = last.data.replace("<!--", "").partition(">")[2]
        else:
            rest = _unclosed_attribute(html).partition(">")[2]
        return rest.removesuffix(_SENTINEL)

    def page(self) -> Page:
        return self.make_page("".join(self.texts), *self.tag_columns())

    def make_page(
        self, text: str, tags: Codes, offset: Ints, lines: tuple[Ints, Ints] | None = None
    ) -> Page:
        # Not needed any more, they make room.
        self.texts, self.sizes = [], []
        title = single_spaced((self.title or "")[:_LONGEST_TITLE])
        return make_page(
            text,
            tags,
            offset,
            lines=lines,
            title=title,
            class_names=[*self.class_name_ids],
            class_name=np.frombuffer(self.labels, np.int32),
            declared_body=declared_body(self.statements) if self.statements else "",
        )

    def last_tag(self) -> int:
        """Give the number of the last tag, or 0."""
        tags = self.order.rstrip(b"\0")
        return tags[-1] - 256 * (tags[-1] > 127) if tags else 0

    def tag_columns(self) -> tuple[Codes, Ints]:
        """Give the tags in order, and the length of the text before each."""
        order = np.frombuffer(self.order, np.int8)
        ends = np.concatenate(self.sizes)
        np.cumsum(ends, out=ends)
        # Between two texts, all tags stand in one place.
        texts = closed(flag_indices(order == 0), len(order))
        runs = texts.copy()
        runs[1:] -= texts[:-1] + np.int32(1)
        return order[mask_or_indices(order != 0)], np.repeat(ends, runs)

    def columns(self) -> tuple[Codes, Ints]:
        """Give the tokens in order, and the length of the text before each and at the end."""
        order = np.frombuffer(self.order, np.int8)
        lengths = np.zeros(len(order) + 1, np.int32)
        lengths[np.append(True, order == 0)] = np.concatenate(self.sizes)
        return order, np.cumsum(lengths, out=lengths)


def _is_json_ld(script: Token) -> bool:
    return (script.attr("type") or "").lower().startswith(JSON_LD)


def _unknown(tag: str) -> int:
    return CUSTOM if "-" in tag else UNKNOWN


def _unclosed_attribute(html: str) -> str:
    """Find the value of an attribute whose quotation mark is never closed."""
    for mark in ("", '"', "'"):
        if _is_closed_by(f"{mark}>", html):
            # Were there another mark of this kind behind it, that would have closed it.
            return html.rpartition(mark)[2] if mark else ""
    return ""


def _is_closed_by(end: str, html: str) -> bool:
    """Tell whether something would close what is open at the end of a page."""
    (last,) = deque(tokenize(f"{html}{end}{_SENTINEL}", capture_attributes=False), 1) or (None,)
    return last is not None and last.type is _COMMENT and last.data == _SENTINEL[2:-1]
