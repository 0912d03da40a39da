"""Boosted trees instead of a network, and both together, on sites that neither has seen.

The network is fitted without teachers here. What came out is in docs/learned.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.progress import progress
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.features import NAMES
from scrapy_cetr.extraction.methods.learned import Network, group, row_scores
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
ROUNDS, LEAVES, RATE = 200, 31, 0.1
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
    """Fit trees to rows, of which most words are content or not."""
    rows, right, weights = [], [], []
    for example in examples:
        if example.words.any():
            rows.append(inputs(example))
            right.append(example.matched * 2 > example.words)
            share = np.sqrt(np.maximum(example.words, 1))
            weights.append(share / share.sum() * ARTICLE_WEIGHT.get(example.corpus, 1.0))
    trees = HistGradientBoostingClassifier(
        max_iter=ROUNDS, max_leaf_nodes=LEAVES, learning_rate=RATE, random_state=SEED
    )
    weight = np.concatenate(weights)
    return trees.fit(
        np.concatenate(rows), np.concatenate(right), sample_weight=weight / weight.mean()
    )


def log_odds(trees: Any, example: Example) -> Floats:
    """Say what trees make of the rows of a page."""
    if not len(example.words):
        return np.zeros(0)
    scores: Floats = trees.decision_function(inputs(example))
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
    parser.add_argument("--folds", type=int, default=FOLDS, help="only so many, as it takes long")
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
