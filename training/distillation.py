"""Distillation: teacher networks, which have not seen the site of a page, predict its rows.

Gold texts have errors, and rows that nobody can predict. A network that was fitted to a page
repeats them. A network that has not seen it shows where they are, so the shipped network is fitted
to both: the gold text and the teachers' predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from training.examples import Example, folds_by_site
from training.fitting import ARTICLE, STYLES, find_scaling, fit, predict
from training.progress import report

# In each round, sites are dealt into new folds, and each fold gets a teacher that is fitted to the
# others. Predictions are averaged over the rounds.
FOLDS, ROUNDS = 4, 2
# Teachers are larger than the network that learns from them.
HIDDEN_UNITS, CHANNELS = 96, 40


def add_teacher_predictions(
    examples: Sequence[Example], *, seed: int, name: str = "fit"
) -> list[Example]:
    """Add the probability of each row as article content, and in the style of its corpus."""
    predictions = [np.zeros((2, len(example.words)), np.float32) for example in examples]
    for round_ in range(ROUNDS):
        round_seed = seed + round_
        folds = folds_by_site(list(examples), FOLDS, seed=round_seed)
        for fold in range(FOLDS):
            learnt = [examples[index] for index in np.flatnonzero(folds != fold).tolist()]
            scaling = find_scaling(learnt)
            teacher = fit(
                learnt,
                scaling,
                seed=10 * round_seed + fold,
                hidden_units=HIDDEN_UNITS,
                channels=CHANNELS,
            )
            for index in np.flatnonzero(folds == fold).tolist():
                example = examples[index]
                for line, style in enumerate((ARTICLE, STYLES.index(example.corpus))):
                    predicted = predict(teacher, scaling, example, style)
                    predictions[index][line] += predicted / ROUNDS
            report(f"{name}: teacher {round_ * FOLDS + fold + 1} of {ROUNDS * FOLDS}")
    return [
        replace(example, teacher=teacher)
        for example, teacher in zip(examples, predictions, strict=True)
    ]
