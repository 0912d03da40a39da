"""Make blocks of the kept text of a page: paragraphs, headings, items and cells.

Markdown and HTML are written from the same blocks. The blocks have the same words as the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Ints, UInt8s
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
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.blocks import Block, Break, Part, Run, Step
from scrapy_cetr.extraction.output.passages import Passages, hrefs_of
from scrapy_cetr.extraction.output.pictures import Placed, find_pictures
from scrapy_cetr.extraction.output.places import Place, block_places
from scrapy_cetr.extraction.output.tidying import tidied_parts
from scrapy_cetr.extraction.output.urls import UrlResolver
from scrapy_cetr.extraction.page.characters import INVISIBLES, single_spaced, trimmed

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
    """The elements around a text, but for those of the outline."""

    leaf: str = ""
    marks: frozenset[str] = frozenset()
    link: str | None = None
    figure: tuple[Step, ...] = ()  # the innermost, if there is one


class _Segment(NamedTuple):
    """A part of the text between two cuts, and the strength of the break before it.

    ``tidied`` is its text without white space at the ends and invisible characters, each run of
    white space inside being one space.
    """

    begin: int
    end: int
    strength: int
    tidied: str


def body_blocks(page: DetailedPage, kept: Passages, *, url: str | None) -> list[Block]:
    """Divide the kept passages into blocks."""
    resolver = UrlResolver(page, url)
    body = _Body(page, find_pictures(page, kept, resolver))
    begins, ends, strengths = _filled(page, *_segments(page, kept))
    first, last = trimmed(page.kinds, begins, ends)
    tidied = loops.tidy_pieces(page.text, first, last, single_spaced)
    places = block_places(page, begins)
    columns = (begins.tolist(), ends.tolist(), strengths.tolist())
    segments = map(_Segment, *columns, tidied)
    contexts = _contexts(page, columns[0], resolver)
    is_whole = _are_whole(strengths)
    if any(place.is_hidden for place in places):
        # Segments on both sides of one that is left out may be of one block.
        is_whole[:] = False
    for segment, context, place, whole in zip(
        segments, contexts, places, is_whole.tolist(), strict=True
    ):
        if not place.is_hidden:
            body.add(segment, context, place, is_whole=whole)
    return body.blocks()


def text_blocks(text: str) -> list[Block]:
    """Make a block of each paragraph of a text."""
    paragraphs = text.split(SEPARATORS[BLOCK])
    return [Block((), "", [Run(paragraph)]) for paragraph in paragraphs if paragraph]


def _segments(page: DetailedPage, kept: Passages) -> tuple[Ints, Ints, UInt8s]:
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
    return begins.astype(np.int32), ends.astype(np.int32), strength[begins]


def _filled(
    page: DetailedPage, begins: Ints, ends: Ints, strengths: UInt8s
) -> tuple[Ints, Ints, UInt8s]:
    """Leave out blank segments between blocks, and take the strongest of the breaks around them."""
    if not len(begins):
        return begins, ends, strengths
    first, last = trimmed(page.kinds, begins, ends)
    is_blank = first == last
    # In a run of blank segments, those from a break between blocks on are left out.
    index = np.arange(len(begins))
    divides = np.maximum.accumulate(np.where(is_blank & (strengths >= ITEM), index, -1))
    fills = np.maximum.accumulate(np.where(is_blank, -2, index))
    chosen = np.flatnonzero(~is_blank | (divides < fills))
    if not len(chosen):
        return begins[:0], ends[:0], strengths[:0]
    since = np.zeros(len(chosen), np.intp)
    since[1:] = chosen[:-1] + 1
    strongest = np.maximum.reduceat(strengths[: chosen[-1] + 1], since)
    strongest[0] = max(strongest[0], BLOCK)
    return begins[chosen], ends[chosen], strongest


def _are_whole(strengths: UInt8s) -> Bools:
    """Tell which segments are a block each: there are breaks between blocks on both sides."""
    divides = np.ones(len(strengths) + 1, np.bool_)
    divides[:-1] = strengths >= ITEM
    return divides[:-1] & divides[1:]


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
    context = _Context()
    stack = [(len(page.text) + 1, context)]
    change = -1  # the next offset where the context may be another
    for offset in offsets:
        if offset >= change:
            while stack[-1][0] <= offset:
                stack.pop()
            while elements and elements[-1][2] <= offset:
                node, tag, _, end = elements.pop()
                if end > offset:
                    link = resolver.link(hrefs[node]) if node in hrefs else None
                    stack.append((end, _inside(stack[-1][1], tag, node, link)))
            change, context = stack[-1]
            if elements:
                change = min(change, elements[-1][2])
        yield context


def _inside(outer: _Context, tag: int, node: int, link: str | None) -> _Context:
    """Return the context inside of one more element."""
    # Replacing fields of a named tuple takes longer than making another.
    leaf, marks, outer_link, figure = outer
    if tag == LINK:
        return _Context(leaf, marks, link, figure)
    name = ELEMENT_NAMES[tag]
    if name in _MARKS:
        return _Context(leaf, marks | {_MARKS[name]}, outer_link, figure)
    if name == "figure":
        return _Context("", marks, outer_link, (Step(name, node),))
    inner = name if name in _LEAVES else ""
    return outer if inner == leaf else _Context(inner, marks, outer_link, figure)


class _Body:
    """Makes blocks of segments, and of the pictures between them."""

    def __init__(self, page: DetailedPage, pictures: Sequence[Placed]) -> None:
        self._text = page.text
        self._pictures = list(reversed(pictures))
        self._blocks: list[Block] = []
        self._untidy: list[Block] = []
        self._code = -1  # the element of the outline around the last segment

    def blocks(self) -> list[Block]:
        """Return the blocks that are not empty, with the pictures after all text."""
        for placed in reversed(self._pictures):
            self._begin(Block((), "", [placed.image], placed.offset))
        for block in self._untidy:
            if block.leaf != "pre":
                block.parts = tidied_parts(block.parts)
        return [
            block
            for block in self._blocks
            if (block.text.strip() if block.leaf == "pre" else block.parts)
        ]

    def add(self, segment: _Segment, context: _Context, place: Place, *, is_whole: bool) -> None:
        """Add a segment; it ``is_whole`` if it is all of a block, unless that is of code."""
        path = place.path
        if context.figure:
            path = (*path, *context.figure)
        if self._pictures and self._pictures[-1].offset <= segment.begin:
            self._add_images(segment, path)
        if place.code >= 0:
            self._add_code(segment, context, path, is_same=place.code == self._code)
        elif is_whole:
            text = segment.tidied
            parts: list[Part] = [Run(text, context.marks, context.link)] if text else []
            self._blocks.append(Block(path, context.leaf, parts, segment.begin))
        else:
            self._add_text(segment, context, path)
        self._code = place.code

    def _begin(self, block: Block) -> None:
        self._blocks.append(block)
        self._untidy.append(block)

    def _add_text(self, segment: _Segment, context: _Context, path: tuple[Step, ...]) -> None:
        """Add a segment to the last block, or begin another."""
        blocks = self._blocks
        text = self._spaced(segment)
        if segment.strength >= ITEM or not blocks or blocks[-1].leaf == "pre":
            self._begin(Block(path, context.leaf, start=segment.begin))
        elif segment.strength == LINE:
            blocks[-1].parts.append(Break())
        elif segment.strength == SPACE:
            text = f" {text.lstrip(' ')}"
        if text:
            blocks[-1].parts.append(Run(text, context.marks, context.link))

    def _spaced(self, segment: _Segment) -> str:
        """Return the text of a segment, each run of white space being one, also at the ends."""
        if len(segment.tidied) == segment.end - segment.begin:
            return segment.tidied
        return _collapse(INVISIBLES.sub("", self._text[segment.begin : segment.end]))

    def _add_code(
        self, segment: _Segment, context: _Context, path: tuple[Step, ...], *, is_same: bool
    ) -> None:
        """Add a segment of code, on a line of its own after the break of a tag."""
        text, strength = self._text[segment.begin : segment.end], segment.strength
        text = INVISIBLES.sub("", text)
        blocks = self._blocks
        if is_same:
            if strength >= LINE:
                blocks[-1].parts.append(Break())
                # The break of the tag is there already.
                text = text.removeprefix("\n")
            elif strength == SPACE:
                text = f" {text}"
        elif strength >= ITEM or not blocks or blocks[-1].leaf != "pre":
            self._begin(Block(path, "pre", start=segment.begin))
        elif strength == LINE:
            blocks[-1].parts.append(Break())
        elif strength == SPACE:
            text = f" {text.lstrip(' ')}"
        if text or is_same:
            blocks[-1].parts.append(Run(text, context.marks, context.link))

    def _add_images(self, segment: _Segment, path: tuple[Step, ...]) -> None:
        """Add the images before a segment as blocks of their own, or to the last block."""
        blocks = self._blocks
        while self._pictures and self._pictures[-1].offset <= segment.begin:
            placed = self._pictures.pop()
            if segment.strength < ITEM and blocks:
                blocks[-1].parts.append(placed.image)
                continue
            around = _common(blocks[-1].path, path) if blocks else ()
            figure = Step("figure", placed.figure)
            if figure in path:
                # Its caption follows.
                around = path[: path.index(figure) + 1]
            self._begin(Block(around, "", [placed.image], placed.offset))


def _collapse(text: str) -> str:
    """Replace each run of white space by one space, also at the ends."""
    inner = " ".join(text.split())
    if not inner:
        return " " if text else ""
    return f"{' ' * text[0].isspace()}{inner}{' ' * text[-1].isspace()}"


def _common(one: Sequence[Step], other: Sequence[Step]) -> tuple[Step, ...]:
    """Return the elements around both of two blocks, without incomplete lists and tables."""
    size = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    shared = tuple(one[: min(len(one), len(other)) if size is None else size])
    while shared and shared[-1].name in ("ul", "ol", "dl", "table", "tr"):
        shared = shared[:-1]
    return shared
