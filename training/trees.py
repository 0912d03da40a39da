"""Boosted trees instead of a network, and both together, on sites that neither has seen.

The network is fitted without lessons here. What came out is in docs/explanation/learned.md.
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

from benchmarks.progress import progress
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.learned.features import NAMES
from scrapy_cetr.extraction.methods.learned.network import Network, row_scores
from scrapy_cetr.extraction.methods.learned.selection import group
from training.__main__ import parts_of, read_examples
from training.examples import Example, f1, folds_by_site
from training.fitting import ARTICLE_WEIGHT
from training.validation import FOLDS, SEED, fit_all

# Of the rows so far before and behind, a tree sees these features too.
NEAR = (-2, -1, 1, 2)
OF_NEAR = (
    *(
        "chars",
        "linked",
        "marks",
        "ratio",
        "row of p",
        "row of h2",
        "row of li",
        "rows of its kind",
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
    """Put the features of the page and of the rows around each row beside its own."""
    of_rows, of_page = example.features.of_rows, example.features.of_page
    count = of_rows.shape[1]
    near = of_rows[[NAMES.index(name) for name in OF_NEAR]]
    shifted = np.zeros((len(NEAR), len(near), count), np.float32)
    for place, distance in enumerate(NEAR):
        here = slice(max(-distance, 0), min(count - distance, count))
        there = slice(max(distance, 0), min(count + distance, count))
        shifted[place, :, here] = near[:, there]
    of_all = np.repeat(of_page[:, None], count, axis=1)
    return np.concatenate((of_rows, of_all, *shifted)).T


def fit_trees(examples: Sequence[Example]) -> Any:
    """Fit trees to the share of each row's words that are content."""
    rows, shares, weights = [], [], []
    for example in examples:
        if example.words.any():
            words = np.maximum(example.words, 1)
            rows.append(inputs(example))
            shares.append(example.matched / words)
            weight = words / words.sum() + np.sqrt(words) / np.sqrt(words).sum()
            weights.append(weight * ARTICLE_WEIGHT.get(example.corpus, 1.0))
    weight = np.concatenate(weights)
    data = lightgbm.Dataset(
        np.concatenate(rows), np.concatenate(shares), weight=weight / weight.mean()
    )
    return lightgbm.train(PARAMETERS, data, ROUNDS)


def log_odds(trees: Any, example: Example) -> Floats:
    """Say what trees make of the rows of a page."""
    if not len(example.words):
        return np.zeros(0)
    scores: Floats = trees.predict(inputs(example), raw_score=True)
    return scores


def compare(examples: Sequence[Example], *, count: int) -> dict[int, tuple[float, ...]]:
    """Give the F1 of the network, of trees and of both for each page of so many folds."""
    folds, found = folds_by_site(list(examples), FOLDS, seed=SEED), {}
    for fold in progress(range(count), total=count, name="folds"):
        learnt = [examples[place] for place in np.flatnonzero(folds != fold).tolist()]
        trees = fit_trees(learnt)
        network = Network(**fit_all(learnt, taught=False), certainty=np.zeros(0, np.float32))
        for place in np.flatnonzero(folds == fold).tolist():
            example = examples[place]
            one, other = row_scores(example.features, network, 0), log_odds(trees, example)
            scores = (one, other, (one + other) / 2)
            found[place] = tuple(f1(example, group(example.features, each)) for each in scores)
    return found


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m training.trees", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--folds", type=int, default=FOLDS, help="only so many of them")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs)
    found = compare(examples, count=arguments.folds)
    lines = [f"| corpus | pages | {' | '.join(CONTENDERS)} |", "|---|" + "---:|" * 4]
    for name, all_places in parts_of(examples):
        places = [place for place in all_places if place in found]
        means = np.mean([found[place] for place in places], axis=0)
        figures = " | ".join(f"{mean:.4f}" for mean in means)
        lines.append(f"| {name} | {len(places)} | {figures} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
