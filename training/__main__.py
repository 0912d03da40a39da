"""Train the weights of the learned method, and cross-validate them on sites not seen."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

from scrapy_cetr.extraction.methods.learned.weights import WEIGHTS, Network, save_network
from training.calibration import fit_calibration, reliability_diagram
from training.examples import folds_by_site, read_examples
from training.results import result_table
from training.validation import FOLDS, SEED, cross_validate

PACKAGE = Path(__file__).parents[1] / "scrapy_cetr" / "extraction" / "methods" / "learned"


def main() -> None:
    """Train, cross-validate and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", type=Path, default=PACKAGE / WEIGHTS, help="weights file")
    parser.add_argument("--diagram", type=Path, help="write a reliability diagram, as SVG")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs)
    results, arrays = cross_validate(examples, jobs=arguments.jobs)
    sys.stdout.write(result_table(results) + "\n")
    features = np.array([result.calibration_features for result in results])
    is_right = np.array([result.is_right for result in results])
    if arguments.diagram:
        folds = folds_by_site(examples, FOLDS, seed=SEED + 1)
        diagram = reliability_diagram(features, is_right, folds)
        arguments.diagram.write_text(diagram, encoding="utf-8")
    network = Network(**arrays, calibration_weights=fit_calibration(features, is_right))
    with arguments.output.open("wb") as file:
        save_network(file, network)
    sys.stdout.write(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
