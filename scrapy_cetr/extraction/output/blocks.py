"""The pieces that an article's body is written from: blocks, and what is in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_cetr.extraction.html.details import Image


class Step(NamedTuple):
    """An element around a block: its name, and its number among the nodes of the page."""

    name: str
    node: int


class Run(NamedTuple):
    """Some text of one kind: plain, emphasised, of a link."""

    text: str
    marks: frozenset[str] = frozenset()
    link: str | None = None


class Break(NamedTuple):
    """The end of a line inside of a block."""


Part = Run | Break | Image


@dataclass(slots=True)
class Block:
    """A piece of text between two breaks: its elements from the outside in, and its parts."""

    path: tuple[Step, ...]
    leaf: str
    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text alone."""
        return "".join(part.text for part in self.parts if isinstance(part, Run))
