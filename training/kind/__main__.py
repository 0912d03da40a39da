"""Train the weights of the kinds of pages, and cross-validate them on sites not seen."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.document import with_table
from scrapy_cetr.extraction.kind.model import WEIGHTS, KindModel, save_model
from training.kind.fitting import fit_kinds
from training.kind.generated import TEST, TEST_LAYOUTS, TRAIN, TRAIN_LAYOUTS, generate
from training.kind.pages import from_generated, read_corpora
from training.kind.results import confusion, figures, generated_table, reliability, worst_pages
from training.kind.validation import SHIFTED, choose_shift, held_out_probabilities, shifted

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "scrapy_cetr" / "extraction" / "kind"


def main() -> None:
    """Cross-validate, fit to all pages, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m training.kind", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with types")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", type=Path, default=PACKAGE / WEIGHTS, help="weights file")
    parser.add_argument("--into", type=Path, help="write the tables into this document")
    parser.add_argument("--worst", type=int, default=0, help="list so many pages with wrong kinds")
    arguments = parser.parse_args()
    examples = read_corpora(arguments.corpora, jobs=arguments.jobs)
    generated = from_generated(generate(TRAIN, TRAIN_LAYOUTS))
    test = from_generated(generate(TEST, TEST_LAYOUTS))
    probabilities = held_out_probabilities(examples, generated)
    shift = choose_shift(examples, probabilities)
    probabilities = shifted(probabilities, shift)
    model = with_shift(fit_kinds([*examples, *generated]), shift)
    tables = {
        "figures": figures(examples, probabilities),
        "confusion": confusion(examples, probabilities),
        "reliability": reliability(examples, probabilities),
        "generated": generated_table(test, model),
    }
    for name, written in tables.items():
        sys.stdout.write(f"{name}\n\n{written}\n\n")
        if arguments.into is not None:
            document = arguments.into.read_text(encoding="utf-8")
            arguments.into.write_text(with_table(document, name, written), encoding="utf-8")
    for line in worst_pages(examples, probabilities, arguments.worst):
        sys.stdout.write(f"{line}\n")
    with arguments.output.open("wb") as file:
        save_model(file, model)
    size = arguments.output.stat().st_size
    sys.stdout.write(f"{arguments.output.name}: {size} bytes; shift {shift:.2f}\n")


def with_shift(model: KindModel, shift: float) -> KindModel:
    """Lower the scores of the kinds in SHIFTED."""
    bias = model.bias.copy()
    bias[SHIFTED] -= np.float32(shift)
    return replace(model, bias=bias)


if __name__ == "__main__":
    main()
