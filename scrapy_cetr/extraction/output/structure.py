"""Make blocks of the kept text of a page: paragraphs, headings, items and cells.

Markdown and HTML are written from the same blocks. The blocks have the same words as the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Ints
from scrapy_cetr.extraction.elements import (
    BLOCK,
    ELEMENT_NAMES,
    ITEM,
    LINE,
    LINK,
    SEPARATORS,
    SPACE,
    codes_of,
)
from scrapy_cetr.extraction.html.details import DetailedPage, Image
from scrapy_cetr.extraction.output.blocks import Block, Break, Part, Run, Step
from scrapy_cetr.extraction.output.passages import Passages, hrefs_of
from scrapy_cetr.extraction.output.pictures import Placed, find_pictures
from scrapy_cetr.extraction.output.places import block_places
from scrapy_cetr.extraction.output.urls import UrlResolver
from scrapy_cetr.extraction.page.characters import INVISIBLES

_SPACES = re.compile("  +")

_MARKS = {
    **dict.fromkeys(("em", "i"), "em"),
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **{name: name for name in ("sub", "sup")},
}
_LEAVES = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "figcaption"))
# They begin another block, so a heading around them ends.
_CONTAINERS = frozenset(
    (*("ul", "ol", "menu", "dir", "li", "dl", "dt", "dd"), "blockquote", "table", "tr", "td", "th")
)
_INLINE = np.zeros(128, np.bool_)
_INLINE[sorted(codes_of(" ".join(_MARKS)) | {LINK})] = True
# The elements that change what text inside of them is.
_CHANGES = _INLINE.copy()
_CHANGES[sorted(codes_of(" ".join(("figure", *_CONTAINERS, *_LEAVES))))] = True


class _Context(NamedTuple):
    path: tuple[Step, ...] = ()
    leaf: str = ""
    code: int = -1  # the element of the outline
    marks: frozenset[str] = frozenset()
    link: str | None = None
    figure: tuple[Step, ...] = ()  # the innermost, if there is one


def body_blocks(page: DetailedPage, kept: Passages, *, url: str | None) -> list[Block]:
    """Divide the kept passages into blocks."""
    blocks: list[Block] = []
    resolver = UrlResolver(page, url)
    images = find_pictures(page, kept, resolver)[::-1]
    segments = _filled(page.text, *_segments(page, kept))
    begins = [begin for begin, _, _ in segments]
    places = block_places(page, begins)
    code = -1
    for (begin, end, strength), context, place in zip(
        segments, _contexts(page, begins, resolver), places, strict=True
    ):
        if place.is_hidden:
            continue
        if place.code >= 0 or place.path or context.figure:
            leaf = "pre" if place.code >= 0 else context.leaf
            path = (*place.path, *context.figure)
            context = context._replace(path=path, leaf=leaf, code=place.code)
        while images and images[-1].offset <= begin:
            _add_image(blocks, images.pop(), own_block=strength >= ITEM, context=context)
        if 0 <= place.code == code:
            _add_code(blocks[-1], page.text[begin:end], strength, context)
        else:
            _add_text(blocks, page.text[begin:end], begin, strength, context)
        code = place.code
    blocks += [Block((), "", [placed.image], placed.offset) for placed in reversed(images)]
    return [block for block in blocks if _tidy(block)]


def text_blocks(text: str) -> list[Block]:
    """Make a block of each paragraph of a text."""
    paragraphs = text.split(SEPARATORS[BLOCK])
    return [Block((), "", [Run(paragraph)]) for paragraph in paragraphs if paragraph]


def _segments(page: DetailedPage, kept: Passages) -> tuple[Ints, Ints, Ints]:
    """Cut the passages at breaks and where links and emphasis begin and end.

    Return the begin and end of each segment, and the strength of the break before it, INLINE for
    none.
    """
    nodes = page.nodes
    inline = np.flatnonzero(_INLINE[nodes.tag])
    # Line ends in <pre> are breaks without tags. They stay in the text.
    made = page.breaks.strength != LINE
    lines = page.breaks.offset[~made]
    tag = np.searchsorted(page.tag_offset, lines)
    made[~made] = np.append(page.tag_offset, -1)[tag] == lines
    breaks = page.breaks.offset[made]
    strength = np.zeros(len(page.text) + 1, np.uint8)
    strength[breaks] = page.breaks.strength[made]
    strength[kept.begin] = BLOCK
    cuts = np.unique(
        np.concatenate((kept.begin, kept.end, breaks, nodes.start[inline], nodes.end[inline]))
    )
    passage = np.searchsorted(kept.end, cuts, side="right")
    inside = passage < len(kept.begin)
    inside[inside] = cuts[inside] >= kept.begin[passage[inside]]
    ends = np.append(cuts[1:], cuts[-1:])[inside] if len(cuts) else cuts
    begins = cuts[inside]
    return begins.astype(np.int32), ends.astype(np.int32), strength[begins].astype(np.int32)


def _filled(text: str, begins: Ints, ends: Ints, strengths: Ints) -> list[tuple[int, int, int]]:
    """Leave out blank segments between blocks, and take the strongest of the breaks around them."""
    filled: list[tuple[int, int, int]] = []
    strongest = BLOCK
    for begin, end, strength in zip(
        begins.tolist(), ends.tolist(), strengths.tolist(), strict=True
    ):
        strongest = max(strongest, strength)
        if strongest < ITEM or not text[begin:end].isspace():
            filled.append((begin, end, strongest))
            strongest = 0
    return filled


def _contexts(
    page: DetailedPage, offsets: Sequence[int], resolver: UrlResolver
) -> Iterator[_Context]:
    """Yield the elements around each of some ascending offsets."""
    nodes = page.nodes
    # Most elements are around none of the offsets, or change nothing.
    around = np.flatnonzero(_CHANGES[nodes.tag])
    first, last = np.searchsorted(offsets, (nodes.start[around], nodes.end[around]))
    around = around[first < last].astype(np.int32)
    hrefs = hrefs_of(page, around)
    columns = (around, nodes.tag[around], nodes.start[around], nodes.end[around])
    elements = [*zip(*(column.tolist() for column in columns), strict=True)][::-1]
    stack = [(len(page.text) + 1, _Context())]
    for offset in offsets:
        while stack[-1][0] <= offset:
            stack.pop()
        while elements and elements[-1][2] <= offset:
            node, tag, _, end = elements.pop()
            if end > offset:
                link = resolver.link(hrefs[node]) if node in hrefs else None
                stack.append((end, _inside(stack[-1][1], tag, node, link)))
        yield stack[-1][1]


def _inside(outer: _Context, tag: int, node: int, link: str | None) -> _Context:
    """Return the context inside of one more element."""
    name = ELEMENT_NAMES[tag]
    if tag == LINK:
        return outer._replace(link=link)
    if name in _MARKS:
        return outer._replace(marks=outer.marks | {_MARKS[name]})
    if name == "figure":
        return outer._replace(figure=(Step(name, node),), leaf="")
    if name in _CONTAINERS:
        return outer._replace(leaf="")
    if name in _LEAVES:
        return outer._replace(leaf=name)
    return outer


def _add_text(blocks: list[Block], text: str, start: int, strength: int, context: _Context) -> None:
    """Add a segment to the last block, or begin another."""
    preformatted = context.leaf == "pre"
    text = INVISIBLES.sub("", text)
    if not preformatted:
        text = _collapse(text)
    if strength >= ITEM or not blocks or (blocks[-1].leaf == "pre") != preformatted:
        blocks.append(Block(context.path, context.leaf, start=start))
    elif strength == LINE:
        blocks[-1].parts.append(Break())
    elif strength == SPACE:
        text = f" {text.lstrip(' ')}"
    if text:
        blocks[-1].parts.append(Run(text, context.marks, context.link))


def _add_code(block: Block, text: str, strength: int, context: _Context) -> None:
    """Add a segment to the code before it, on a line of its own after the break of a tag."""
    text = INVISIBLES.sub("", text)
    if strength >= LINE:
        block.parts.append(Break())
        # The break of the tag is there already.
        text = text.removeprefix("\n")
    elif strength == SPACE:
        text = f" {text}"
    block.parts.append(Run(text, context.marks, context.link))


def _collapse(text: str) -> str:
    """Replace each run of white space by one space, also at the ends."""
    inner = " ".join(text.split())
    if not inner:
        return " " if text else ""
    return f"{' ' * text[0].isspace()}{inner}{' ' * text[-1].isspace()}"


def _add_image(blocks: list[Block], placed: Placed, *, own_block: bool, context: _Context) -> None:
    """Add an image as a block of its own, or to the last block."""
    if own_block or not blocks:
        path = _common(blocks[-1].path, context.path) if blocks else ()
        figure = Step("figure", placed.figure)
        if figure in context.path:
            # Its caption follows.
            path = context.path[: context.path.index(figure) + 1]
        blocks.append(Block(path, "", [placed.image], placed.offset))
    else:
        blocks[-1].parts.append(placed.image)


def _common(one: Sequence[Step], other: Sequence[Step]) -> tuple[Step, ...]:
    """Return the elements around both of two blocks, without incomplete lists and tables."""
    size = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    shared = tuple(one[: min(len(one), len(other)) if size is None else size])
    while shared and shared[-1].name in ("ul", "ol", "dl", "table", "tr"):
        shared = shared[:-1]
    return shared


def _tidy(block: Block) -> bool:
    """Strip lines, and join runs with the same marks and link; return whether anything is left."""
    if block.leaf == "pre":
        return bool(block.text.strip())
    parts: list[Part] = []
    for kind, group in groupby(block.parts, _kind):
        if kind is Break:
            _strip_end(parts)
            if parts:
                parts.append(Break())
        elif kind is Image:
            parts.extend(group)
        else:
            text = _SPACES.sub(" ", "".join(part.text for part in group if isinstance(part, Run)))
            if not parts or _ends_with_space(parts[-1]):
                text = text.lstrip(" ")
            if text:
                parts.append(Run(text, *kind))
    _strip_end(parts)
    while parts and isinstance(parts[-1], Break):
        parts.pop()
        _strip_end(parts)
    block.parts = parts
    return bool(parts)


def _kind(part: Part) -> Any:
    """Return a key that is equal for parts to be joined: runs with the same marks and link."""
    return part[1:] if isinstance(part, Run) else type(part)


def _ends_with_space(part: Part) -> bool:
    return isinstance(part, Break) or (isinstance(part, Run) and part.text.endswith(" "))


def _strip_end(parts: list[Part]) -> None:
    while parts and isinstance(last := parts[-1], Run):
        text = last.text.rstrip(" ")
        if text:
            if len(text) < len(last.text):
                parts[-1] = last._replace(text=text)
            break
        parts.pop()
