"""One article of several pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.elements import BLOCK, SEPARATORS
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.extraction.output.blocks import Block
from scrapy_cetr.extraction.output.structure import text_blocks

# "Page 2 of 3", "Seite 2", "2/3" at the end of a headline, or as a paragraph.
_PAGE_NUMBER = re.compile(
    r"\b(?:(?:page|part|seite|teil|página|pagina|parte|strona|sida|side|страница) ?\d{1,3}"
    r"(?: ?(?:/|of|von|de|di|z|av|van|sur|из) ?\d{1,3})?|\d{1,3} ?/ ?\d{1,3})$"
)
# The roles of parts that the pages of an article repeat.
_REPEATED = ("headline", "byline", "lead", "note")
# More than the number of nodes of a page.
_NODES = 1 << 40


def join_articles(articles: Iterable[Article]) -> Article:
    r"""Join the articles of the pages of one article, in order.

    Text, Markdown, HTML, links, images, captions and comments are those of all pages. Everything
    else is that of the first page. A headline or lead that is repeated at the top of later pages is
    left out there, a repeated note at the end is left out before, and so are page numbers.

    >>> from scrapy_cetr import extract
    >>> first, second = (extract(f"<h1>Flood</h1><p>It rained {n} days.") for n in (1, 2))
    >>> join_articles([first, second]).text
    'It rained 1 days.\n\nIt rained 2 days.'
    """
    parts = tuple(articles)
    if not parts:
        raise ValueError("join_articles() takes at least one article, not an empty list")
    if len(parts) == 1:
        return parts[0]
    paragraphs = [part.text.split(SEPARATORS[BLOCK]) for part in parts]
    kept = _kept(paragraphs)
    texts = [one[cut] for one, cut in zip(paragraphs, kept, strict=True)]
    return replace(
        parts[0],
        text=SEPARATORS[BLOCK].join(paragraph for text in texts for paragraph in text),
        page_chars=sum(part.page_chars for part in parts),
        short=all(part.short for part in parts),
        truncated=any(part.truncated for part in parts),
        _lazy=JoinedValues(
            parts,
            [
                (_size(one[: cut.start]), _size(one[cut.stop :]))
                for one, cut in zip(paragraphs, kept, strict=True)
            ],
        ),
    )


class JoinedValues(LazyValues):
    """Computes the attributes of a joined article from those of its pages.

    ``cuts`` has for each page the number of characters that are left out at its beginning and at
    its end, without white space.
    """

    def __init__(self, parts: Sequence[Article], cuts: Sequence[tuple[int, int]]) -> None:
        super().__init__("", url=None, text="", kept=None)
        self._parts = parts
        self._cuts = cuts

    def value(self, name: str, empty: Any) -> Any:
        """Return a value, from all pages or from the first."""
        if name not in self._values:
            compute = _COMPUTE.get(name)
            found = compute(self) if compute else {name: getattr(self._parts[0], name)}
            self._values.update(found)
        return self._values.get(name, empty)

    def blocks(self) -> list[Block]:
        """Return the blocks of all pages."""
        if self._blocks is None:
            self._blocks = []
            for number, (part, cut) in enumerate(zip(self._parts, self._cuts, strict=True)):
                found = part._lazy.blocks() if part._lazy else []
                for block in _trimmed(found or text_blocks(part.text), *cut):
                    # A list of the second page does not continue one of the first.
                    steps = (step._replace(node=step.node + number * _NODES) for step in block.path)
                    self._blocks.append(Block(tuple(steps), block.leaf, block.parts))
        return self._blocks

    def article_blocks(self) -> dict[str, Any]:
        """Return the parts of all pages; those that each page repeats around its text once."""
        seen: set[tuple[str, str]] = set()
        blocks = []
        for block in (block for part in self._parts for block in part.blocks):
            key = block.role, _key(block.text)
            if block.role not in _REPEATED or key not in seen:
                blocks.append(block)
            seen.add(key)
        return {"blocks": tuple(blocks)}

    def captions(self) -> dict[str, Any]:
        """Return the captions of all pages, each once."""
        found = (caption for part in self._parts for caption in part.captions)
        return {"captions": tuple(dict.fromkeys(found))}

    def comments(self) -> dict[str, Any]:
        """Return the comments of all pages, each once."""
        found = (comment for part in self._parts for comment in part.comments)
        return {"comments": tuple(dict.fromkeys(found))}


_COMPUTE: Mapping[str, Callable[[JoinedValues], dict[str, Any]]] = {
    "blocks": JoinedValues.article_blocks,
    "markdown": LazyValues.markdown,
    "html": LazyValues.html,
    **dict.fromkeys(("links", "images"), LazyValues.links_and_images),
    "captions": JoinedValues.captions,
    "comments": JoinedValues.comments,
}


def _kept(pages: Sequence[Sequence[str]]) -> list[slice]:
    """Return which paragraphs of each page to keep."""
    keys = [[_key(paragraph) for paragraph in page] for page in pages]
    kept: list[slice] = []
    seen = {""}
    for page in keys:
        start, stop = 0, len(page)
        while start < stop and page[start] in seen:
            start += 1
        while start < stop and not page[stop - 1]:
            stop -= 1
        kept.append(slice(start, stop))
        seen.update(page)
    filled = [index for index, cut in enumerate(kept) if cut.start < cut.stop]
    for index, following in pairwise(filled):
        cut = kept[index]
        same = _common_end(keys[index][cut], keys[following][kept[following]])
        kept[index] = slice(cut.start, cut.stop - same)
    return kept


def _common_end(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal elements at the end of two lists."""
    same = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        same += 1
    return same


def _key(paragraph: str) -> str:
    """Return a paragraph without page number, case and differences in white space."""
    text = " ".join(paragraph.split()).casefold()
    inner = text.rstrip(" )]")
    found = _PAGE_NUMBER.search(inner)
    return inner[: found.start()].rstrip(" ([|:–—-") if found else text


def _size(paragraphs: Iterable[str]) -> int:
    """Return the number of characters without white space."""
    return sum(len(word) for paragraph in paragraphs for word in paragraph.split())


def _trimmed(blocks: Sequence[Block], lead: int, tail: int) -> Sequence[Block]:
    """Leave out whole blocks of ``lead`` characters at the beginning and ``tail`` at the end."""
    start, stop = _blocks_of(blocks, lead), _blocks_of(blocks[::-1], tail)
    return blocks[start : max(start, len(blocks) - stop)]


def _blocks_of(blocks: Sequence[Block], size: int) -> int:
    """Return the number of blocks that have ``size`` characters."""
    for count, block in enumerate(blocks):
        if size <= 0:
            return count
        size -= _size([block.text])
        if size < 0:
            return count
    return len(blocks)
