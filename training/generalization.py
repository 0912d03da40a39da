"""Measure how the network generalises: to corpora it has not seen, and with more sites to learn.

The networks are fitted without distillation. The results are in docs/explanation/learned.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from training.conventions import conventions_of
from training.examples import Example, read_examples
from training.folds import FOLDS, SEED
from training.progress import progress
from training.results import by_corpus, mean_cells
from training.splits import Split, folds_of_sites, learning_curve, leave_one_corpus_out
from training.validation import extract_page, fit_network, uncalibrated

Scores = dict[int, float]

# The examples; processes are forked, so they need no copy.
_shared: list[Example] = []


def run(split: Split) -> Scores:
    """Fit to some pages, and return the F1 of the others, with the parts of their corpus."""
    conventions = conventions_of(_shared)
    network = uncalibrated(fit_network([_shared[i] for i in split.learnt], distil=False))
    return {
        index: extract_page(_shared[index], network, conventions[_shared[index].corpus]).parts_f1
        for index in split.tested
    }


def run_all(examples: Sequence[Example], splits: Sequence[Split], *, jobs: int) -> list[Scores]:
    """Run splits in processes, with progress."""
    _shared[:] = examples
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
        return list(progress(processes.map(run, splits), total=len(splits), name="fits"))


def table(examples: Sequence[Example], columns: dict[str, Scores]) -> str:
    """Format a Markdown table of the mean F1 of each corpus, and of the mean over the corpora."""
    lines = [f"| corpus | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    for name, indices in by_corpus(examples):
        cells = [
            mean_cells([(scores[index],) for index in indices if index in scores], 1)[0]
            for scores in columns.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Fit, and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m training.generalization", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs, limit=arguments.limit)
    folds = folds_of_sites(examples, FOLDS, seed=SEED)
    unseen = leave_one_corpus_out(examples)
    curve = learning_curve(examples, folds=FOLDS, seed=SEED)
    scores = run_all(examples, [*folds, *unseen, *curve], jobs=arguments.jobs)
    columns = {
        "sites not seen": _joined(scores[: len(folds)]),
        "corpus not seen": _joined(scores[len(folds) : len(folds) + len(unseen)]),
    }
    sys.stdout.write(table(examples, columns) + "\n\n")
    points = zip(curve, scores[len(folds) + len(unseen) :], strict=True)
    sys.stdout.write(table(examples, {split.name: found for split, found in points}) + "\n")


def _joined(parts: Sequence[Scores]) -> Scores:
    return {index: score for part in parts for index, score in part.items()}


if __name__ == "__main__":
    main()
