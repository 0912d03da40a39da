"""The stamps of a browser, read from the tokens of a page; and what nodes have from parents."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np
from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import (
    CUSTOM,
    ELEMENT_CODES,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    IMAGES,
    UNKNOWN,
)
from scrapy_cetr.extraction.loops.hiding import first_values
from scrapy_cetr.extraction.loops.markup_columns import Mark
from scrapy_cetr.extraction.loops.stamps import (
    NOT_RENDERED,
    StampColumns,
    page_size,
    stamp_numbers,
)
from scrapy_cetr.extraction.stamps import STAMP

_START, _END = TokenType.START_TAG, TokenType.END_TAG
_SKIPPED = HIDDEN_TEXTS | HIDDEN_TREES


def read_stamps(html: str) -> StampColumns:
    """Read the tags and the stamps of a page, but not inside of elements that show no text."""
    return _Reader(html).columns()


class _Reader:
    """Reads the stamps of a page, token by token."""

    def __init__(self, html: str) -> None:
        self._tags = array("b")
        self._boxes = array("i")
        self._unseen: list[Mark] = []
        self._size: tuple[int, int] | None = None
        tokens: Iterator[Any] = iter(tokenize(html))
        note = self._tags.append
        for token in tokens:
            kind = token.type
            if kind is _START:
                if (value := token.attr(STAMP)) is not None:
                    self._note(token, value)
                if token.tag in _SKIPPED:
                    _skip(token, tokens)
                else:
                    note(_code_of(token))
            elif kind is _END:
                note(-_code_of(token))

    def columns(self) -> StampColumns:
        boxes = np.frombuffer(self._boxes, np.int32).reshape(-1, 12)
        return StampColumns(np.frombuffer(self._tags, np.int8), boxes, self._unseen, self._size)

    def _note(self, token: Token, value: str) -> None:
        numbers = None if value == NOT_RENDERED else stamp_numbers(value)
        if numbers is not None:
            self._boxes.extend((len(self._tags), _code_of(token), token.tag in IMAGES, *numbers))
        elif token.tag == "html":
            self._size = page_size(value) or self._size
        # What has no tag of its own would have that of the next element.
        is_unseen = value == NOT_RENDERED or (numbers is not None and numbers[-1])
        if is_unseen and token.tag not in _SKIPPED:
            self._unseen.append((len(self._tags), first_values(token.attrs or ())))


def _code_of(token: Token) -> int:
    name = token.tag or ""
    return ELEMENT_CODES.get(name, CUSTOM if "-" in name else UNKNOWN)


def _skip(start: Token, tokens: Iterator[Any]) -> None:
    """Read to the end tag of a hidden element, as the reader does."""
    name, depth = start.tag, 1
    if start.self_closing and name in HIDDEN_TREES:
        return
    for token in tokens:
        if token.tag == name:
            depth += -1 if token.type is _END else not token.self_closing
            if not depth:
                return


def numbers_from_parents(numbers: Ints, parent: Ints) -> Ints:
    """Fill in the numbers of nodes that have -1 from their parents, which come before them.

    At the top, it is 0.
    """
    filled: list[int] = []
    for number, above in zip(numbers.tolist(), parent.tolist(), strict=True):
        filled.append(number if number != -1 else filled[above] if above >= 0 else 0)
    return np.array(filled, np.int32)
