"""Blocks, from which the body of an article is written in all formats, and their parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_cetr.extraction.html.details import Image


class Step(NamedTuple):
    """An element around a block: its name, and a number that it shares with no other.

    ``number`` is that of an item of a numbered list, or the column of a cell, from 0;
    ``attributes`` are those of its tag in HTML, with a space before each; ``skipped`` is the number
    of cells without text before a cell.
    """

    name: str
    node: int
    number: int = 0
    attributes: str = ""
    skipped: int = 0


class Run(NamedTuple):
    """Text with the same emphasis and link throughout."""

    text: str
    marks: frozenset[str] = frozenset()
    link: str | None = None


class Break(NamedTuple):
    """A line break inside of a block."""


class Link(NamedTuple):
    """A link in the body of an article."""

    text: str
    url: str


class ArticleBlock(NamedTuple):
    """A part of an article: its role, and its text on one line, but for code.

    ``level`` is that of a heading, 1 to 6, or the depth of a list item, from 1; 0 for others. A
    picture is the ``image`` of the caption below it, whose text is empty if the page has none.
    """

    role: str
    text: str
    level: int = 0
    links: tuple[Link, ...] = ()
    image: Image | None = None


Part = Run | Break | Image


@dataclass(slots=True)
class Block:
    """A paragraph, heading, item or cell, and its parts.

    ``path`` are the lists, quotations and tables around it, the outermost first. ``leaf`` is the
    name of a heading or "pre", and "" for other blocks. ``start`` is the offset of its text on the
    page.
    """

    path: tuple[Step, ...]
    leaf: str
    parts: list[Part] = field(default_factory=list)
    start: int = 0

    @property
    def text(self) -> str:
        """The text alone."""
        return "".join(part.text for part in self.parts if isinstance(part, Run))
