"""The columns that a pass over the markup of a page returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from scrapy_cetr.extraction.columns import Codes, Ints

# The index of a tag, and its attributes.
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

    If asked for, ``sources`` has the offset of each tag in the HTML. ``pictures`` has a line for
    each tag that pictures are read from, and for each <noscript>: the number of tags before it, the
    number of tags and texts before it, and its offset; that of the inside of a <noscript> is
    negative.
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
    def sources(self) -> Ints: ...
    @property
    def pictures(self) -> Ints: ...
    @property
    def title(self) -> str | None: ...
    @property
    def unclosed(self) -> str | None: ...
    @property
    def ends_with_comment(self) -> bool: ...
    @property
    def last_data(self) -> str: ...
