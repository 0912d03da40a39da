"""The method ``clg``: the rows of the nodes that CLG selects."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats, Ints
from scrapy_cetr.extraction.methods.clg.features import FEATURES, adjust, measure
from scrapy_cetr.extraction.methods.clg.grouping import best_group, find_candidates, find_groups
from scrapy_cetr.extraction.methods.clg.refining import find_title, refine
from scrapy_cetr.extraction.methods.clg.tree import Tree, make_tree
from scrapy_cetr.extraction.methods.clg.weights import Weights, load_weights
from scrapy_cetr.extraction.methods.learned.method import learned_method
from scrapy_cetr.extraction.methods.spans import covered
from scrapy_cetr.extraction.methods.verdict import Verdict, make_verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.characters import CONTROL
from scrapy_cetr.extraction.page.page import Page

logger = logging.getLogger("scrapy_cetr")

# A row is kept if more than this share of it belongs to the selected nodes.
_SHARE_OF_ROW = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The nodes of a page that were selected, and how.

    ``score`` is the probability of each node; ``groups`` are those of the candidates, ``best`` is
    the index of the chosen one, and ``selected`` are the nodes after refining, with the title.
    """

    score: Floats
    groups: list[list[int]]
    best: int
    selected: list[int]


def clg(page: Page, options: Options) -> Verdict:
    """Keep the rows of the selected nodes; without stamps, those of the method "learned"."""
    if page.layout is None:
        _say_that_stamps_are_missing()
        return learned_method(page, options)
    tree = make_tree(page.layout)
    if not tree.is_shown.any():
        return make_verdict(page, np.full(len(page.rows), -1.0), np.zeros(len(page.rows), np.bool_))
    weights = load_weights()
    score = score_nodes(adjust(measure(page, tree), weights), weights)
    selection = select(tree, score, options)
    share = share_of_rows(page, tree, selection.selected) - _SHARE_OF_ROW
    return make_verdict(
        page,
        share,
        share > 0,
        node_score=selection.score,
        groups=selection.groups,
        best_group=selection.best,
        selected=selection.selected,
    )


@cache
def _say_that_stamps_are_missing() -> None:
    logger.warning(
        'The method "clg" needs pages that a browser has rendered with CETR_RENDERED = True;'
        ' pages without its stamps are extracted by the method "learned"'
    )


def select(tree: Tree, score: Floats, options: Options) -> Selection:
    """Group the candidates, and refine the best group."""
    candidates = find_candidates(tree, score, options.clg_threshold)
    groups = find_groups(tree, candidates, options.clg_overlap)
    best = best_group(tree, score, groups)
    selected = refine(tree, score, groups[best], options)
    title = find_title(tree, selected)
    if title is not None:
        selected = sorted((*selected, title))
    return Selection(score, groups, best, selected)


def score_nodes(features: Floats, weights: Weights) -> Floats:
    """Return the probability of each node (section 5); ``features`` are features × nodes."""
    beta = np.array([weights.features[name] for name in FEATURES])
    score: Floats = 1 / (1 + np.exp(-np.clip(weights.intercept + beta @ features, -50, 50)))
    return score


def share_of_rows(page: Page, tree: Tree, selected: list[int]) -> Floats:
    """Return the share of each row's characters that belong to some nodes."""
    nodes = tree.nodes
    kept = covered(len(page.text), nodes.start[selected], nodes.end[selected])
    shown: Bools = page.kinds > CONTROL
    visible: Ints = np.maximum(page.count_by_row(shown), 1)
    share: Floats = page.count_by_row(shown & kept) / visible
    return share
