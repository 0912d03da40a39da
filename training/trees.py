"""Compare boosted trees, the network, and both together, on sites not seen.

The network is fitted without distillation here. The results are in
docs/explanation/learned.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.learned.features import NAMES
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from training.conventions import ignored_rows, in_comments
from training.examples import Example, f1, folds_by_site, read_examples
from training.folds import FOLDS, SEED
from training.progress import progress
from training.results import by_corpus, mean_cells
from training.styles import corpus_weights
from training.validation import fit_network, uncalibrated

# A tree also gets some features of the rows at these distances.
NEIGHBORS = (-2, -1, 1, 2)
NEIGHBOR_FEATURES = (
    *(
        "chars",
        "link share",
        "marks",
        "ratio",
        "row of p",
        "row of h2",
        "row of li",
        "rows of kind",
    ),
    *("ends in a stop", "text of container 0", "long text of container 1", "in best"),
)
ROUNDS = 200
PARAMETERS = {
    "objective": "cross_entropy",
    "num_leaves": 31,
    "min_data_in_leaf": 60,
    "learning_rate": 0.08,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "deterministic": True,
    "seed": SEED,
    "verbose": -1,
}
CONTENDERS = ("network", "trees", "both")


def inputs(example: Example) -> NDArray[np.float32]:
    """Return rows × inputs: the features of each row, of the page and of its neighbours."""
    of_rows, of_page = example.features.of_rows, example.features.of_page
    count = of_rows.shape[1]
    near = of_rows[[NAMES.index(name) for name in NEIGHBOR_FEATURES]]
    shifted = np.zeros((len(NEIGHBORS), len(near), count), np.float32)
    for index, distance in enumerate(NEIGHBORS):
        here = slice(max(-distance, 0), min(count - distance, count))
        there = slice(max(distance, 0), min(count + distance, count))
        shifted[index, :, here] = near[:, there]
    of_all = np.repeat(of_page[:, None], count, axis=1)
    return np.concatenate((of_rows, of_all, *shifted)).T


def fit_trees(examples: Sequence[Example]) -> Any:
    """Fit trees to the share of each row's words that are in the gold text."""
    rows, shares, weights = [], [], []
    of_corpora = corpus_weights(examples)
    for example in examples:
        if example.words.any():
            words = np.maximum(example.words, 1)
            learnt = ~ignored_rows(example)
            rows.append(inputs(example)[learnt])
            shares.append((example.matched * ~in_comments(example) / words)[learnt])
            weight = words / words.sum() + np.sqrt(words) / np.sqrt(words).sum()
            weights.append((weight * of_corpora[example.corpus])[learnt])
    weight = np.concatenate(weights)
    data = lightgbm.Dataset(
        np.concatenate(rows), np.concatenate(shares), weight=weight / weight.mean()
    )
    return lightgbm.train(PARAMETERS, data, ROUNDS)


def log_odds(trees: Any, example: Example) -> Floats:
    """Compute the log-odds of each row by the trees."""
    if not len(example.words):
        return np.zeros(0)
    scores: Floats = trees.predict(inputs(example), raw_score=True)
    return scores


def compare(examples: Sequence[Example], *, count: int) -> dict[int, tuple[float, ...]]:
    """Return the F1 of each contender for the pages of the first ``count`` folds, by index."""
    folds, found = folds_by_site(list(examples), FOLDS, seed=SEED), {}
    for fold in progress(range(count), total=count, name="folds"):
        learnt = [examples[index] for index in np.flatnonzero(folds != fold).tolist()]
        trees = fit_trees(learnt)
        network = uncalibrated(fit_network(learnt, distil=False))
        for index in np.flatnonzero(folds == fold).tolist():
            example = examples[index]
            one, other = row_scores(example.features, network, 0), log_odds(trees, example)
            contenders = (one, other, (one + other) / 2)
            kept = [select_rows(example.features, scores) for scores in contenders]
            found[index] = tuple(f1(example, keep) for keep in kept)
    return found


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m training.trees", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--folds", type=int, default=FOLDS, help="use only the first folds")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs)
    found = compare(examples, count=arguments.folds)
    lines = [f"| corpus | pages | {' | '.join(CONTENDERS)} |", "|---|" + "---:|" * 4]
    for name, indices in by_corpus(examples):
        scores = [found[index] for index in indices if index in found]
        cells = " | ".join(mean_cells(scores, len(CONTENDERS)))
        lines.append(f"| {name} | {len(scores)} | {cells} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
