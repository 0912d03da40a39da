"""Markup in, Page out: the only code that reads HTML.

One pass over the tokens of a page writes its visible text into one string and notes which tags
stand where in it. Tokens rather than a tree, because CETR counts source lines and end tags,
which a tree no longer has.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

import numpy as np
from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.characters import places_of, single_spaced
from scrapy_cetr.extraction.columns import Codes, Ints, closed, places_if_few, places_of_flags
from scrapy_cetr.extraction.markup import (
    CODES,
    CUSTOM,
    FIRST_CONTAINER,
    HIDDEN,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    INLINE,
    ROLES,
    UNKNOWN,
)
from scrapy_cetr.extraction.page import Page, make_page, rows_apart

RowKind = Literal["blocks", "lines"]

# CETR, section 5.3: a page written on one line is broken after as many characters.
BROKEN_LINE = 65

_TEXT = TokenType.TEXT
_START = TokenType.START_TAG
_END = TokenType.END_TAG
_COMMENT = TokenType.COMMENT

_HIDDEN_ELEMENTS = HIDDEN_TEXTS | HIDDEN_TREES
_END_CODES = {name: 256 - code for name, code in CODES.items()}
# Unlike pictures and form fields, these do not even part words.
_UNNOTICED = frozenset(("noscript", "script", "style", "title"))
# So many tokens are read in one go, to bound the memory that they take; a page of at most so many
# characters has few enough.
_AT_ONCE, _SMALL = 1 << 16, 1 << 18

# What is behind so many characters of a title does not help to find the headline.
_LONGEST_TITLE = 10_000
# What scripts have in them that state the text of a page.
_STATING = "articleBody"
# A page can be unclosed in as many ways: a comment, two quotation marks, and hidden elements.
_MAX_TRAPS = 3 + len(HIDDEN_TEXTS)
# A page of less text may have it all in <noscript>, if there is more than a notice in that.
_BARE, _LITTLE = 3000, 500
_NOSCRIPT = re.compile(r"<(/?)noscript\b", re.IGNORECASE)
# The last token of every page; where it is not, something unclosed has swallowed the rest.
_SENTINEL = "<!>"
_LAST_TAG, _LAST_CODE = "</html>", bytes((256 - CODES["html"],))
_TAIL = 100
# A picture can be written into a tag, and make it as long, but not of so many words.
_LONG_TAG, _MANY_WORDS = 100_000, 10_000
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
# Where a line may be broken and no word with it: at white space, or after an ideograph or kana.
_BREAKABLE = re.compile(r"\s|(?<=[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef])")


def read(html: str, *, rows: RowKind, labelled: bool = False) -> Page:
    """Read a page into rows of the given kind; ``labelled`` notes what its author says of it too.

    That is, classes and ids of elements, and scripts that state the text for programs.

    >>> page = read("<p>One <b>bo</b>ld</p><p>Two", rows="blocks")
    >>> page.text, page.rows.chars.tolist(), page.rows.tags.tolist()
    ('One boldTwo', [8, 3], [4, 1])
    """
    labelled = labelled and not _has_endless_tag(html)
    if rows == "blocks":
        return _scan(html, _Scan, labelled)
    page = _scan(html, _LineScan, labelled)
    return page if len(page.rows) > 1 else _scan(html, _BrokenLineScan, labelled)


def _has_endless_tag(html: str) -> bool:
    """Tell whether a tag has so many attributes that the tokenizer would need too much memory."""
    # So long a tag has a whole step in it, and no other tag begins there.
    place, step = 0, _LONG_TAG // 2
    while place + step <= len(html):
        following = html.find("<", place)
        if following < 0:
            following = len(html)
        if following - place >= step:
            begin = html.rfind("<", 0, place)
            tag = html[begin:following].partition(">")[0] if begin >= 0 else ""
            if len(tag) > _LONG_TAG and len(tag.split(None, _MANY_WORDS)) > _MANY_WORDS:
                return True
        place = max(place + step, following)
    return False


def _scan(html: str, kind: type[_Scan], labelled: bool) -> Page:
    page = _scan_shown(html, kind, labelled)
    # Some pages show next to nothing but to who runs no scripts.
    if len(page.text) < _BARE and _NOSCRIPT.search(html):
        unscripted = _scan_shown(_NOSCRIPT.sub(r"<\1div", html), kind, labelled)
        if unscripted.rows.chars.sum() > _LITTLE + 2 * page.rows.chars.sum():
            return unscripted
    return page


def _scan_shown(html: str, kind: type[_Scan], labelled: bool) -> Page:
    scan = kind(hidden=_HIDDEN_ELEMENTS, labelled=labelled)
    scan.feed(html)
    # An unclosed element, such as a <select>, must not hide the rest of the page.
    if scan.unclosed is not None:
        scan = kind(hidden=_HIDDEN_ELEMENTS - {scan.unclosed}, labelled=labelled)
        scan.feed(html)
    if scan.unclosed is not None:
        scan = kind(hidden=HIDDEN_TEXTS, labelled=labelled)
        scan.feed(html)
    return scan.page()


class _Scan:
    """One pass over a page, into rows that are blocks; the subclasses make other rows."""

    def __init__(self, *, hidden: frozenset[str], labelled: bool) -> None:
        self.hidden = hidden
        self.labelled = labelled
        self.title: str | None = None
        self.statements: list[str] = []
        self.labels: list[str] = []
        self.known_labels: dict[str, str] = {}
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
            self.tokens = tokenize(source, capture_attributes=self.labelled)
            tokens, last = self.placed_tokens(), None
            if len(source) <= _SMALL:
                last = self._read(tokens)
            else:
                while token := self._read(islice(tokens, _AT_ONCE)):
                    last = token
            if ended and self.order.rstrip(b"\0").endswith(_LAST_CODE):
                break
            html = self._swallowed(html, last)
            if not html:
                break
        self.tokens = iter(())  # which hold the page once more

    def placed_tokens(self) -> Iterator[Token]:
        return self.tokens

    def _read(self, tokens: Iterator[Any]) -> Token | None:
        """Note text and tags; return the last token. Every token goes through here, so be short."""
        texts: list[str] = []
        # What is looked up for every token is at hand.
        is_text, is_start, is_end = _TEXT, _START, _END
        note, start_code, end_code = self.order.append, CODES.get, _END_CODES.get
        label, first_labelled = self.labels.append, FIRST_CONTAINER if self.labelled else 128
        # Most labels are those of many elements, and are held once.
        same = self.known_labels.setdefault
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
                        label(same(text, text))
                elif token.tag not in self.hidden:
                    note(code or _unknown(token.tag))
                else:
                    if token.tag not in _UNNOTICED:
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
        is_statement = self.labelled and name == "script" and _is_json_ld(start)
        for token in self.tokens:
            if is_title:
                self.title = self.title or token.data or ""
            elif is_statement and _STATING in (token.data or ""):
                self.statements.append(token.data or "")
            if token.tag == name:
                depth += -1 if token.type is _END else not token.self_closing
                if not depth:
                    return token
        self.unclosed = name
        return token

    def _swallowed(self, html: str, last: Token | None) -> str:
        """Find the markup that an unclosed construct at the end of a page has swallowed."""
        if self.unclosed in HIDDEN_TREES or (last and last.type is _COMMENT and not last.data):
            return ""
        if self.unclosed is not None:
            # Nothing closes this element any more, so let no tag of it open it again.
            rest = re.sub(f"<{self.unclosed}", "<x", (last and last.data) or "", flags=re.I)
            self.unclosed = None
            tag = _TAG.search(rest)
            rest = rest[tag.start() :] if tag else ""
        elif last and last.type is _COMMENT:
            rest = (last.data or "").replace("<!--", "").partition(">")[2]
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
            labels=self.labels,
            statements=self.statements,
        )

    def tag_columns(self) -> tuple[Codes, Ints]:
        """Give the tags in order, and the length of the text before each."""
        order = np.frombuffer(self.order, np.int8)
        ends = np.concatenate(self.sizes)
        np.cumsum(ends, out=ends)
        # Between two texts, all tags stand in one place.
        texts = closed(places_of_flags(order == 0), len(order))
        runs = texts.copy()
        runs[1:] -= texts[:-1] + np.int32(1)
        return order[places_if_few(order != 0)], np.repeat(ends, runs)

    def columns(self) -> tuple[Codes, Ints]:
        """Give the tokens in order, and the length of the text before each and at the end."""
        order = np.frombuffer(self.order, np.int8)
        lengths = np.zeros(len(order) + 1, np.int32)
        lengths[np.append(True, order == 0)] = np.concatenate(self.sizes)
        return order, np.cumsum(lengths, out=lengths)


class _LineScan(_Scan):
    """A pass into rows that are lines of the source."""

    def __init__(self, *, hidden: frozenset[str], labelled: bool) -> None:
        super().__init__(hidden=hidden, labelled=labelled)
        # Where rows begin for another reason than a line end in the text: the tokens before, and
        # how far inside of the next token.
        self.row_tokens, self.row_places = array("i", (0,)), array("i", (0,))
        self.line = 1

    def placed_tokens(self) -> Iterator[Token]:
        self.line = 1
        return map(self.place, self.tokens)

    def place(self, token: Token) -> Token:
        """Begin a row where a token is on another line than the one before has ended on."""
        kind = token.type
        if kind is _TEXT or kind is _START or kind is _END:
            if token.line > self.line:
                self.begin_row(0)
            self.line = token.line
            if kind is _TEXT:
                self.line += (token.data or "").count("\n")
        return token

    def begin_row(self, place: int) -> None:
        self.row_tokens.append(len(self.order))
        self.row_places.append(place)

    def page(self) -> Page:
        text, (tags, offset) = "".join(self.texts), self.tag_columns()
        return self.make_page(text, tags, offset, self.line_columns(text, offset))

    def line_columns(self, text: str, offset: Ints) -> tuple[Ints, Ints]:
        """Give the start and the first tag of each line."""
        order, before = self.columns()
        tokens = np.array(self.row_tokens)
        starts = before[tokens] + np.array(self.row_places)
        apart = rows_apart(starts, len(text), blocks=False)
        tokens, starts = tokens[apart], starts[apart]
        first_tags = np.append(np.int32(0), np.cumsum(order != 0, dtype=np.int32))[tokens]
        ends = places_of("\n", text) + np.int32(1)
        ends = ends[rows_apart(ends, len(text), blocks=False)]
        # Tags behind a line end stand at the place where the next line begins.
        starts = np.concatenate((starts, ends))
        first_tags = np.concatenate((first_tags, np.searchsorted(offset, ends)))
        row = np.lexsort((first_tags, starts))
        return starts[row].astype(np.int32), first_tags[row].astype(np.int32)


class _BrokenLineScan(_LineScan):
    """A pass into rows that are pieces of a page's only line, broken outside of tags and words."""

    next_break = BROKEN_LINE
    between_words = True

    def place(self, token: Token) -> Token:
        if token.type is _TEXT:
            self._break_text(token.data or "", token.col)
        elif token.tag is not None and ROLES[CODES.get(token.tag, CUSTOM)] > INLINE:
            self.between_words = True
        return token

    def _break_text(self, data: str, column: int) -> None:
        place = self.next_break - column
        if place <= 0 and self.between_words:
            self.begin_row(0)
            place = BROKEN_LINE
            self.next_break = column + place
        place = max(place, 1)
        while place < len(data) and (found := _BREAKABLE.search(data, place)):
            self.begin_row(found.start())
            place = found.start() + BROKEN_LINE
            self.next_break = column + place
        self.between_words = data[-1:].isspace()


def _is_json_ld(script: Token) -> bool:
    return (script.attr("type") or "").lower().startswith("application/ld+json")


def _unknown(tag: str) -> int:
    return CUSTOM if "-" in tag else UNKNOWN


def _unclosed_attribute(html: str) -> str:
    """Find the value of an attribute whose quotation mark is never closed."""
    for mark in ("", '"', "'"):
        tokens = deque(tokenize(f"{html}{mark}>{_SENTINEL}", capture_attributes=False), maxlen=1)
        if tokens and tokens[0].type is _COMMENT and not tokens[0].data:
            # Were there another mark of this kind behind it, that would have closed it.
            return html.rpartition(mark)[2] if mark else ""
    return ""
