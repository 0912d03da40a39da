"""Train the weights of the method clg on rendered pages, and cross-validate them by site."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.document import write_table
from benchmarks.table import as_markdown
from scrapy_cetr.extraction.methods.clg.weights import WEIGHTS, write_weights
from training.clg.examples import read_examples
from training.clg.fitting import fit
from training.clg.rendering import render_corpora
from training.clg.validation import figures, held_out_scores, result_tables

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "scrapy_cetr" / "extraction" / "methods" / "clg"


def main() -> None:
    """Render what is not rendered yet, fit, cross-validate, and write weights and figures."""
    parser = argparse.ArgumentParser(prog="python -m training.clg", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--rendered", type=Path, required=True, help="folder of rendered copies")
    parser.add_argument("--limit", type=int, help="render at most so many pages of a corpus")
    parser.add_argument("--types", nargs="+", help="render only pages of these types")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", type=Path, default=PACKAGE / WEIGHTS, help="weights file")
    parser.add_argument("--into", type=Path, help="write the tables into this document")
    parser.add_argument("--figures", type=Path, help="write figures 13 to 15 into this folder")
    arguments = parser.parse_args()
    copies = render_corpora(
        arguments.corpora, arguments.rendered, limit=arguments.limit, types=arguments.types
    )
    examples = read_examples(copies, jobs=arguments.jobs)
    arguments.output.write_text(write_weights(fit(examples)), encoding="utf-8")
    sys.stdout.write(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes\n")
    scores = held_out_scores(examples)
    for name, table in result_tables(examples, scores).items():
        sys.stdout.write(f"{name}\n\n{as_markdown(table)}\n\n")
        if arguments.into is not None:
            write_table(arguments.into, name, table)
    if arguments.figures is not None:
        for name, drawn in figures(examples, scores):
            (arguments.figures / f"{name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
