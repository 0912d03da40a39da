"""Cross-validation: each page is extracted by networks that have not seen its site."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_cetr.extraction.methods.learned.calibration import calibration_features, sigmoid
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import Network
from scrapy_cetr.extraction.options import FAVORS
from training.distillation import add_teacher_predictions
from training.examples import Example, ends_kept, f1, folds_by_site
from training.fitting import find_scaling, fit, network_arrays
from training.progress import progress
from training.results import Result

Arrays = dict[str, NDArray[np.float32]]

FOLDS = 4
SEED = 0
# The annotation style that each favour stands for, and its threshold on the log-odds of a row.
FAVOR_STYLES = {"article": "article", "precision": "l3s-gn1", "recall": "dragnet"}
FAVOR_THRESHOLDS = {"article": 0.0, "precision": 1.0, "recall": 0.0}

# The examples of a cross-validation. Its processes are forked, so they need no copy.
_shared: list[Example] = []


def fit_network(examples: Sequence[Example], *, distil: bool = True, name: str = "fit") -> Arrays:
    """Fit a network to examples, with teacher predictions or without.

    Returns all fields of Network but the calibration weights.
    """
    # With more threads, numbers would be added in another order.
    torch.set_num_threads(1)
    scaling = find_scaling(examples)
    if distil:
        examples = add_teacher_predictions(examples, seed=SEED + 1, name=name)
    net = fit(examples, scaling, seed=SEED + 1)
    arrays = network_arrays(net, scaling, styles=[FAVOR_STYLES[favor] for favor in FAVORS])
    thresholds = [FAVOR_THRESHOLDS[favor] for favor in FAVORS]
    arrays["threshold"] += np.array(thresholds, np.float32)
    return arrays


def cross_validate(examples: Sequence[Example], *, jobs: int) -> tuple[list[Result], Arrays]:
    """Extract each page by a network fitted without its site, and fit one to all pages."""
    _shared[:] = examples
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
        fits = processes.map(_fit_without, range(FOLDS + 1))
        done = list(progress(fits, total=FOLDS + 1, name="fits"))
    results = {index: result for _, fold in done for index, result in fold.items()}
    return [results[index] for index in range(len(examples))], done[-1][0]


def _fit_without(fold: int) -> tuple[Arrays, dict[int, Result]]:
    """Fit to all pages but those of a fold, and extract these. Fold number FOLDS is empty."""
    folds = folds_by_site(_shared, FOLDS, seed=SEED)
    learnt = [_shared[index] for index in np.flatnonzero(folds != fold).tolist()]
    arrays = fit_network(learnt, name=f"fit {fold + 1} of {FOLDS + 1}")
    network = uncalibrated(arrays)
    held_out = np.flatnonzero(folds == fold).tolist()
    return arrays, {index: extract_page(_shared[index], network) for index in held_out}


def uncalibrated(arrays: Arrays) -> Network:
    """Make a network without calibration weights."""
    return Network(**arrays, calibration_weights=np.zeros(0, np.float32))


def extract_page(example: Example, network: Network) -> Result:
    """Extract a page with each favour, and compare it with the gold text."""
    features = example.features
    scores = [row_scores(features, network, favor) for favor in range(len(FAVORS))]
    kept = [select_rows(features, score) for score in scores]
    return Result(
        corpus=example.corpus,
        id=example.id,
        type=example.type,
        f1=tuple(f1(example, keep) for keep in kept),
        ends_kept=ends_kept(example, kept[0]),
        calibration_features=calibration_features(features, sigmoid(scores[0]), kept[0]),
    )
