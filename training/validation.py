"""Cross-validation: each page is extracted by networks that have not seen its site."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import torch

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.learned.calibration import calibration_features, sigmoid
from scrapy_cetr.extraction.methods.learned.method import regard_declared, row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import Network
from scrapy_cetr.extraction.options import FAVORS
from training.conventions import compose, conventions_of
from training.distillation import add_teacher_predictions
from training.examples import Example, ends_kept, f1, folds_by_site
from training.fitting import Arrays, fit, network_arrays
from training.folds import FOLDS, SEED
from training.progress import progress
from training.results import Result
from training.styles import FAVOR_THRESHOLDS

# The examples of a cross-validation. Its processes are forked, so they need no copy.
_shared: list[Example] = []


def fit_network(examples: Sequence[Example], *, distil: bool = True, name: str = "fit") -> Arrays:
    """Fit a network to examples, with teacher predictions or without.

    Returns all fields of Network but the calibration weights.
    """
    # With more threads, numbers would be added in another order.
    torch.set_num_threads(1)
    if distil:
        examples = add_teacher_predictions(examples, seed=SEED + 1, name=name)
    return network_arrays(fit(examples, seed=SEED + 1))


def fit_all(examples: Sequence[Example], *, jobs: int) -> tuple[list[Result], list[Arrays]]:
    """Fit to all pages, and extract each by its teachers, which have not seen its site.

    The fit is the only one of the list.
    """
    taught = add_teacher_predictions(examples, seed=SEED + 1, jobs=jobs)
    torch.set_num_threads(1)
    conventions = conventions_of(examples)
    results = [extract_as_taught(example, conventions[example.corpus]) for example in taught]
    return results, [network_arrays(fit(taught, seed=SEED + 1))]


def cross_validate(examples: Sequence[Example], *, jobs: int) -> tuple[list[Result], list[Arrays]]:
    """Extract each page by a network fitted without its site, and fit one to all pages.

    Returns the fits of the folds, and after them that to all pages.
    """
    _shared[:] = examples
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
        fits = processes.map(_fit_without, range(FOLDS + 1))
        done = list(progress(fits, total=FOLDS + 1, name="fits"))
    results = {index: result for _, fold in done for index, result in fold.items()}
    return [results[index] for index in range(len(examples))], [arrays for arrays, _ in done]


def _fit_without(fold: int) -> tuple[Arrays, dict[int, Result]]:
    """Fit to all pages but those of a fold, and extract these. Fold number FOLDS is empty."""
    folds = folds_by_site(_shared, FOLDS, seed=SEED)
    learnt = [_shared[index] for index in np.flatnonzero(folds != fold).tolist()]
    arrays = fit_network(learnt, name=f"fit {fold + 1} of {FOLDS + 1}")
    network, conventions = uncalibrated(arrays), conventions_of(_shared)
    held_out = np.flatnonzero(folds == fold).tolist()
    return arrays, {
        index: extract_page(_shared[index], network, conventions[_shared[index].corpus])
        for index in held_out
    }


def uncalibrated(arrays: Arrays) -> Network:
    """Make a network without calibration weights."""
    return Network(**arrays, calibration_weights=np.zeros(0, np.float32))


def extract_page(example: Example, network: Network, convention: frozenset[int]) -> Result:
    """Extract a page with each favour, and compare it with the gold text."""
    favors = range(len(FAVORS))
    scores = [row_scores(example.features, network, favor) for favor in favors]
    return judge(example, scores, convention)


def extract_as_taught(example: Example, convention: frozenset[int]) -> Result:
    """Extract a page by the predictions of its teachers, and compare it with the gold text."""
    if example.teacher is None:
        raise ValueError(f"page {example.id} has no predictions; add_teacher_predictions() first")
    article, _, recall = example.teacher.astype(np.float64).clip(1e-6, 1 - 1e-6)
    scores = []
    for favor, name in enumerate(FAVORS):
        odds = recall if name == "recall" else article
        log_odds = np.log(odds / (1 - odds)) - FAVOR_THRESHOLDS[name]
        scores.append(regard_declared(example.features, log_odds, favor))
    return judge(example, scores, convention)


def judge(example: Example, scores: Sequence[Floats], convention: frozenset[int]) -> Result:
    """Compare the rows that are kept by the scores of each favour with the gold text."""
    kept = [select_rows(example.features, score) for score in scores]
    return Result(
        corpus=example.corpus,
        id=example.id,
        type=example.type,
        f1=tuple(f1(example, keep) for keep in kept),
        parts_f1=f1(example, compose(example, kept[0], convention)),
        ends_kept=ends_kept(example, kept[0]),
        calibration_features=calibration_features(example.features, sigmoid(scores[0]), kept[0]),
    )
