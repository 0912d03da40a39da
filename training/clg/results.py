"""Measures CLG and its baselines on pages of sites that were not learnt from (section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.clg.features import adjust
from scrapy_cetr.extraction.methods.clg.grouping import find_candidates
from scrapy_cetr.extraction.methods.clg.method import score_nodes, select
from scrapy_cetr.extraction.methods.clg.weights import Weights
from scrapy_cetr.extraction.options import Options
from training.clg.examples import Example, word_f1

# Precision, recall and F1.
Measures = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one method makes of a page: words and areas, each as precision, recall and F1."""

    corpus: str
    words: Measures
    areas: Measures


def scores_of(example: Example, weights: Weights) -> Floats:
    """Return the score of each node of a page."""
    return score_nodes(adjust(example.measured, weights), weights)


def select_by(method: str, example: Example, score: Floats, options: Options) -> list[int]:
    """Return the nodes that a method of figure 11 selects: LR_A, LR or CLG."""
    tree = example.tree
    if method == "LR_A":
        return [int(np.where(tree.is_shown, score, -1).argmax())]
    if method == "LR":
        return find_candidates(tree, score, options.clg_threshold)
    return select(tree, score, options).selected


def measure_page(example: Example, selected: Sequence[int]) -> Result:
    """Compare the words and the region of some nodes with the ground truth."""
    return Result(
        corpus=example.corpus,
        words=word_f1(example, selected),
        areas=_area_f1(example, selected),
    )


def _area_f1(example: Example, selected: Sequence[int]) -> Measures:
    """Compare regions as in figure 10."""
    corners = example.tree.corners
    predicted, truth = corners[:, list(selected)], corners[:, np.flatnonzero(example.top)]
    found, gold = loops.union_area(predicted), loops.union_area(truth)
    overlap = found + gold - loops.union_area(np.concatenate((predicted, truth), axis=1))
    precision, recall = overlap / max(found, 1.0), overlap / max(gold, 1.0)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def averages(results: Sequence[Result]) -> Mapping[str, tuple[Measures, Measures]]:
    """Average the measures of words and of areas over the pages of each corpus, and of all."""
    corpora = sorted({result.corpus for result in results})
    found = {}
    for corpus in (*corpora, "all"):
        some = [one for one in results if corpus in (one.corpus, "all")]
        words, areas = (
            tuple(np.mean([getattr(one, name) for one in some], axis=0).tolist())
            for name in ("words", "areas")
        )
        found[corpus] = (words, areas)
    return found
