"""Measure the tuning to own pages: a curve over their number, against a full training.

The ten sites of a corpus with the most pages are held out, and a fold of the sites of all corpora.
A network that has seen none of them is tuned with some pages of the ten sites, and tested on the
rest of them, and on the fold, on which it may lose. The full training has the same own pages in
addition, as a corpus with a style of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.methods.learned.calibration import CALIBRATION_NAMES
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import Network
from scrapy_cetr.extraction.tuning.fitting import Sample, known_sample, tune
from scrapy_cetr.extraction.tuning.fitting import gold_sample as sample_of
from scrapy_cetr.extraction.tuning.gold import GoldPage, bundled_pages
from training.conventions import compose, conventions_of
from training.curvature import curvature_of
from training.examples import Example, f1, folds_by_site, read_examples
from training.fitting import Arrays, fit, network_arrays
from training.folds import FOLDS, SEED
from training.validation import fit_network

SITES, SIZES = 10, (5, 10, 20, 40)
# The most pages of a site, so that no site decides on the figures.
MOST_PAGES = 20
OWN, FOLD = "own", 0


def choose_sites(examples: Sequence[Example], corpus: str) -> list[str]:
    """Return the sites of a corpus with the most pages."""
    counts = Counter(example.site for example in examples if example.corpus == corpus)
    return [site for site, _ in counts.most_common(SITES)]


def deal(pages: Sequence[Example]) -> list[Example]:
    """Order pages so that the first of them are of as many sites as possible."""
    by_site: dict[str, list[Example]] = defaultdict(list)
    for page in pages:
        by_site[page.site].append(page)
    rounds = [
        (number, site, page) for site, of in by_site.items() for number, page in enumerate(of)
    ]
    ordered = sorted(rounds, key=lambda entry: entry[:2])
    return [page for number, _, page in ordered if number < MOST_PAGES]


def without_calibration(arrays: Arrays) -> Network:
    """Make a network whose probabilities of articles mean nothing."""
    calibration = np.zeros(len(CALIBRATION_NAMES) + 1, np.float32)
    return Network(**arrays, calibration_weights=calibration)


def fit_full(others: Sequence[Example], own: Sequence[Example]) -> Network:
    """Fit a network whose favour for articles has the style of the own pages."""
    torch.set_num_threads(1)
    styled = [replace(example, corpus=OWN) for example in own]
    return without_calibration(network_arrays(fit([*others, *styled], seed=SEED + 1), article=OWN))


def as_gold(example: Example) -> GoldPage:
    """Make a gold page of an example."""
    words = example.words.astype(float)
    return GoldPage(
        name=example.id,
        site=example.site,
        features=example.features,
        of_rows=(),
        words=words,
        matched=example.matched.astype(float),
        gold=Counter({"": int(example.gold.sum())}),
    )


def mean_f1(examples: Sequence[Example], network: Network) -> float:
    """Return the mean F1 of all rows that a network keeps."""
    return float(np.mean([f1(example, _keep(example, network)) for example in examples]))


def _keep(example: Example, network: Network) -> Bools:
    return select_rows(example.features, row_scores(example.features, network, 0))


def f1_of_corpora(examples: Sequence[Example], network: Network) -> dict[str, float]:
    """Return the mean F1 of each corpus, with the parts of its convention."""
    conventions, found = conventions_of(examples), defaultdict(list)
    for example in examples:
        kept = compose(example, _keep(example, network), conventions[example.corpus])
        found[example.corpus].append(f1(example, kept))
    return {corpus: float(np.mean(values)) for corpus, values in sorted(found.items())}


def main() -> None:
    """Fit, tune, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m training.tuning", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--own", type=Path, required=True, help="the corpus of the ten sites")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--limit", type=int, help="use only the first pages of the other corpora")
    arguments = parser.parse_args()
    corpora = [path for path in arguments.corpora if path.name != arguments.own.name]
    examples = read_examples([arguments.own], jobs=arguments.jobs)
    sites = choose_sites(examples, arguments.own.name.partition(".")[0])
    own = deal([one for one in examples if one.site in sites])
    examples += read_examples(corpora, jobs=arguments.jobs, limit=arguments.limit)
    examples = [one for one in examples if one.site not in sites]
    is_inside = folds_by_site(examples, FOLDS, seed=SEED) == FOLD
    others = [one for one, inside in zip(examples, is_inside, strict=True) if inside]
    trained = [one for one, inside in zip(examples, is_inside, strict=True) if not inside]
    learnt, tested = own[: max(SIZES)], own[max(SIZES) :]
    base = without_calibration(fit_network(trained, distil=False))
    curvature = curvature_of(trained, base)
    sys.stdout.write(
        f"{len(trained)} pages trained, {len(tested)} tested, {len(others)} of other sites\n\n"
    )
    known = [known_sample(page, base) for page in bundled_pages()]
    samples: list[Sample] = [sample_of(as_gold(example), base) for example in learnt]
    networks = {
        f"tuned on {size} pages": tune(base, samples[:size], known, curvature=curvature)
        for size in SIZES
    }
    networks["full training"] = fit_full(trained, learnt)
    write_table(base, networks, tested, others)


def write_table(
    base: Network,
    networks: Mapping[str, Network],
    tested: Sequence[Example],
    others: Sequence[Example],
) -> None:
    """Print the F1 of the own sites, and how much pages of other sites gain or lose."""
    before, own = f1_of_corpora(others, base), mean_f1(tested, base)
    pages = Counter(example.corpus for example in others)
    sys.stdout.write(
        "| weights | F1 | gain | other sites, mean of pages | mean of corpora | worst corpus |\n"
        "|---|---:|---:|---:|---:|---|\n"
        f"| without own pages | {own:.4f} | | | | |\n"
    )
    for name, network in networks.items():
        found, after = mean_f1(tested, network), f1_of_corpora(others, network)
        changes = {corpus: after[corpus] - before[corpus] for corpus in before}
        worst = min(changes, key=lambda corpus: changes[corpus])
        of_pages = sum(changes[corpus] * pages[corpus] for corpus in changes) / len(others)
        sys.stdout.write(
            f"| {name} | {found:.4f} | {found - own:+.4f} | {of_pages:+.4f} |"
            f" {np.mean([*changes.values()]):+.4f} |"
            f" {changes[worst]:+.4f} ({worst}, {pages[worst]} pages) |\n"
        )


if __name__ == "__main__":
    main()
