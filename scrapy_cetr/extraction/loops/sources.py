"""Tags that are read again from the source of a page, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction.columns import Ints

# Most tags are shorter; the end of a tag is not known before it is read.
_WINDOWS = (250, 4000, 100_000, None)
_LINE_END = re.compile(r"\r\n?|\n")


def first_token(html: str, begin: int) -> Token | None:
    """Read the start tag at an offset; None if there is none that is closed.

    >>> first_token("a <b class=c>d", 2).attr("class")
    'c'
    """
    for size in _WINDOWS:
        part = html[begin:] if size is None else html[begin : begin + size]
        token = next(iter(tokenize(part)), None)
        # A tag that the part ends in is no token.
        if token is not None and token.type is TokenType.START_TAG:
            return token
    return None


def attribute_values(
    html: str, sources: Ints, names: tuple[str, ...]
) -> list[tuple[str | None, ...]]:
    """Return the values of some attributes of each start tag at some offsets, None for none."""
    begins: list[int] = sources.tolist()
    for begin in begins:
        if html[begin : begin + 1] != "<":
            raise ValueError(f"no tag begins at {begin}")
    return [_values(first_token(html, begin), names) for begin in begins]


def _values(token: Token | None, names: tuple[str, ...]) -> tuple[str | None, ...]:
    # Of several with one name, the first counts.
    attributes = token.attrs if token is not None else None
    given = {name: value or "" for name, value in reversed(attributes or ())}
    return tuple(given.get(name) for name in names)


def line_starts(html: str) -> list[int]:
    """Return the offsets where the lines of a source begin."""
    return [0, *(end.end() for end in _LINE_END.finditer(html))]


class TagPositions:
    """Notes the offsets of tags in the source, and the tags that pictures are read from."""

    def __init__(self, html: str) -> None:
        self._starts = line_starts(html)
        self._offsets: dict[int, int] = {}
        self.pictures: list[tuple[int, int]] = []

    def see(self, token: Token, index: int, *, is_picture: bool) -> None:
        """Note a tag by the index of its token; a hidden one is overwritten by the next."""
        self._offsets[index] = self.offset(token)
        if is_picture:
            self.pictures.append((index, self._offsets[index]))

    def see_noscript(self, token: Token, index: int) -> None:
        """Note where the inside of a <noscript> begins, as a negative offset."""
        self.pictures.append((index, -self.offset(token)))

    def offset(self, token: Token) -> int:
        """Return the offset of a token."""
        return self._starts[token.line - 1] + token.col

    def of_tags(self, indices: Iterable[int]) -> list[int]:
        """Return the offsets of some tags, given by the indices of their tokens."""
        return [self._offsets[index] for index in indices]
