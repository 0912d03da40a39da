"""The pass over the tokens of a page: its visible text, and which tags are where.

Tokens rather than a tree, because CETR counts source lines and end tags, which a tree no longer
has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

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
from scrapy_cetr.extraction.loops.numbers import tag_numbers

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


Mark = tuple[int, Mapping[str, str]]


class MarkupColumns(Protocol):
    """What a pass over a page, or over a part of it, has read.

    ``tags`` are the codes of elements, negative for end tags, and ``tag_offset`` is the length of
    the text before each; ``texts`` joined are the text, and ``length`` is that of the page up to
    the end of this part. ``class_name`` is a number for the class and id of each start tag from
    FIRST_NAMED on. ``numbers`` has a line for each tag of a list, item or cell with numbers:
    its index in ``tags``, and both numbers of ``tag_numbers``. ``json_ld_scripts`` are the scripts
    with an articleBody. ``marks`` are the start tags that may hide their elements: the index of
    each among the tags of this part, and its attributes. ``styles`` are the style sheets with rules
    that may hide. ``unclosed`` is the hidden element that is open at the end. ``last_data`` is the
    text of the last token if the page ends with a comment or inside of an element without markup.
    """

    @property
    def tags(self) -> Codes: ...
    @property
    def tag_offset(self) -> Ints: ...
    @property
    def texts(self) -> list[str]: ...
    @property
    def length(self) -> int: ...
    @property
    def class_name(self) -> Ints: ...
    @property
    def numbers(self) -> Ints: ...
    @property
    def json_ld_scripts(self) -> list[str]: ...
    @property
    def marks(self) -> list[Mark]: ...
    @property
    def styles(self) -> list[str]: ...
    @property
    def title(self) -> str | None: ...
    @property
    def unclosed(self) -> str | None: ...
    @property
    def ends_with_comment(self) -> bool: ...
    @property
    def last_data(self) -> str: ...


def read_columns(
    html: str,
    *,
    hidden: frozenset[str],
    class_name_ids: dict[str, int] | None,
    before: int,
    with_marks: bool = False,
) -> MarkupColumns:
    """Read the text and the tags of a page, or of a part of it after ``before`` characters of text.

    Elements whose inside is text are always skipped; of those with markup inside, ``hidden`` are.
    ``class_name_ids`` numbers the class names that were found so far, and gets the new ones;
    without it, neither class names nor numbers nor JSON-LD are read. ``with_marks``, start tags
    that may hide their elements are noted.
    """
    return TokenPass(
        html, hidden=hidden, class_name_ids=class_name_ids, before=before, with_marks=with_marks
    )


class TokenPass:
    """The columns of a page, read token by token.

    ``watch`` is called with each token that is not hidden, before it is noted, and returns it.
    ``order`` gets a byte for each token that is noted: 0 for text, else the code of the element.
    ``see_noscript`` is called with the inside of each <noscript> that is hidden.
    """

    def __init__(
        self,
        html: str,
        *,
        hidden: frozenset[str],
        class_name_ids: dict[str, int] | None,
        before: int,
        with_marks: bool = False,
        watch: Callable[[Token], Token] | None = None,
        order: bytearray | None = None,
        see_noscript: Callable[[str], None] | None = None,
    ) -> None:
        self._see_noscript = see_noscript
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
                    note(code or _unknown(token.tag))
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
        for token in self._tokens:
            if is_style and token.type is _TEXT and len(token.data or "") <= MAX_STYLE_CHARS:
                self._note_style(start, token.data or "")
            elif is_title:
                self.title = self.title or token.data or ""
            elif is_json_ld and ARTICLE_BODY in (token.data or ""):
                self.json_ld_scripts.append(token.data or "")
            elif name == "noscript" and self._see_noscript and token.data:
                self._see_noscript(token.data)
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
