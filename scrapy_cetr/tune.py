"""Adapt the shipped weights to own gold pages: ``python -m scrapy_cetr.tune gold.jsonl -o my.npz``.

Each line of the file is a JSON object with ``html``, ``text`` and, optionally, ``url``. The setting
``CETR_MODEL = "my.npz"`` then uses the weights.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrapy_cetr.extraction.methods.learned.weights import (
    Network,
    WeightsError,
    network_of,
    save_network,
)
from scrapy_cetr.extraction.tuning.fitting import (
    gold_sample,
    known_sample,
    mean_f1,
    page_f1,
    tune,
)
from scrapy_cetr.extraction.tuning.gold import GoldError, GoldPage, bundled_pages, read_gold

FOLDS = 4
# Fewer pages cannot be divided, and say little.
MIN_PAGES = 4
# If the bundled pages lose more than this, the weights have forgotten something.
_MAX_LOSS = 0.01


def cross_validate(pages: Sequence[GoldPage], network: Network) -> tuple[float, float]:
    """Return the mean F1 before and after, each page by weights that have not seen its site.

    If all pages are of one site, by weights that have not seen the page.
    """
    groups = [page.site for page in pages]
    if len(set(groups)) < FOLDS:
        groups = [f"{number}" for number in range(len(pages))]
    names = sorted(set(groups))
    dealt = np.random.default_rng(0).permutation(len(names)) % min(FOLDS, len(names))
    fold = dict(zip(names, dealt.tolist(), strict=True))
    samples = [gold_sample(page, network) for page in pages]
    known = [known_sample(page, network) for page in bundled_pages()]
    after = []
    for number in sorted(set(fold.values())):
        inside = [fold[group] == number for group in groups]
        learnt = [sample for sample, out in zip(samples, inside, strict=True) if not out]
        tuned = tune(network, learnt, known)
        after += [page_f1(page, tuned) for page, out in zip(pages, inside, strict=True) if out]
    return mean_f1(pages, network), float(np.mean(after))


def tuned_network(pages: Sequence[GoldPage], network: Network) -> Network:
    """Adapt a network to gold pages."""
    known = [known_sample(page, network) for page in bundled_pages()]
    return tune(network, [gold_sample(page, network) for page in pages], known)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m scrapy_cetr.tune", description=__doc__)
    parser.add_argument("gold", type=Path, help="JSON lines with html, text and url, .gz or not")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file of weights")
    parser.add_argument("--model", default="", help="weights to start from (default the shipped)")
    given = parser.parse_args(arguments)
    try:
        network, pages = network_of(given.model), read_gold(given.gold)
        if len(pages) < MIN_PAGES:
            raise GoldError(
                f"{given.gold}: has {len(pages)} pages; at least {MIN_PAGES} are needed"
            )
    except (GoldError, WeightsError) as error:
        sys.stderr.write(f"scrapy_cetr.tune: {error}\n")
        return 2
    before, after = cross_validate(pages, network)
    tuned = tuned_network(pages, network)
    bundled = bundled_pages()
    kept, keeps = mean_f1(bundled, network), mean_f1(bundled, tuned)
    sys.stdout.write(
        f"{len(pages)} pages of {len({page.site for page in pages})} sites\n"
        f"cross-validated F1: {before:.3f} before, {after:.3f} after ({after - before:+.3f})\n"
        f"bundled pages: {kept:.3f} before, {keeps:.3f} after ({keeps - kept:+.3f})\n"
    )
    if after <= before:
        sys.stdout.write("The tuned weights are no better on pages that they have not seen.\n")
    if keeps < kept - _MAX_LOSS:
        sys.stdout.write("The tuned weights lose on pages of other sites.\n")
    try:
        with given.output.open("wb") as file:
            save_network(file, tuned)
    except OSError as error:
        reason = error.strerror or error
        sys.stderr.write(f"scrapy_cetr.tune: {given.output}: cannot be written: {reason}\n")
        return 1
    sys.stdout.write(f'CETR_MODEL = "{given.output}"\n')
    return 0


if __name__ == "__main__":
    sys.exit(main())
