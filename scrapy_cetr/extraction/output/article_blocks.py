"""The blocks of an article as users get them: each with its role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Codes, Ints
from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.output.blocks import ArticleBlock, Block, Break, Link, Run
from scrapy_cetr.extraction.output.passages import Passages, passages
from scrapy_cetr.extraction.page.page import Page

_LISTS = ("ul", "ol", "dl")
_LEVELLED = frozenset(("heading", "headline", "list"))
_ROLE_NAMES = (*ROLES, "paragraph")


class Outline(NamedTuple):
    """The passages of all parts of an article; the start and the role of each row with text."""

    passages: Passages
    start: Ints
    role: Codes

    def roles_at(self, offsets: Sequence[int]) -> list[str]:
        """Return the roles of the rows at some offsets of the text."""
        if not len(self.start):
            return ["paragraph"] * len(offsets)
        rows = np.searchsorted(self.start, offsets, side="right") - 1
        # NO_ROLE is the index of the last.
        return [_ROLE_NAMES[role] for role in self.role[np.maximum(rows, 0)].tolist()]

    def have_role(self, offsets: Ints, role: str) -> Bools:
        """Tell which rows at some offsets have a role."""
        rows = np.searchsorted(self.start, offsets, side="right") - 1
        found: Bools = self.role[np.maximum(rows, 0)] == ROLES.index(role)
        return found


def make_outline(page: Page, roles: Codes) -> Outline:
    """Collect the rows that have a role."""
    filled = np.flatnonzero(page.rows.chars > 0)
    return Outline(passages(page, roles >= 0), page.rows.start[filled], roles[filled])


def article_blocks(blocks: Sequence[Block], outline: Outline | None) -> tuple[ArticleBlock, ...]:
    """Give each block its role; without an outline, all are paragraphs.

    A picture and the caption after it become one block.
    """
    roles = ["paragraph"] * len(blocks)
    if outline is not None:
        roles = outline.roles_at([block.start for block in blocks])
    made: list[ArticleBlock] = []
    for block in map(_article_block, blocks, roles):
        last = made[-1] if made and block.role == "caption" else None
        if last and last.image and not last.text and not block.image:
            made[-1] = block._replace(image=last.image)
        else:
            made.append(block)
    return tuple(made)


def _article_block(block: Block, role: str) -> ArticleBlock:
    parts = block.parts
    level = _level(block, role) if role in _LEVELLED else 0
    if len(parts) == 1 and isinstance(only := parts[0], Run) and not only.link:
        # Most blocks are plain text, which is on one line already.
        return ArticleBlock(role, _text(block) if block.leaf == "pre" else only.text, level)
    text = _text(block)
    image = next((part for part in parts if isinstance(part, Image)), None)
    runs = [part for part in parts if isinstance(part, Run)]
    return ArticleBlock(
        role="caption" if image and not text else role,
        text=text,
        level=level,
        links=tuple(Link(run.text.strip(), run.link) for run in runs if run.link),
        image=image,
    )


def _text(block: Block) -> str:
    if block.leaf == "pre":
        return block.text.strip("\n")
    pieces = [
        part.text if isinstance(part, Run) else " " if isinstance(part, Break) else ""
        for part in block.parts
    ]
    return " ".join("".join(pieces).split())


def _level(block: Block, role: str) -> int:
    if role in ("heading", "headline") and block.leaf[1:].isdigit():
        return int(block.leaf[1:])
    return sum(step.name in _LISTS for step in block.path) if role == "list" else 0
