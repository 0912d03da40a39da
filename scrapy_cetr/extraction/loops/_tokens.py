"""The pass over the tokens of a page: its visible text, and which tags are where.

Tokens rather than a tree, because CETR counts source lines and end tags, which a tree no longer
has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.columns import (
    Codes,
    Ints,
    chunk_size,
    closed,
    flag_indices,
    mask_or_indices,
)
from scrapy_cetr.extraction.elements import (
    ARTICLE_BODY,
    CUSTOM,
    ELEMENT_CODES,
    FIRST_NAMED,
    HIDDEN,
    HIDDEN_TREES,
    JSON_LD,
    NOT_SEPARATING,
    PICTURE_TAGS,
    UNKNOWN,
)
from scrapy_cetr.extraction.loops.hiding import (
    ALWAYS_MARKED,
    MAX_MARKS,
    MAX_STYLE_CHARS,
    first_values,
    may_hide,
    selector_names,
    style_sheet,
)
from scrapy_cetr.extraction.loops.markup_columns import Mark, MarkupColumns
from scrapy_cetr.extraction.loops.numbers import tag_numbers
from scrapy_cetr.extraction.loops.sources import TagPositions

_TEXT = TokenType.TEXT
_START = TokenType.START_TAG
_END = TokenType.END_TAG
_COMMENT = TokenType.COMMENT

_END_CODES = {name: 256 - code for name, code in ELEMENT_CODES.items()}
_OL = ELEMENT_CODES["ol"]
# The attributes with numbers.
_NUMBERED = {
    _OL: ("start", "reversed"),
    ELEMENT_CODES["li"]: ("value", ""),
    ELEMENT_CODES["td"]: ("colspan", "rowspan"),
    ELEMENT_CODES["th"]: ("colspan", "rowspan"),
}
# A token takes more memory than a number of a column. A page of at most as many characters as
# a chunk has elements has few enough tokens to be read at once.
_TOKEN_WEIGHT = 4


def read_columns(
    html: str,
    *,
    hidden: frozenset[str],
    class_name_ids: dict[str, int] | None,
    before: int,
    with_marks: bool = False,
    with_sources: bool = False,
) -> MarkupColumns:
    """Read the text and the tags of a page, or of a part of it after ``before`` characters of text.

    Elements whose inside is text are always skipped; of those with markup inside, ``hidden`` are.
    ``class_name_ids`` numbers the class names that were found so far, and gets the new ones;
    without it, neither class names nor numbers nor JSON-LD are read. ``with_marks``, start tags
    that may hide their elements are noted; ``with_sources``, where tags are in the HTML.
    """
    return TokenPass(
        html,
        hidden=hidden,
        class_name_ids=class_name_ids,
        before=before,
        with_marks=with_marks,
        with_sources=with_sources,
    )


class TokenPass:
    """The columns of a page, read token by token.

    ``watch`` is called with each token that is not hidden, before it is noted, and returns it.
    ``order`` gets a byte for each token that is noted: 0 for text, else the code of the element.
    """

    def __init__(
        self,
        html: str,
        *,
        hidden: frozenset[str],
        class_name_ids: dict[str, int] | None,
        before: int,
        with_marks: bool = False,
        with_sources: bool = False,
        watch: Callable[[Token], Token] | None = None,
        order: bytearray | None = None,
    ) -> None:
        self._positions = TagPositions(html) if with_sources else None
        self.title: str | None = None
        self.unclosed: str | None = None
        self.texts: list[str] = []
        self.json_ld_scripts: list[str] = []
        self.styles: list[str] = []
        self._with_marks = with_marks
        # By the index of the token.
        self._marks: list[Mark] = []
        self._names: set[str] = set()
        self._hidden, self._class_name_ids = hidden, class_name_ids
        self._class_name = array("i")
        # By the index of the token.
        self._numbers: dict[int, tuple[int, int]] = {}
        self._order = bytearray() if order is None else order
        # The lengths of the texts, after that of all text before this part.
        self._sizes = [np.array([before], np.int32)]
        self._tokens: Iterator[Token] = tokenize(
            html, capture_attributes=class_name_ids is not None or with_marks
        )
        if with_sources:
            watch = self._note_position
        tokens = self._tokens if watch is None else map(watch, self._tokens)
        last = self._read_all(tokens, small=len(html) <= chunk_size())
        self._tokens = iter(())  # They hold another copy of the page.
        self.ends_with_comment = last is not None and last.type is _COMMENT
        self.last_data = (last and last.data) or ""
        self.class_name: Ints = np.frombuffer(self._class_name, np.int32)
        self.length = int(sum(int(sizes.sum()) for sizes in self._sizes))

    @property
    def tags(self) -> Codes:
        return self._tag_columns[0]

    @property
    def tag_offset(self) -> Ints:
        return self._tag_columns[1]

    def _read_all(self, tokens: Iterator[Token], *, small: bool) -> Token | None:
        if small:
            return self._read(tokens)
        last = None
        while token := self._read(islice(tokens, chunk_size(_TOKEN_WEIGHT))):
            last = token
        return last

    def _read(self, tokens: Iterator[Any]) -> Token | None:
        """Note text and tags; return the last token. Every token goes through here, so be short."""
        texts: list[str] = []
        # Local names, because they are looked up for every token.
        is_text, is_start, is_end = _TEXT, _START, _END
        note, start_code, end_code = self._order.append, ELEMENT_CODES.get, _END_CODES.get
        first_named = 128 if self._class_name_ids is None else FIRST_NAMED
        numbered = {} if self._class_name_ids is None else _NUMBERED
        ids = self._class_name_ids or {}
        name_id, note_name = ids.setdefault, self._class_name.append
        mark = self._mark if self._with_marks else None
        token = None
        for token in tokens:
            kind = token.type
            if kind is is_text:
                note(0)
                texts.append(token.data)
            elif kind is is_start:
                code = start_code(token.tag, 0)
                if code > HIDDEN:
                    if mark is not None:
                        mark(code, token)
                    note(code)
                    if code >= first_named:
                        name = f"{token.attr('class') or ''} {token.attr('id') or ''}"
                        note_name(name_id(name, len(ids)))
                    if code in numbered:
                        self._note_numbers(code, token)
                elif token.tag not in self._hidden:
                    code = code or _unknown(token.tag)
                    if mark is not None:
                        mark(code, token)
                    note(code)
                else:
                    if token.tag not in NOT_SEPARATING:
                        note(0)
                        texts.append(" ")
                    token = self._skip(token)
            elif kind is is_end:
                note(end_code(token.tag, 0) or 256 - _unknown(token.tag))
        self._sizes.append(np.fromiter(map(len, texts), np.int32, len(texts)))
        self.texts.append("".join(texts))
        return token

    def _note_numbers(self, code: int, token: Token) -> None:
        """Note the numbers in the tag of a list, item or cell, which few have."""
        first, second = (token.attr(name) for name in _NUMBERED[code])
        if second is not None and code == _OL:
            second = "1"
        if first is not None or second is not None:
            numbers = tag_numbers(code, first or "", second or "")
            if numbers:
                self._numbers[len(self._order) - 1] = numbers

    @property
    def numbers(self) -> Ints:
        found = np.empty((len(self._numbers), 3), np.int32)
        found[:, 0] = self.tags_before(np.fromiter(self._numbers, np.int32, len(self._numbers)))
        found[:, 1:] = np.reshape([*self._numbers.values()], (-1, 2))
        return found

    def _mark(self, code: int, token: Token) -> None:
        """Note a start tag that may hide its element."""
        attributes = token.attrs or []
        if not (attributes or code in ALWAYS_MARKED) or len(self._marks) >= MAX_MARKS:
            return
        if may_hide(code, attributes, self._names):
            self._marks.append((len(self._order), first_values(attributes)))

    def _note_style(self, start: Token, css: str) -> None:
        """Note a style sheet, and the names of its rules that may hide."""
        self._names |= selector_names(css)
        self.styles.append(style_sheet(css, start.attr("media")))

    def _note_position(self, token: Token) -> Token:
        kind, index = token.type, len(self._order)
        if self._positions is not None and (kind is _START or kind is _END):
            is_picture = kind is _START and token.tag in PICTURE_TAGS
            self._positions.see(token, index, is_picture=is_picture)
        return token

    @property
    def sources(self) -> Ints:
        if self._positions is None:
            return np.zeros(0, np.int32)
        order = np.frombuffer(self._order, np.int8)
        return np.array(self._positions.of_tags(np.flatnonzero(order).tolist()), np.int32)

    @property
    def pictures(self) -> Ints:
        seen = [] if self._positions is None else self._positions.pictures
        found = np.empty((len(seen), 3), np.int32)
        found[:, 1:] = np.reshape(seen, (-1, 2))
        found[:, 0] = self.tags_before(found[:, 1])
        return found

    @property
    def marks(self) -> list[Mark]:
        tokens = np.fromiter((token for token, _ in self._marks), np.int32, len(self._marks))
        tags = self.tags_before(tokens).tolist()
        return [(tag, values) for tag, (_, values) in zip(tags, self._marks, strict=True)]

    def _skip(self, start: Token) -> Token:
        """Read to the end tag of a hidden element; where there is none, to the end of the page."""
        name = start.tag
        token, depth = start, 1
        if start.self_closing and name in HIDDEN_TREES:
            return start
        is_title = name == "title" and self.title is None
        is_json_ld = self._class_name_ids is not None and name == "script" and _is_json_ld(start)
        is_style = self._with_marks and name == "style"
        positions = self._positions if name == "noscript" else None
        for token in self._tokens:
            if is_style and token.type is _TEXT and len(token.data or "") <= MAX_STYLE_CHARS:
                self._note_style(start, token.data or "")
            elif is_title:
                self.title = self.title or token.data or ""
            elif is_json_ld and ARTICLE_BODY in (token.data or ""):
                self.json_ld_scripts.append(token.data or "")
            elif positions is not None and token.type is _TEXT:
                positions.see_noscript(token, len(self._order))
            if token.tag == name:
                depth += -1 if token.type is _END else not token.self_closing
                if not depth:
                    return token
        self.unclosed = name
        return token

    @cached_property
    def _tag_columns(self) -> tuple[Codes, Ints]:
        """The tags and their offsets, computed when the source may have been freed."""
        order = np.frombuffer(self._order, np.int8)
        ends = np.concatenate(self._sizes)
        np.cumsum(ends, out=ends)
        # All tags between two texts have the same offset.
        texts = closed(flag_indices(order == 0), len(order))
        runs = texts.copy()
        runs[1:] -= texts[:-1] + np.int32(1)
        return order[mask_or_indices(order != 0)], np.repeat(ends, runs)

    def tags_before(self, tokens: Ints) -> Ints:
        """Return the number of tags before each of some tokens, given by their indices."""
        order = np.frombuffer(self._order, np.int8)
        tags = np.zeros(len(order) + 1, np.int32)
        np.cumsum(order != 0, out=tags[1:])
        return tags[tokens]

    def length_before(self, tokens: Ints) -> Ints:
        """Return the length of the text before each of some tokens, given by their indices."""
        order = np.frombuffer(self._order, np.int8)
        lengths = np.zeros(len(order) + 1, np.int32)
        lengths[np.append(True, order == 0)] = np.concatenate(self._sizes)
        return np.cumsum(lengths, out=lengths)[tokens]


def _is_json_ld(script: Token) -> bool:
    return (script.attr("type") or "").lower().startswith(JSON_LD)


def _unknown(tag: str) -> int:
    return CUSTOM if "-" in tag else UNKNOWN
