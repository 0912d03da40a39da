"""Rendered pages with labelled nodes (section 5 of the paper)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import WORD
from benchmarks.corpus import Page as CorpusPage
from benchmarks.corpus import read_pages
from scrapy_cetr.extraction.columns import Bools, Codes
from scrapy_cetr.extraction.elements import BREAK_STRENGTHS
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.clg.features import Measurements, measure
from scrapy_cetr.extraction.methods.clg.tree import Tree, make_tree
from scrapy_cetr.extraction.methods.spans import count_between
from scrapy_cetr.extraction.page.characters import CONTROL
from scrapy_cetr.extraction.page.hidden import NO_SUSPECTS
from scrapy_cetr.extraction.page.page import Page
from training.examples import align_words, site_of
from training.progress import progress

NEGATIVE, NEUTRAL, POSITIVE = 0, 1, 2
# A piece of text is gold from this share of its words on, and a node positive, or negative, from
# these shares of its text.
_GOLD_WORDS, _POSITIVE_TEXT, _NEGATIVE_TEXT = 0.7, 0.9, 0.1
# The share of hidden text up to which it is left out, as in ``extraction.analysis``.
_MAX_HIDDEN_SHARE = 0.4


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """A rendered page, with a label for each of its nodes.

    ``piece_begin`` are the offsets of the pieces that breaks divide the text into; ``pieces`` has
    the words of each, by number; the browser does not show hidden pieces; ``gold`` is how often
    each word occurs in the gold text.
    """

    corpus: str
    id: str
    site: str
    page: Page
    tree: Tree
    measured: Measurements
    label: Codes
    pieces: list[list[int]]
    piece_begin: NDArray[np.intp]
    piece_is_hidden: Bools
    gold: NDArray[np.intp]

    @property
    def top(self) -> Bools:
        """The positive nodes whose parents are not."""
        parent = self.tree.nodes.parent
        is_positive = self.label == POSITIVE
        top: Bools = is_positive & ~(is_positive[parent] & (parent >= 0)) & self.tree.is_shown
        return top


def read_examples(paths: Sequence[Path], *, jobs: int) -> list[Example]:
    """Read the stamped pages of corpora, and label their nodes."""
    pages = [(path.name.partition(".")[0], page) for path in paths for page in read_pages(path)]
    with get_context("fork").Pool(jobs) as processes:
        examples = processes.imap(make_example, pages, chunksize=8)
        found = progress(examples, total=len(pages), name="features")
        return [example for example in found if example is not None]


def make_example(source: tuple[str, CorpusPage]) -> Example | None:
    """Read and label a page of the named corpus; None if it is not stamped, or shows nothing."""
    corpus, stored = source
    page = read(stored.html, rows="blocks", with_stamps=True)
    if page.layout is None:
        return None
    is_hidden = _hidden_characters(page)
    # Its functions cannot be sent to another process.
    page = replace(page, suspects=NO_SUSPECTS)
    tree = make_tree(page.layout) if page.layout is not None else None
    if tree is None or not tree.is_shown.any():
        return None
    vocabulary: dict[str, int] = {}

    def number(words: Iterable[str]) -> list[int]:
        return [vocabulary.setdefault(word, len(vocabulary)) for word in words]

    strength = BREAK_STRENGTHS[np.abs(page.tags)]
    bounds = np.unique(np.concatenate(([0, len(page.text)], page.tag_offset[strength > 0])))
    pieces = [number(WORD.findall(page.text[begin:end].lower())) for begin, end in pairwise(bounds)]
    gold = number(WORD.findall(stored.text.lower()))
    is_matched = align_words([word for piece in pieces for word in piece], gold)
    label = _labels(page, tree, _gold_characters(page, bounds, pieces, is_matched))
    return Example(
        corpus=corpus,
        id=stored.id,
        site=site_of(stored),
        page=page,
        tree=tree,
        measured=measure(page, tree),
        label=label,
        pieces=pieces,
        piece_begin=bounds[:-1].astype(np.intp),
        piece_is_hidden=np.append(is_hidden, False)[bounds[:-1]],
        gold=np.bincount(np.array(gold, np.intp), minlength=len(vocabulary)),
    )


def _hidden_characters(page: Page) -> Bools:
    """Mark the characters that the browser does not show."""
    suspects, is_hidden = page.suspects, np.zeros(len(page.text), np.bool_)
    for index in suspects.hidden().tolist():
        is_hidden[suspects.begin[index] : suspects.end[index]] = True
    return is_hidden


def _gold_characters(
    page: Page, bounds: NDArray[np.intp], pieces: list[list[int]], is_matched: Bools
) -> Bools:
    """Mark the characters of the pieces that are gold."""
    sizes = np.array([len(piece) for piece in pieces], np.intp)
    of_word = np.repeat(np.arange(len(pieces)), sizes)
    matched = np.bincount(of_word, is_matched, len(pieces))
    is_gold = (sizes > 0) & (matched >= _GOLD_WORDS * sizes)
    return np.repeat(is_gold, np.diff(bounds)) & (page.kinds > CONTROL)


def _labels(page: Page, tree: Tree, is_gold: Bools) -> Codes:
    """Label each node by its text; one without text is as its parent, unless that is neutral."""
    nodes = tree.nodes
    chars = count_between(page.kinds > CONTROL, nodes.start, nodes.end)
    share = count_between(is_gold, nodes.start, nodes.end) / np.maximum(chars, 1)
    label = np.full(len(nodes), NEUTRAL, np.int8)
    label[share >= _POSITIVE_TEXT] = POSITIVE
    label[share <= _NEGATIVE_TEXT] = NEGATIVE
    for node in np.flatnonzero(chars == 0).tolist():
        parent = int(nodes.parent[node])
        if parent >= 0 and label[parent] == POSITIVE:
            label[node] = POSITIVE
    return label


def word_f1(example: Example, selected: Sequence[int]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the words of some nodes.

    As in an extraction, hidden text is left out, unless most of the text is hidden.
    """
    tree, kept = example.tree, np.zeros(len(example.pieces), np.bool_)
    for node in selected:
        first, last = np.searchsorted(
            example.piece_begin, (tree.nodes.start[node], tree.nodes.end[node])
        )
        kept[first:last] = True
    sizes = np.array([len(piece) for piece in example.pieces], np.intp)
    if sizes[kept & example.piece_is_hidden].sum() <= _MAX_HIDDEN_SHARE * sizes[kept].sum():
        kept &= ~example.piece_is_hidden
    words = [word for piece in np.flatnonzero(kept).tolist() for word in example.pieces[piece]]
    found = np.bincount(np.array(words, np.intp), minlength=len(example.gold))
    common = int(np.minimum(found, example.gold).sum())
    return _measures(common, int(found.sum()), int(example.gold.sum()))


def _measures(common: float, found: float, gold: float) -> tuple[float, float, float]:
    precision, recall = common / max(found, 1), common / max(gold, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
