"""Read HTML into a Page: choose the passes over it, and its rows."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

import numpy as np
from turbohtml import Token, TokenType

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import (
    BREAK_STRENGTHS,
    CUSTOM,
    ELEMENT_CODES,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    INLINE,
)
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.html.stamped import with_layout
from scrapy_cetr.extraction.options import RowKind as RowKind
from scrapy_cetr.extraction.page.characters import offsets_of
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.page.rows import rows_apart
from scrapy_cetr.extraction.stamps import has_stamps, without_stamps

# CETR, section 5.3: a page written on one line is broken after this number of characters.
BROKEN_LINE = 65

_TEXT = TokenType.TEXT
_START = TokenType.START_TAG
_END = TokenType.END_TAG

_HIDDEN_ELEMENTS = HIDDEN_TEXTS | HIDDEN_TREES
# A page with less text may have its article in <noscript>, if that has more than a notice.
_MAX_BARE_CHARS, _MIN_NOSCRIPT_CHARS = 3000, 500
_NOSCRIPT = re.compile(r"<(/?)noscript\b", re.IGNORECASE)
# A longer tag is endless if it has more words; an image in a data URL is long, but one word.
_LONG_TAG, _MANY_WORDS = 100_000, 10_000
# A line can be broken between words: at white space, or after an ideograph or kana.
_BREAKABLE = re.compile(r"\s|(?<=[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef])")


def read(
    html: str,
    *,
    rows: RowKind,
    with_class_names: bool = False,
    with_sources: bool = False,
    with_stamps: bool = False,
) -> Page:
    """Read a page into rows of the given kind.

    With ``with_class_names``, read also the class names of its elements, and the text that its
    JSON-LD declares. With ``with_sources``, note also where its tags are in the HTML, if the rows
    are blocks and the class names are read. With ``with_stamps``, read also the stamps of a
    browser, if there are any.

    >>> page = read("<p>One <b>bo</b>ld</p><p>Two", rows="blocks")
    >>> page.text, page.rows.chars.tolist(), page.rows.tags.tolist()
    ('One boldTwo', [8, 3], [4, 1])
    """
    with_marks = not _has_endless_tag(html)
    with_class_names = with_class_names and with_marks
    if not has_stamps(html):
        return _read(html, rows, with_class_names, with_marks, with_sources)
    page = _read(without_stamps(html), rows, with_class_names, with_marks, with_sources)
    if with_stamps and with_marks:
        return with_layout(page, html)
    return page


def _read(
    html: str, rows: RowKind, with_class_names: bool, with_marks: bool, with_sources: bool
) -> Page:
    if rows == "blocks":
        with_sources = with_sources and with_class_names
        return scan_page(html, Scan, with_class_names, with_marks, with_sources)
    page = scan_page(html, _LineScan, with_class_names, with_marks)
    if len(page.rows) > 1:
        return page
    return scan_page(html, _BrokenLineScan, with_class_names, with_marks)


def _has_endless_tag(html: str) -> bool:
    """Tell whether a tag has so many attributes that reading them would take too much memory."""
    # A long tag covers at least one whole step, in which no other tag begins.
    offset, step = 0, _LONG_TAG // 2
    while offset + step <= len(html):
        following = html.find("<", offset)
        if following < 0:
            following = len(html)
        if following - offset >= step:
            begin = html.rfind("<", 0, offset)
            end = html.find(">", max(begin, 0), following)
            if begin >= 0 and (following if end < 0 else end) - begin > _LONG_TAG:
                words = html[begin : following if end < 0 else end].split(None, _MANY_WORDS)
                if len(words) > _MANY_WORDS:
                    return True
        offset = max(offset + step, following)
    return False


def scan_page(
    html: str,
    scan_class: type[Scan],
    with_class_names: bool,
    with_marks: bool,
    with_sources: bool = False,
) -> Page:
    """Read a page by passes of a class, and once more if its text is in <noscript>."""

    def scan(source: str) -> Page:
        return _scan_visible(source, scan_class, with_class_names, with_marks, with_sources)

    page = scan(html)
    # Some pages show their text only to browsers without scripts.
    if len(page.text) < _MAX_BARE_CHARS and _NOSCRIPT.search(html):
        unscripted = scan(_NOSCRIPT.sub(r"<\1div", html))
        if unscripted.rows.chars.sum() > _MIN_NOSCRIPT_CHARS + 2 * page.rows.chars.sum():
            return unscripted
    return page


def _scan_visible(
    html: str,
    scan_class: type[Scan],
    with_class_names: bool,
    with_marks: bool,
    with_sources: bool,
) -> Page:
    def scan_without(hidden: frozenset[str]) -> Scan:
        scan = scan_class(
            hidden=hidden,
            with_class_names=with_class_names,
            with_marks=with_marks,
            with_sources=with_sources,
        )
        scan.feed(html)
        return scan

    scan = scan_without(_HIDDEN_ELEMENTS)
    # An unclosed element, such as a <select>, must not hide the rest of the page.
    if scan.unclosed is not None:
        scan = scan_without(_HIDDEN_ELEMENTS - {scan.unclosed})
    if scan.unclosed is not None:
        scan = scan_without(HIDDEN_TEXTS)
    return scan.page()


class _LineScan(Scan):
    """A pass that makes a row of each line of the source."""

    def __init__(
        self,
        *,
        hidden: frozenset[str],
        with_class_names: bool,
        with_marks: bool,
        with_sources: bool = False,
    ) -> None:
        super().__init__(
            hidden=hidden,
            with_class_names=with_class_names,
            with_marks=with_marks,
            with_sources=with_sources,
        )
        self.passes: list[loops.TokenPass] = []
        # Where rows of each part begin for another reason than a line end in the text: the number
        # of tokens before, and the offset in the next token.
        self.row_begins: list[tuple[array[int], array[int]]] = []
        # The same of the part that is being read, and its tokens.
        self.order = bytearray()
        self.row_tokens, self.row_offsets = array("i"), array("i")
        self.line = 1

    def read(self, source: str, class_name_ids: dict[str, int] | None) -> loops.MarkupColumns:
        self.line = 1
        self.order = bytearray()
        self.row_tokens, self.row_offsets = array("i"), array("i")
        self.row_begins.append((self.row_tokens, self.row_offsets))
        found = loops.TokenPass(
            source,
            hidden=self.hidden,
            class_name_ids=class_name_ids,
            before=self.length,
            with_marks=self.with_marks,
            watch=self.watch,
            order=self.order,
        )
        self.passes.append(found)
        return found

    def watch(self, token: Token) -> Token:
        """Begin a row if a token is on another line than the end of the token before."""
        kind = token.type
        if kind is _TEXT or kind is _START or kind is _END:
            if token.line > self.line:
                self.begin_row(0)
            self.line = token.line
            if kind is _TEXT:
                self.line += (token.data or "").count("\n")
        return token

    def begin_row(self, offset: int) -> None:
        self.row_tokens.append(len(self.order))
        self.row_offsets.append(offset)

    def page(self) -> Page:
        text, (tags, offset) = "".join(self.texts), self.tag_columns()
        return self.make_page(text, tags, offset, self.line_columns(text, offset))

    def line_columns(self, text: str, offset: Ints) -> tuple[Ints, Ints]:
        """Return the start and the first tag of each line."""
        # One after the other, because each needs more memory than its result.
        starts = np.concatenate([np.zeros(1, np.int32), *self._starts()])
        apart = rows_apart(starts, len(text), blocks=False)
        starts = starts[apart]
        first_tags = np.concatenate([np.zeros(1, np.int32), *self._first_tags()])[apart]
        self.passes, self.row_begins, self.order = [], [], bytearray()
        ends = offsets_of("\n", text) + np.int32(1)
        ends = ends[rows_apart(ends, len(text), blocks=False)]
        # Tags after a line end have the offset where the next line begins.
        starts = np.concatenate((starts, ends))
        first_tags = np.concatenate((first_tags, np.searchsorted(offset, ends)))
        row = np.lexsort((first_tags, starts))
        return starts[row].astype(np.int32), first_tags[row].astype(np.int32)

    def _starts(self) -> Iterator[Ints]:
        for found, (tokens, offsets) in zip(self.passes, self.row_begins, strict=True):
            length = found.length_before(np.frombuffer(tokens, np.int32))
            yield length + np.frombuffer(offsets, np.int32)

    def _first_tags(self) -> Iterator[Ints]:
        tags = 0
        for found, (tokens, _) in zip(self.passes, self.row_begins, strict=True):
            yield found.tags_before(np.frombuffer(tokens, np.int32)) + np.int32(tags)
            tags += len(found.tags)


class _BrokenLineScan(_LineScan):
    """A pass that breaks the only line of a page into rows, outside of tags and words."""

    next_break = BROKEN_LINE
    between_words = True

    def watch(self, token: Token) -> Token:
        if token.type is _TEXT:
            self._break_text(token.data or "", token.col)
        elif (
            token.tag is not None and BREAK_STRENGTHS[ELEMENT_CODES.get(token.tag, CUSTOM)] > INLINE
        ):
            self.between_words = True
        return token

    def _break_text(self, data: str, column: int) -> None:
        offset = self.next_break - column
        if offset <= 0 and self.between_words:
            self.begin_row(0)
            offset = BROKEN_LINE
            self.next_break = column + offset
        offset = max(offset, 1)
        while offset < len(data) and (found := _BREAKABLE.search(data, offset)):
            self.begin_row(found.start())
            offset = found.start() + BROKEN_LINE
            self.next_break = column + offset
        self.between_words = data[-1:].isspace()
