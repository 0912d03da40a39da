"""The captions of images: where they are on a page, and their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.html.details import DetailedPage, Image
from scrapy_cetr.extraction.output.tree import Tree, any_name

_FIGCAPTION = codes_of("figcaption")
_TABLE_CAPTION = codes_of("caption legend")
# Class names of captions and credits. "Caption" alone is also the name of titles in some themes, so
# that an element with it counts only with few words.
_CAPTION = re.compile(
    r"(?:^|[-_])(?:captions?|img-?caption|photo-?(?:caption|credit)|image-?(?:caption|credit|legend)|"
    r"legende|bildunterschrift|bildtext|pie-?(?:de-?)?foto|didascalia|cutline|credits?)(?:$|[-_])|"
    r"caption-?text|[a-z]Caption(?:$|[A-Z])|^caption",
    re.IGNORECASE,
)
_NO_CAPTION = re.compile(
    r"wp-caption$|has-|no-|-wrap|container|video|slide|audio|credit-card", re.I
)
# Every name of a caption has one of these in it.
_WORDS = ("caption", "credit", "legend", "bild", "foto", "didascalia", "cutline")
_FITS = any_name(_CAPTION, _NO_CAPTION)
MAX_CAPTION = 1000


def caption_nodes(tree: Tree) -> Ints:
    """Return the elements that are captions: <figcaption>, or named so by their class."""
    marked = tree.tagged_as(_FIGCAPTION)
    named = tree.named_with(_WORDS, _FITS)
    named = named[~np.isin(tree.nodes.tag[named], list(_TABLE_CAPTION))]
    size = tree.nodes.end[named] - tree.nodes.start[named]
    named = named[(size > 0) & (size < MAX_CAPTION)]
    found: Ints = np.union1d(marked, named).astype(np.int32)
    return found


def caption_rows(tree: Tree, nodes: Ints | None = None) -> Bools:
    """Mark the rows of a page that are captions."""
    return tree.rows_in(tree.outermost(caption_nodes(tree) if nodes is None else nodes))


def find_captions(
    page: DetailedPage, span: tuple[int, int], *, images: Iterable[Image]
) -> tuple[str, ...]:
    """Return the captions of images, and those between the beginning and the end of the article."""
    tree = Tree(page)
    nodes = tree.nodes
    found = caption_nodes(tree)
    inside = (nodes.start[found] >= span[0]) & (nodes.end[found] <= span[1])
    between = [tree.text(node) for node in tree.outermost(found[inside])]
    before = [image.caption for image in images if image.caption not in between]
    return tuple(dict.fromkeys(filter(None, (*before, *between))))
