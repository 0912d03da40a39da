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


Part = Run | Break | Image


@dataclass(slots=True)
class Block:
    """A paragraph, heading, item or cell, and its parts.

    ``path`` are the lists, quotations and tables around it, the outermost first. ``leaf`` is the
    name of a heading or "pre", and "" for other blocks.
    """

    path: tuple[Step, ...]
    leaf: str
    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text alone."""
        return "".join(part.text for part in self.parts if isinstance(part, Run))
