"""The blocks of an article as users get them: each with its role."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.output.blocks import ArticleBlock, Block, Break, Link, Run
from scrapy_cetr.extraction.output.passages import Passages, passages
from scrapy_cetr.extraction.page.page import Page

_LISTS = ("ul", "ol", "dl")


class Outline(NamedTuple):
    """The passages of all parts of an article; the start and the role of each row with text."""

    passages: Passages
    start: Ints
    role: Codes

    def role_at(self, offset: int) -> str:
        """Return the role of the row at an offset of the text."""
        row = int(np.searchsorted(self.start, offset, side="right")) - 1
        role = int(self.role[max(row, 0)])
        return ROLES[role] if role >= 0 else "paragraph"

    def have_role(self, offsets: Ints, role: str) -> Bools:
        """Tell which rows at some offsets have a role."""
        rows = np.searchsorted(self.start, offsets, side="right") - 1
        found: Bools = self.role[np.maximum(rows, 0)] == ROLES.index(role)
        return found


def make_outline(page: Page, roles: Codes) -> Outline:
    """Collect the rows that have a role."""
    filled = np.flatnonzero(page.rows.chars > 0)
    return Outline(passages(page, roles >= 0), page.rows.start[filled], roles[filled])


def article_blocks(blocks: Iterable[Block], outline: Outline | None) -> tuple[ArticleBlock, ...]:
    """Give each block its role; without an outline, all are paragraphs.

    A picture and the caption after it become one block.
    """
    made: list[ArticleBlock] = []
    for block in _with_roles(blocks, outline):
        last = made[-1] if made else None
        if block.role == "caption" and last and last.image and not last.text and not block.image:
            made[-1] = block._replace(image=last.image)
        else:
            made.append(block)
    return tuple(made)


def _with_roles(blocks: Iterable[Block], outline: Outline | None) -> Iterator[ArticleBlock]:
    for block in blocks:
        image = next((part for part in block.parts if isinstance(part, Image)), None)
        text = _text(block)
        role = outline.role_at(block.start) if outline and len(outline.start) else "paragraph"
        yield ArticleBlock(
            role="caption" if image and not text else role,
            text=text,
            level=_level(block, role),
            links=tuple(
                Link(part.text.strip(), part.link)
                for part in block.parts
                if isinstance(part, Run) and part.link
            ),
            image=image,
        )


def _text(block: Block) -> str:
    if block.leaf == "pre":
        return block.text.strip("\n")
    parts = (
        part.text if isinstance(part, Run) else " " if isinstance(part, Break) else ""
        for part in block.parts
    )
    return " ".join("".join(parts).split())


def _level(block: Block, role: str) -> int:
    if role in ("heading", "headline") and block.leaf[1:].isdigit():
        return int(block.leaf[1:])
    return sum(step.name in _LISTS for step in block.path) if role == "list" else 0
