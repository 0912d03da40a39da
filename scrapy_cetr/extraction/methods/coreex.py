"""CoreEx: the element whose children have the most text and the fewest links.

J. Prasad, A. Paepcke: CoreEx - Content Extraction from Online News Articles. CIKM 2008. The counts
are named as in the paper's section 2. Text nodes are not in ``page.nodes``; as they have no links,
each belongs to the set S of its parent, so that their words are all that need be known of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Ints, chunk_size, chunks, flag_indices
from scrapy_cetr.extraction.elements import ELEMENT_CODES, LINK
from scrapy_cetr.extraction.methods.spans import (
    count_between,
    covered,
    linked,
)
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.characters import CONTROL, word_starts
from scrapy_cetr.extraction.page.nodes import Nodes, make_nodes
from scrapy_cetr.extraction.page.page import Page

# The reader leaves out <select>, <textarea> and <script>, and <input> has no text.
_FORM, _OPTION = ELEMENT_CODES["form"], ELEMENT_CODES["option"]
# A row is kept if more than so much of it belongs to the set S of the main content node.
_SHARE_OF_ROW = 0.5


class _Weights(NamedTuple):
    """What scores are computed with: the weight of the text, and all that the page has."""

    text: float
    all_text: int


def coreex(page: Page, options: Options) -> Verdict:
    """Keep the rows of the main content node that belong to its set S (2, 2.1)."""
    # Not those of the page, which would stay with it.
    nodes = make_nodes(page.tags, page.tag_offset, len(page.text), rooted=True)
    ignored = _ignored(page, nodes)
    words, links = _counts(page, nodes, ignored)
    in_set = _in_set(words, links, options.coreex_threshold)
    weights = _Weights(options.coreex_text_weight, max(int(words[0] + links[0]), 1))
    trace: dict[str, Any] = {}
    if len(nodes) <= chunk_size():
        # Only a hostile page has more.
        trace = {"text": words + links, "links": links.copy()}
    _count_sets(nodes, words, links, in_set)
    if trace:
        trace["node_score"] = _scores(words, links, weights)
    best, score = _best(words, links, weights)
    del words, links
    main = _highest(best, nodes)
    kept = _text_of_set(page, nodes, main, in_set, ignored) & (score > 0)
    shown = page.kinds > CONTROL
    visible = np.maximum(page.count_by_row(shown), 1)
    share = page.count_by_row(shown & kept) / visible - _SHARE_OF_ROW
    return verdict_on(page, share, share > 0, node=main, **trace)


def _ignored(page: Page, nodes: Nodes) -> Bools:
    """Tell which nodes are forms and such, unless most of the page is inside of one."""
    ignored: Bools = (nodes.tag == _FORM) | (nodes.tag == _OPTION)
    shown = page.kinds > CONTROL
    size = count_between(shown, nodes.start[ignored], nodes.end[ignored])
    ignored[ignored] = 2 * size <= np.count_nonzero(shown)
    return ignored


def _counts(page: Page, nodes: Nodes, ignored: Bools) -> tuple[Ints, Ints]:
    """Count the words outside of links and the links of each node; textCnt is their sum."""
    words = word_starts(page.kinds, page.rows.start, page.breaks.offset)
    words &= ~covered(len(page.text), nodes.start[ignored], nodes.end[ignored])
    words &= ~linked(page)
    link = nodes.tag == LINK
    at = np.flatnonzero(link)
    # A link around another is one that the page forgot to close.
    link[at[:-1][at[1:] < nodes.last[at[:-1]]]] = False
    link &= ~covered(len(nodes), flag_indices(ignored), nodes.last[ignored])
    counts = count_between(words, nodes.start, nodes.end)
    if not link.any():
        # Zeros take no memory until they are written.
        return counts, np.zeros(len(nodes), np.int32)
    return counts, count_between(link, None, nodes.last)


def _in_set(words: Ints, links: Ints, threshold: float) -> Bools:
    """Tell which nodes belong to the set S of their parent."""
    in_set = np.empty(len(words), np.bool_)
    for now in _parts(words):
        np.greater(words[now], threshold * (words[now] + links[now]), out=in_set[now])
    in_set[0] = False
    return in_set


def _count_sets(nodes: Nodes, words: Ints, links: Ints, in_set: Bools) -> None:
    """Compute setTextCnt and setLinkCnt: what the children in S have, text nodes among them.

    They are written over the words and links of the nodes, as both would be too many.
    """
    flags = in_set & (links > 0)
    set_links, linking = links[flags], nodes.parent[flags]
    np.greater(words, 0, out=flags)
    flags[in_set] = flags[0] = False
    dropped_words, dropping = words[flags], nodes.parent[flags]
    links[links > 0] = 0
    np.add.at(links, linking, set_links)
    words += links
    np.subtract.at(words, dropping, dropped_words)


def _scores(set_text: Ints, set_links: Ints, weights: _Weights) -> Floats:
    """Weigh the share of the set's text that is not links, and its share of the page's text (2)."""
    ratio: Floats = (set_text - set_links) / np.maximum(set_text, 1)
    ratio *= 1 - weights.text
    score: Floats = np.multiply(set_text, weights.text, dtype=np.float64)
    score /= weights.all_text
    score += ratio
    return score


def _best(set_text: Ints, set_links: Ints, weights: _Weights) -> tuple[Bools, float]:
    """Tell which nodes have the highest score, and this."""
    best, highest = np.zeros(len(set_text), np.bool_), -np.inf
    for now in _parts(set_text):
        score = _scores(set_text[now], set_links[now], weights)
        if score.max() > highest:
            highest = float(score.max())
            best[: now.start] = False
        np.equal(score, highest, out=best[now])
    return best, highest


def _highest(best: Bools, nodes: Nodes) -> int:
    """Find the best node; of several, the highest in the tree; of several, the first."""
    if np.count_nonzero(best) == 1:
        return int(best.argmax())
    # No deeper than MAX_DEPTH, which is why two bytes will do.
    depth = np.ones(len(nodes) + 1, np.int16)
    for now in _parts(nodes.last):
        np.subtract.at(depth, nodes.last[now], np.int16(1))
    np.cumsum(depth, out=depth)
    depth[:-1][~best] = np.iinfo(np.int16).max
    return int(depth[:-1].argmin())


def _parts(column: Ints) -> Iterator[slice]:
    """Part a column, to bound the memory that is taken by what is computed of it."""
    return chunks(len(column))


def _text_of_set(page: Page, nodes: Nodes, main: int, in_set: Bools, ignored: Bools) -> Bools:
    """Mark the text of a node without that of children outside of S and of what is ignored."""
    outside = np.flatnonzero((nodes.parent == main) & ~in_set | ignored)
    outside = outside[outside > 0]
    kept = ~covered(len(page.text), nodes.start[outside], nodes.end[outside])
    kept[: nodes.start[main]] = False
    kept[nodes.end[main] :] = False
    return kept
