"""Networks that have not seen some sites: one plain fit per fold of sites, stored as .npz files.

Measurements of what comes after the network, such as the memory of a crawl or the tuning to own
pages, use them on the sites that they have not seen.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from scrapy_cetr.extraction.methods.learned.calibration import CALIBRATION_NAMES
from scrapy_cetr.extraction.methods.learned.weights import Network, save_network
from training.examples import Example, read_examples
from training.folds import FOLDS, fold_of_sites, network_path, write_folds
from training.progress import progress
from training.validation import fit_network

# The examples; processes are forked, so they need no copy.
_shared: list[Example] = []


def _fit(task: tuple[Path, int]) -> Path:
    folder, fold = task
    folds = fold_of_sites(_shared)
    learnt = [example for example in _shared if folds[example.site] != fold]
    arrays = fit_network(learnt, distil=False, name=f"fold {fold}")
    # Without evidence, every page is as likely an article as not.
    calibration = np.zeros(len(CALIBRATION_NAMES) + 1, np.float32)
    network = Network(**arrays, calibration_weights=calibration)
    path = network_path(folder, fold)
    with path.open("wb") as file:
        save_network(file, network)
    return path


def fit_folds(examples: Sequence[Example], folder: Path, *, jobs: int) -> None:
    """Fit and store the network of each fold."""
    folder.mkdir(parents=True, exist_ok=True)
    _shared[:] = examples
    tasks = [(folder, fold) for fold in range(FOLDS)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as processes:
        list(progress(processes.map(_fit, tasks), total=FOLDS, name="fits"))


def main() -> None:
    """Fit the networks, and write the fold of each site beside them."""
    parser = argparse.ArgumentParser(prog="python -m training.fold_networks", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of each corpus")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs, limit=arguments.limit)
    fit_folds(examples, arguments.output, jobs=arguments.jobs)
    write_folds(arguments.output, examples)
    sizes = np.bincount([*fold_of_sites(examples).values()])
    sys.stdout.write(f"sites per fold: {', '.join(map(str, sizes.tolist()))}\n")


if __name__ == "__main__":
    main()
