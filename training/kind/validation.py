"""Cross-validation of kinds: each page is judged by a model that has not seen its site."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.kind import ARTICLE, KINDS
from training.kind.fitting import fit_kinds
from training.kind.pages import KindExample
from training.results import RIGHT

Probabilities = NDArray[np.float64]

FOLDS, SEED = 5, 0
# The corpus whose types are of all kinds.
TYPED_CORPUS = "wcxb"
# At most this share of the articles of TYPED_CORPUS with a right text may be of another kind.
MAX_LOST = 0.019
_SHIFTS = np.arange(0, 4, 0.05)
_ARTICLE = KINDS.index(ARTICLE)
# The kinds that differ from articles by degrees. Walls and the like are not in this table.
SHIFTED = [
    KINDS.index(kind) for kind in ("listing", "forum", "product", "documentation", "service")
]


def folds_of_sites(examples: Sequence[KindExample]) -> NDArray[np.intp]:
    """Return the fold of each example; no site is in two folds."""
    sites = sorted({example.site or "" for example in examples})
    dealt = np.random.default_rng(SEED).permutation(len(sites)) % FOLDS
    fold = dict(zip(sites, dealt.tolist(), strict=True))
    return np.array([fold[example.site or ""] for example in examples], np.intp)


def held_out_probabilities(
    examples: Sequence[KindExample], generated: Sequence[KindExample]
) -> Probabilities:
    """Return examples × KINDS, by models that were fitted without the sites of a fold."""
    folds = folds_of_sites(examples)
    found = np.zeros((len(examples), len(KINDS)))
    for fold in range(FOLDS):
        seen = [example for example, of in zip(examples, folds, strict=True) if of != fold]
        model = fit_kinds([*seen, *generated])
        for index in np.flatnonzero(folds == fold).tolist():
            found[index] = model.probabilities(examples[index].features)
    return found


def shifted(probabilities: Probabilities, shift: float) -> Probabilities:
    """Divide the odds of the kinds in SHIFTED by exp(shift)."""
    odds = probabilities.copy()
    odds[:, SHIFTED] *= np.exp(-shift)
    return np.asarray(odds / odds.sum(1, keepdims=True))


def right_articles(examples: Sequence[KindExample]) -> NDArray[np.bool_]:
    """Mark the articles of the typed corpus whose text is right."""
    return np.array(
        [
            example.corpus == TYPED_CORPUS
            and example.kind == ARTICLE
            and (example.f1 or 0) >= RIGHT
            for example in examples
        ]
    )


def choose_shift(examples: Sequence[KindExample], probabilities: Probabilities) -> float:
    """Return the smallest shift with which at most MAX_LOST of the right articles are lost.

    To drop an article is worse than to keep another page.
    """
    right = probabilities[right_articles(examples)]
    for shift in _SHIFTS.tolist():
        if (shifted(right, shift).argmax(1) != _ARTICLE).sum() <= MAX_LOST * len(right):
            return float(shift)
    return float(_SHIFTS[-1])
