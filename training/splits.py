"""Splits of examples into those that a network is fitted to, and those that it is tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.examples import Example, folds_by_site

# The shares of sites that the points of a learning curve are fitted to.
SHARES = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, kw_only=True)
class Split:
    """The indices of the examples to learn from, and of those to test; no site is in both."""

    name: str
    learnt: tuple[int, ...]
    tested: tuple[int, ...]


def folds_of_sites(examples: Sequence[Example], count: int, *, seed: int) -> list[Split]:
    """Test each fold on a network that has seen the others."""
    fold = folds_by_site(list(examples), count, seed=seed)
    return [
        Split(
            name=f"fold {number + 1}",
            learnt=tuple(np.flatnonzero(fold != number).tolist()),
            tested=tuple(np.flatnonzero(fold == number).tolist()),
        )
        for number in range(count)
    ]


def leave_one_corpus_out(examples: Sequence[Example]) -> list[Split]:
    """Test each corpus on a network that has seen neither the corpus nor any of its sites."""
    splits = []
    for corpus in sorted({example.corpus for example in examples}):
        sites = {example.site for example in examples if example.corpus == corpus}
        pages = enumerate(examples)
        learnt = tuple(
            index
            for index, example in pages
            if example.corpus != corpus and example.site not in sites
        )
        tested = tuple(i for i, example in enumerate(examples) if example.corpus == corpus)
        splits.append(Split(name=corpus, learnt=learnt, tested=tested))
    return splits


def learning_curve(examples: Sequence[Example], *, folds: int, seed: int) -> list[Split]:
    """Test the first fold on networks that have seen a growing share of the sites of the others."""
    fold = folds_by_site(list(examples), folds, seed=seed)
    tested = tuple(np.flatnonzero(fold == 0).tolist())
    sites = sorted({examples[index].site for index in np.flatnonzero(fold).tolist()})
    order = np.random.default_rng(seed).permutation(len(sites)).tolist()
    rank = {sites[number]: place / len(sites) for place, number in enumerate(order)}
    return [
        Split(
            name=f"{share:.0%} of sites",
            learnt=tuple(
                index
                for index in np.flatnonzero(fold).tolist()
                if rank[examples[index].site] < share
            ),
            tested=tested,
        )
        for share in SHARES
    ]
