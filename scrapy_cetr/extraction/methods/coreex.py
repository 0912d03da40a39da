"""CoreEx: the element whose children have the most text and the fewest links.

J. Prasad, A. Paepcke: CoreEx - Content Extraction from Online News Articles. CIKM 2008. The counts
are named as in the paper's section 2. Text nodes are not in ``page.nodes``; as they have no links,
each belongs to the set S of its parent, so that their words are all that need be known of them.
"""

from __future__ import annotations

import numpy as np

from scrapy_cetr.extraction.characters import CONTROL, character_kinds, word_starts
from scrapy_cetr.extraction.markup import LINK, codes_of
from scrapy_cetr.extraction.methods.spans import (
    count_before,
    count_by_row,
    covered,
    linked,
    sum_by_group,
)
from scrapy_cetr.extraction.methods.verdict import Verdict, verdict_on
from scrapy_cetr.extraction.nodes import Nodes
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page import Bools, Floats, Ints, Page

# The reader leaves out <select>, <textarea> and <script>, and <input> has no text.
_IGNORED = tuple(codes_of("form option"))
# A row is kept if more than so much of it belongs to the set S of the main content node.
_SHARE_OF_ROW = 0.5


def coreex(page: Page, options: Options) -> Verdict:
    """Keep the rows of the main content node that belong to its set S (2, 2.1)."""
    nodes = _with_root(page)
    ignored = _ignored(page, nodes)
    words, links = _counts(page, nodes, ignored)
    text = words + links
    in_set = words > options.coreex_threshold * text
    in_set[0] = False
    set_text, set_links = _set_counts(nodes, words, links, in_set)
    ratio = (set_text - set_links) / np.maximum(set_text, 1)
    weight = options.coreex_text_weight
    score = (1 - weight) * ratio + weight * set_text / max(int(text[0]), 1)
    main = _highest(score, nodes)
    kept = _text_of_set(page, nodes, main, in_set, ignored) & (score[main] > 0)
    shown = character_kinds(page.text) > CONTROL
    visible = np.maximum(count_by_row(page, shown), 1)
    share = count_by_row(page, shown & kept) / visible - _SHARE_OF_ROW
    trace = {"node": main, "node_score": score, "text": text, "links": links}
    return verdict_on(page, share, share > 0, **trace)


def _with_root(page: Page) -> Nodes:
    """Put the page itself before its elements, as the parent of those that have none."""
    nodes, root = page.nodes, np.zeros(1, np.int32)
    return Nodes(
        tag=np.append(np.int8(0), nodes.tag),
        parent=np.append(root, nodes.parent + 1),
        last=np.append(root + len(nodes), nodes.last) + 1,
        start=np.append(root, nodes.start),
        end=np.append(root + len(page.text), nodes.end),
    )


def _ignored(page: Page, nodes: Nodes) -> Bools:
    """Tell which nodes are forms and such, unless most of the page is inside of one."""
    shown = count_before(character_kinds(page.text) > CONTROL)
    size = shown[nodes.end] - shown[nodes.start]
    ignored: Bools = np.isin(nodes.tag, _IGNORED) & (2 * size <= size[0])
    return ignored


def _counts(page: Page, nodes: Nodes, ignored: Bools) -> tuple[Ints, Ints]:
    """Count the words outside of links and the links of each node; textCnt is their sum."""
    cuts = np.concatenate((page.rows.start, page.breaks.offset))
    words = word_starts(character_kinds(page.text), cuts)
    words &= ~covered(len(page.text), nodes.start[ignored], nodes.end[ignored])
    words &= ~linked(page)
    words_before = count_before(words)
    link = nodes.tag == LINK
    at = np.flatnonzero(link)
    # A link around another is one that the page forgot to close.
    link[at[:-1][at[1:] < nodes.last[at[:-1]]]] = False
    link &= ~covered(len(nodes), np.flatnonzero(ignored).astype(np.int32), nodes.last[ignored])
    links_before = count_before(link)
    return (
        words_before[nodes.end] - words_before[nodes.start],
        links_before[nodes.last] - links_before[:-1],
    )


def _set_counts(nodes: Nodes, words: Ints, links: Ints, in_set: Bools) -> tuple[Floats, Floats]:
    """Compute setTextCnt and setLinkCnt: what the children in S have, text nodes among them."""
    child, parent = np.arange(len(nodes)) > 0, nodes.parent
    dropped_words = sum_by_group(parent, words * (child & ~in_set), len(nodes))
    set_links = sum_by_group(parent, links * in_set, len(nodes))
    return words - dropped_words + set_links, set_links


def _highest(score: Floats, nodes: Nodes) -> int:
    """Find the best node; of several, the highest in the tree; of several, the first."""
    best = np.flatnonzero(score == score.max())
    closed = np.bincount(nodes.last, minlength=len(nodes) + 1)[:-1]
    depth = np.cumsum(1 - closed)
    return int(best[depth[best].argmin()])


def _text_of_set(page: Page, nodes: Nodes, main: int, in_set: Bools, ignored: Bools) -> Bools:
    """Mark the text of a node without that of children outside of S and of what is ignored."""
    outside = np.flatnonzero((nodes.parent == main) & ~in_set | ignored)
    outside = outside[outside > 0]
    kept = ~covered(len(page.text), nodes.start[outside], nodes.end[outside])
    kept[: nodes.start[main]] = False
    kept[nodes.end[main] :] = False
    return kept
