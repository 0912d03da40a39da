"""The results of a cross-validation of kinds, as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from scrapy_cetr.extraction.kind import ARTICLE, KINDS
from scrapy_cetr.extraction.kind.model import KindModel
from training.kind.pages import KindExample
from training.kind.validation import TYPED_CORPUS, Probabilities, right_articles

# The bounds of the table of probabilities.
_BOUNDS = (0.0, 0.5, 0.7, 0.9, 0.97, 1.01)


def table(headers: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    """Format a Markdown table; all columns but the first are numbers."""
    rule = "|---|" + "---:|" * (len(headers) - 1)
    rows = (f"| {' | '.join(map(str, line))} |" for line in (headers, *lines))
    header, *others = rows
    return "\n".join((header, rule, *others))


def figures(examples: Sequence[KindExample], probabilities: Probabilities) -> str:
    """Summarize: accuracy, articles lost, and other pages dropped."""
    kinds = _kinds(examples)
    found = probabilities.argmax(1)
    typed = np.array([example.corpus == TYPED_CORPUS for example in examples])
    right = right_articles(examples)
    others = typed & (kinds != KINDS.index(ARTICLE))
    dropped = found != KINDS.index(ARTICLE)
    elsewhere = ~typed & (kinds == KINDS.index(ARTICLE))
    lost, all_dropped, lost_elsewhere = (
        f"{dropped[pages].mean():.3f}" if pages.any() else "–"
        for pages in (right, others, elsewhere)
    )
    lines = (
        (f"accuracy on {TYPED_CORPUS}", int(typed.sum()), f"{(found == kinds)[typed].mean():.3f}"),
        ("articles with F1 ≥ 0.8 that are lost", int(right.sum()), lost),
        ("other pages that are dropped", int(others.sum()), all_dropped),
        ("articles of the other corpora that are lost", int(elsewhere.sum()), lost_elsewhere),
    )
    return table(("", "pages", "share"), lines)


def confusion(examples: Sequence[KindExample], probabilities: Probabilities) -> str:
    """Format the confusion matrix of the typed corpus: a line for each annotated kind."""
    kinds, found = _kinds(examples), probabilities.argmax(1)
    typed = np.array([example.corpus == TYPED_CORPUS for example in examples])
    counts = np.zeros((len(KINDS), len(KINDS)), np.intp)
    np.add.at(counts, (kinds[typed], found[typed]), 1)
    lines = [
        (KINDS[kind], *counts[kind].tolist()) for kind in range(len(KINDS)) if counts[kind].any()
    ]
    return table(("annotated", *KINDS), lines)


def reliability(examples: Sequence[KindExample], probabilities: Probabilities) -> str:
    """Compare the probabilities of kinds with the share of pages on which they are right."""
    typed = np.array([example.corpus == TYPED_CORPUS for example in examples])
    highest = probabilities.max(1)[typed]
    is_right = (probabilities.argmax(1) == _kinds(examples))[typed]
    lines = []
    for low, high in pairwise(_BOUNDS):
        inside = (highest >= low) & (highest < high)
        if inside.any():
            name = f"{low:g} to {min(high, 1):g}"
            mean, share = highest[inside].mean(), is_right[inside].mean()
            lines.append((name, int(inside.sum()), f"{mean:.2f}", f"{share:.2f}"))
    return table(("kind_probability", "pages", "mean", "right"), lines)


def generated_table(examples: Sequence[KindExample], model: KindModel) -> str:
    """Count the generated pages of each kind by the kind that a model tells."""
    counts = np.zeros((len(KINDS), len(KINDS)), np.intp)
    for example in examples:
        found = int(model.probabilities(example.features).argmax())
        counts[KINDS.index(example.kind), found] += 1
    lines = [
        (KINDS[kind], *counts[kind].tolist()) for kind in range(len(KINDS)) if counts[kind].any()
    ]
    return table(("written as", *KINDS), lines)


def worst_pages(
    examples: Sequence[KindExample], probabilities: Probabilities, count: int
) -> list[str]:
    """List the pages of the typed corpus whose annotated kind is least probable."""
    kinds = _kinds(examples)
    own = probabilities[np.arange(len(examples)), kinds]
    typed = [index for index, one in enumerate(examples) if one.corpus == TYPED_CORPUS]
    return [
        f"{own[index]:.3f} {examples[index].kind} as {KINDS[int(probabilities[index].argmax())]}:"
        f" {examples[index].id} ({examples[index].site})"
        for index in sorted(typed, key=lambda index: float(own[index]))[:count]
    ]


def _kinds(examples: Sequence[KindExample]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.array([KINDS.index(example.kind) for example in examples], np.intp)
