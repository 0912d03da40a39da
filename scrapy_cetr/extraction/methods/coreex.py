"""CoreEx: the element whose children have the most text and the fewest links.

J. Prasad, A. Paepcke: CoreEx - Content Extraction from Online News Articles. CIKM 2008. The counts
are named as in the paper's section 2. Text nodes are not in ``page.nodes``; as they have no links,
each belongs to the set S of its parent, so that their words are all that need be known of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrapy_cetr.extraction.characters import CONTROL, word_starts
from scrapy_cetr.extraction.columns import Bools, Floats, Ints
from scrapy_cetr.extraction.markup import LINK, codes_of
from scrapy_cetr.extraction.methods.spans import (
    count_between,
    count_by_row,
    covered,
    linked,
)
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.nodes import Nodes, make_nodes
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page import Page

# The reader leaves out <select>, <textarea> and <script>, and <input> has no text.
_IGNORED = tuple(codes_of("form option"))
# A row is kept if more than so much of it belongs to the set S of the main content node.
_SHARE_OF_ROW = 0.5


def coreex(page: Page, options: Options) -> Verdict:
    """Keep the rows of the main content node that belong to its set S (2, 2.1)."""
    # Not those of the page, which would stay with it.
    nodes = _with_root(make_nodes(page.tags, page.tag_offset, len(page.text)), len(page.text))
    ignored = _ignored(page, nodes)
    words, links = _counts(page, nodes, ignored)
    text = words + links
    in_set = words > options.coreex_threshold * text
    in_set[0] = False
    score = _scores(nodes, words, links, in_set, options.coreex_text_weight)
    main = _highest(score, nodes)
    kept = _text_of_set(page, nodes, main, in_set, ignored) & (score[main] > 0)
    shown = page.kinds > CONTROL
    visible = np.maximum(count_by_row(page, shown), 1)
    share = count_by_row(page, shown & kept) / visible - _SHARE_OF_ROW
    trace: dict[str, Any] = {"node": main, "node_score": score, "text": text, "links": links}
    return verdict_on(page, share, share > 0, **trace)


def _with_root(nodes: Nodes, length: int) -> Nodes:
    """Put the page itself before its elements, as the parent of those that have none."""
    root = np.zeros(1, np.int32)
    return Nodes(
        tag=np.append(np.int8(0), nodes.tag),
        parent=np.append(root, nodes.parent + 1),
        last=np.append(root + len(nodes), nodes.last) + 1,
        start=np.append(root, nodes.start),
        end=np.append(root + length, nodes.end),
    )


def _ignored(page: Page, nodes: Nodes) -> Bools:
    """Tell which nodes are forms and such, unless most of the page is inside of one."""
    ignored: Bools = np.isin(nodes.tag, _IGNORED)
    shown = page.kinds > CONTROL
    size = count_between(shown, nodes.start[ignored], nodes.end[ignored])
    ignored[ignored] = 2 * size <= np.count_nonzero(shown)
    return ignored


def _counts(page: Page, nodes: Nodes, ignored: Bools) -> tuple[Ints, Ints]:
    """Count the words outside of links and the links of each node; textCnt is their sum."""
    words = word_starts(page.kinds, np.concatenate((page.rows.start, page.breaks.offset)))
    words &= ~covered(len(page.text), nodes.start[ignored], nodes.end[ignored])
    words &= ~linked(page)
    link = nodes.tag == LINK
    at = np.flatnonzero(link)
    # A link around another is one that the page forgot to close.
    link[at[:-1][at[1:] < nodes.last[at[:-1]]]] = False
    node = np.arange(len(nodes), dtype=np.int32)
    link &= ~covered(len(nodes), node[ignored], nodes.last[ignored])
    return (
        count_between(words, nodes.start, nodes.end),
        count_between(link, node, nodes.last),
    )


def _scores(nodes: Nodes, words: Ints, links: Ints, in_set: Bools, weight: float) -> Floats:
    """Weigh the share of the set's text that is not links, and its share of the page's text (2)."""
    set_text, set_links = _set_counts(nodes, words, links, in_set)
    ratio: Floats = (set_text - set_links) / np.maximum(set_text, 1)
    ratio *= 1 - weight
    score: Floats = np.multiply(set_text, weight, dtype=np.float64)
    score /= max(int(words[0] + links[0]), 1)
    score += ratio
    return score


def _set_counts(nodes: Nodes, words: Ints, links: Ints, in_set: Bools) -> tuple[Ints, Ints]:
    """Compute setTextCnt and setLinkCnt: what the children in S have, text nodes among them."""
    set_text, set_links = words.copy(), np.zeros_like(links)
    linking = in_set & (links > 0)
    np.add.at(set_links, nodes.parent[linking], links[linking])
    set_text += set_links
    dropped = ~in_set & (words > 0)
    dropped[0] = False
    np.subtract.at(set_text, nodes.parent[dropped], words[dropped])
    return set_text, set_links


def _highest(score: Floats, nodes: Nodes) -> int:
    """Find the best node; of several, the highest in the tree; of several, the first."""
    best = np.flatnonzero(score == score.max())
    # No deeper than MAX_DEPTH, which is why two bytes will do.
    depth = np.ones(len(nodes) + 1, np.int16)
    np.subtract.at(depth, nodes.last, np.int16(1))
    np.cumsum(depth, out=depth)
    return int(best[depth[best].argmin()])


def _text_of_set(page: Page, nodes: Nodes, main: int, in_set: Bools, ignored: Bools) -> Bools:
    """Mark the text of a node without that of children outside of S and of what is ignored."""
    outside = np.flatnonzero((nodes.parent == main) & ~in_set | ignored)
    outside = outside[outside > 0]
    kept = ~covered(len(page.text), nodes.start[outside], nodes.end[outside])
    kept[: nodes.start[main]] = False
    kept[nodes.end[main] :] = False
    return kept
