"""Compute the curvature that tuning needs, of the shipped weights over the pages they learned from.

It has to be repeated whenever the weights are trained again: tuning would lose more of what they
know without it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from scrapy_cetr.extraction.methods.learned.calibration import sigmoid
from scrapy_cetr.extraction.methods.learned.weights import Network, shipped_network
from scrapy_cetr.extraction.tuning.curvature import CURVATURE, flat, save_curvature
from scrapy_cetr.extraction.tuning.fitting import ARTICLE, row_weights
from scrapy_cetr.extraction.tuning.gradients import MAX_ROWS, Array, Pass, project, style_of
from training.examples import Example, read_examples

PACKAGE = Path(__file__).parents[1] / "scrapy_cetr" / "extraction" / "tuning"
# The random combinations of rows per page. A gradient for each row would take far longer.
_DRAWS = 4


def curvature_of(examples: Iterable[Example], network: Network) -> Array:
    """Return the mean over pages of the Gauss-Newton matrix of the cross-entropy of their rows."""
    style = style_of(network, ARTICLE)
    random = np.random.default_rng(0)
    matrix = np.zeros((flat(style).size,) * 2)
    pages = 0
    for example in examples:
        words = example.words[:MAX_ROWS].astype(float)
        if not len(words):
            continue
        done = Pass(project(example.features, network), network, style)
        probability = sigmoid(done.scores)
        roots = np.sqrt(row_weights(words) * probability * (1 - probability))
        for _ in range(_DRAWS):
            # With random signs, the products of different rows cancel out on average.
            gradient = flat(done.gradient(roots * random.choice([-1.0, 1.0], len(roots))))
            matrix += np.outer(gradient, gradient) / _DRAWS
        pages += 1
    return matrix / max(pages, 1)


def main() -> None:
    """Compute and write the matrix."""
    parser = argparse.ArgumentParser(prog="python -m training.curvature", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")
    parser.add_argument("--output", type=Path, default=PACKAGE / CURVATURE, help="the file")
    arguments = parser.parse_args()
    network = shipped_network()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs, limit=arguments.limit)
    matrix = curvature_of(examples, network)
    with arguments.output.open("wb") as file:
        save_curvature(file, network, matrix)
    sys.stdout.write(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
