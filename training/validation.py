"""Fitting and judging: networks that have not seen a site say what they make of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.progress import progress
from scrapy_cetr.extraction.methods.learned.network import (
    Network,
    article_signs,
    probability,
    row_scores,
)
from scrapy_cetr.extraction.methods.learned.selection import group
from scrapy_cetr.extraction.options import FAVORS
from training.examples import NOT_ARTICLES, Example, ends_kept, f1, folds_by_site
from training.fitting import find_scaling, fit, weights_of
from training.lessons import add_lessons

Arrays = dict[str, NDArray[np.float32]]

FOLDS = 4
SEED = 0
# Which style each favour stands for, and how much better than even the odds of a row must be.
FAVOR_STYLES = {"article": "article", "precision": "l3s-gn1", "recall": "dragnet"}
FAVOR_THRESHOLDS = {"article": 0.0, "precision": 1.0, "recall": 0.0}
# An extraction with at least this F1 is right.
RIGHT = 0.8

# What the processes of a cross-validation share; they are forked, and so need no copy of it.
_shared: list[Example] = []


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """What networks that have not seen the site of a page make of it, for each favour.

    ``ends`` are the shares that the first favour keeps of the first and the last paragraph.
    """

    corpus: str
    id: str
    type: str | None
    f1: tuple[float, ...]
    ends: tuple[float, ...]
    signs: NDArray[np.float64]

    @property
    def is_right(self) -> bool:
        """Whether the page is an article and its text is right."""
        return self.type not in NOT_ARTICLES and self.f1[0] >= RIGHT


def fit_all(examples: Sequence[Example], *, taught: bool = True) -> Arrays:
    """Fit a network to examples, with lessons or without."""
    # More threads would add up numbers in another order.
    torch.set_num_threads(1)
    scaling = find_scaling(examples)
    learnt = add_lessons(examples, seed=SEED + 1) if taught else examples
    net = fit(learnt, scaling, seed=SEED + 1)
    arrays = weights_of(net, scaling, styles=[FAVOR_STYLES[favor] for favor in FAVORS])
    shift = [FAVOR_THRESHOLDS[favor] for favor in FAVORS]
    arrays["threshold"] += np.array(shift, np.float32)
    return arrays


def cross_validate(examples: Sequence[Example], *, jobs: int) -> tuple[list[Judged], Arrays]:
    """Judge each page by networks that were fitted without its site; fit one to all pages, too."""
    _shared[:] = examples
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
        fits = processes.map(_fit_without, range(FOLDS + 1))
        done = list(progress(fits, total=FOLDS + 1, name="fits"))
    judged = {place: page for _, pages in done for place, page in pages.items()}
    return [judged[place] for place in range(len(examples))], done[-1][0]


def _fit_without(fold: int) -> tuple[Arrays, dict[int, Judged]]:
    """Fit to all pages but those of a fold, and judge these; behind the last fold are none."""
    folds = folds_by_site(_shared, FOLDS, seed=SEED)
    arrays = fit_all([_shared[place] for place in np.flatnonzero(folds != fold).tolist()])
    network = Network(**arrays, certainty=np.zeros(0, np.float32))
    held_out = np.flatnonzero(folds == fold).tolist()
    return arrays, {place: judge_page(_shared[place], network) for place in held_out}


def judge_page(example: Example, network: Network) -> Judged:
    """Extract a page with each favour."""
    features = example.features
    scores = [row_scores(features, network, favor) for favor in range(len(FAVORS))]
    kept = [group(features, score) for score in scores]
    return Judged(
        corpus=example.corpus,
        id=example.id,
        type=example.type,
        f1=tuple(f1(example, keep) for keep in kept),
        ends=ends_kept(example, kept[0]),
        signs=article_signs(features, probability(scores[0]), kept[0]),
    )
