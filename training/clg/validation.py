"""Cross-validation by site: each page is measured with weights that have not seen its site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from benchmarks.table import Table
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.options import Options
from training.clg.examples import Example
from training.clg.figures import line_chart
from training.clg.fitting import fit
from training.clg.results import Result, averages, measure_page, scores_of, select_by

FOLDS, SEED = 5, 7
METHODS = ("LR_A", "LR", "CLG")
_MEASURES = ("P", "R", "F1")
_THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_OVERLAPS = (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)


def held_out_scores(examples: Sequence[Example]) -> list[Floats]:
    """Score the nodes of each page by weights that were fitted to the other folds."""
    sites = sorted({example.site for example in examples})
    dealt = np.random.default_rng(SEED).permutation(len(sites)) % FOLDS
    fold_of = dict(zip(sites, dealt.tolist(), strict=True))
    weights = [
        fit([example for example in examples if fold_of[example.site] != fold])
        for fold in range(FOLDS)
    ]
    return [scores_of(example, weights[fold_of[example.site]]) for example in examples]


def measure_all(
    examples: Sequence[Example], scores: Sequence[Floats], method: str, options: Options
) -> list[Result]:
    """Measure what a method selects on all pages."""
    return [
        measure_page(example, select_by(method, example, score, options))
        for example, score in zip(examples, scores, strict=True)
    ]


def result_tables(examples: Sequence[Example], scores: Sequence[Floats]) -> Mapping[str, Table]:
    """Compare the methods of figure 11, by words and by areas."""
    found = {name: averages(measure_all(examples, scores, name, Options())) for name in METHODS}
    tables = {}
    for kind, name in enumerate(("words", "areas")):
        headers = ["corpus", "pages", *(f"{by} {one}" for by in METHODS for one in _MEASURES)]
        rows = []
        for corpus in found["CLG"]:
            count = sum(corpus in (example.corpus, "all") for example in examples)
            values = [value for method in METHODS for value in found[method][corpus][kind]]
            rows.append([corpus, str(count), *(f"{value:.3f}" for value in values)])
        tables[f"clg {name}"] = Table(headers, rows, 1)
    return tables


def figures(examples: Sequence[Example], scores: Sequence[Floats]) -> Iterator[tuple[str, str]]:
    """Yield the names of figures 13 to 15, and the figures: by area, as the paper measures."""
    by_threshold = {
        method: [
            averages(measure_all(examples, scores, method, Options(clg_threshold=value)))["all"][1]
            for value in _THRESHOLDS
        ]
        for method in ("LR", "CLG")
    }
    clg = by_threshold["CLG"]
    heading = "CLG, by score threshold"
    lines = {"precision": [one[0] for one in clg], "recall": [one[1] for one in clg]}
    yield "clg-threshold", line_chart(heading, "score threshold", _THRESHOLDS, lines)
    lines = {name: [one[2] for one in found] for name, found in by_threshold.items()}
    yield "clg-lr", line_chart("F1 of LR and CLG", "score threshold", _THRESHOLDS, lines)
    by_overlap = [
        averages(measure_all(examples, scores, "CLG", Options(clg_overlap=value)))["all"][1]
        for value in _OVERLAPS
    ]
    lines = {"precision": [one[0] for one in by_overlap], "recall": [one[1] for one in by_overlap]}
    heading = "CLG, by projection overlap ratio"
    yield "clg-overlap", line_chart(heading, "threshold of the ratio", _OVERLAPS, lines)
