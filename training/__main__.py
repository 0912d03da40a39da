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
from training.folds import FOLDS, SEED, network_path, write_folds
from training.results import result_table
from training.validation import cross_validate, fit_all

PACKAGE = Path(__file__).parents[1] / "scrapy_cetr" / "extraction" / "methods" / "learned"


def write_network(path: Path, network: Network) -> None:
    """Write a file of weights."""
    with path.open("wb") as file:
        save_network(file, network)


def main() -> None:
    """Train, cross-validate and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="do not cross-validate; the figures are those of the teachers",
    )
    parser.add_argument("--output", type=Path, default=PACKAGE / WEIGHTS, help="weights file")
    parser.add_argument(
        "--folds", type=Path, help="folder for the weights of the folds, for training.held_out"
    )
    parser.add_argument("--diagram", type=Path, help="write a reliability diagram, as SVG")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs, limit=arguments.limit)
    train = fit_all if arguments.quick else cross_validate
    results, fits = train(examples, jobs=arguments.jobs)
    features = np.array([result.calibration_features for result in results])
    is_right = np.array([result.is_right for result in results])
    # The weights first, whatever happens to the tables.
    calibration = fit_calibration(features, is_right)
    *of_folds, of_all = [Network(**arrays, calibration_weights=calibration) for arrays in fits]
    write_network(arguments.output, of_all)
    if arguments.folds:
        arguments.folds.mkdir(parents=True, exist_ok=True)
        write_folds(arguments.folds, examples)
        for fold, network in enumerate(of_folds):
            write_network(network_path(arguments.folds, fold), network)
    sys.stdout.write(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes\n")
    sys.stdout.write(result_table(results) + "\n")
    if arguments.diagram:
        folds = folds_by_site(examples, FOLDS, seed=SEED + 1)
        diagram = reliability_diagram(features, is_right, folds)
        arguments.diagram.write_text(diagram, encoding="utf-8")


if __name__ == "__main__":
    main()
