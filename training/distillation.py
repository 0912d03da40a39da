"""Distillation: teacher networks, which have not seen the site of a page, predict its rows.

Gold texts have errors, and rows that nobody can predict. A network that was fitted to a page
repeats them. A network that has not seen it shows where they are, so the shipped network is fitted
to both: the gold text and the teachers' predictions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import torch

from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from training.examples import Example, folds_by_site
from training.fitting import fit
from training.progress import report
from training.styles import ARTICLE, FAVOR_STYLES

# In each round, sites are dealt into new folds, and each fold gets a teacher that is fitted to the
# others. Predictions are averaged over the rounds.
FOLDS, ROUNDS = 4, 2
# Teachers are larger than the network that learns from them. They are fitted for a shorter time:
# longer ones are surer of their errors.
HIDDEN_UNITS, CHANNELS, EPOCHS = 96, 40, 12


# The examples; the processes of teachers are forked, so they need no copy.
_shared: list[Example] = []


def add_teacher_predictions(
    examples: Sequence[Example], *, seed: int, name: str = "fit", jobs: int = 1
) -> list[Example]:
    """Add the probability of each row in three styles: articles, its corpus, and recall."""
    _shared[:] = examples
    numbers = range(ROUNDS * FOLDS)
    predictions = [np.zeros((3, len(example.words)), np.float32) for example in examples]

    def add(taught: Iterable[dict[int, Matrix]]) -> None:
        for number, predicted in enumerate(taught, start=1):
            for index, probabilities in predicted.items():
                predictions[index] += probabilities / ROUNDS
            report(f"{name}: teacher {number} of {len(numbers)}")

    if jobs == 1:
        add(map(_teach, numbers, [seed] * len(numbers)))
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
            add(processes.map(_teach, numbers, [seed] * len(numbers)))
    return [
        replace(example, teacher=teacher)
        for example, teacher in zip(examples, predictions, strict=True)
    ]


def _teach(number: int, seed: int) -> dict[int, Matrix]:
    """Fit a teacher without a fold of sites, and return what it predicts for the pages of these."""
    # With more threads, numbers would be added in another order.
    torch.set_num_threads(1)
    round_, fold = divmod(number, FOLDS)
    folds = folds_by_site(_shared, FOLDS, seed=seed + round_)
    learnt = [_shared[index] for index in np.flatnonzero(folds != fold).tolist()]
    teacher = fit(
        learnt,
        seed=10 * (seed + round_) + fold,
        hidden_units=HIDDEN_UNITS,
        channels=CHANNELS,
        epochs=EPOCHS,
    )
    recall = FAVOR_STYLES["recall"]
    predictions = {}
    for index in np.flatnonzero(folds == fold).tolist():
        styles = (ARTICLE, _shared[index].corpus, recall)
        # A teacher that has seen no page of the corpus knows articles only.
        known = [style if style in teacher.styles else ARTICLE for style in styles]
        predictions[index] = np.array([teacher.predict(_shared[index], name) for name in known])
    return predictions
