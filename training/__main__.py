"""Make the weights of the learned method, and say how good they are on sites they have not seen."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus import read_pages
from benchmarks.progress import progress
from scrapy_cetr.extraction.methods.learned.network import WEIGHTS
from scrapy_cetr.extraction.options import FAVORS
from training.certainty import fit_certainty, reliability_diagram
from training.examples import NOT_ARTICLES, Example, folds_by_site, make_example
from training.validation import FOLDS, SEED, Judged, cross_validate

PACKAGE = Path(__file__).parents[1] / "scrapy_cetr" / "extraction" / "methods" / "learned"


def main() -> None:
    """Fit, cross-validate and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", type=Path, default=PACKAGE / WEIGHTS, help="where weights go")
    parser.add_argument("--diagram", type=Path, help="write a reliability diagram, as SVG")
    arguments = parser.parse_args()
    examples = read_examples(arguments.corpora, jobs=arguments.jobs)
    judged, arrays = cross_validate(examples, jobs=arguments.jobs)
    sys.stdout.write(table(judged) + "\n")
    signs = np.array([page.signs for page in judged])
    right = np.array([page.is_right for page in judged])
    if arguments.diagram:
        folds = folds_by_site(examples, FOLDS, seed=SEED + 1)
        arguments.diagram.write_text(reliability_diagram(signs, right, folds), encoding="utf-8")
    weights: dict[str, Any] = {**arrays, "certainty": fit_certainty(signs, right)}
    np.savez(arguments.output, **weights)
    sys.stdout.write(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes\n")


def read_examples(paths: Sequence[Path], *, jobs: int) -> list[Example]:
    """Read all pages of the corpora, with their features."""
    pages = [(path.name.partition(".")[0], page) for path in paths for page in read_pages(path)]
    with get_context("fork").Pool(jobs) as processes:
        found = processes.imap(make_example, pages, chunksize=16)
        return list(progress(found, total=len(pages), name="features"))


def table(judged: Sequence[Judged]) -> str:
    """Write the mean F1 of each corpus and favour as markdown, and what is kept of both ends."""
    headers = ("corpus", "pages", *FAVORS, "first ¶", "last ¶")
    lines = [f"| {' | '.join(headers)} |", "|---|" + "---:|" * (len(headers) - 1)]
    for name, places in parts_of(judged):
        pages = [judged[place] for place in places]
        means = np.mean([page.f1 for page in pages], axis=0)
        ends = np.mean([page.ends for page in pages if page.ends], axis=0)
        figures = " | ".join(f"{mean:.4f}" for mean in (*means, *ends))
        lines.append(f"| {name} | {len(pages)} | {figures} |")
    return "\n".join(lines)


def parts_of(pages: Sequence[Example | Judged]) -> Iterator[tuple[str, list[int]]]:
    """Name the corpora, and the articles of those with other pages; give the places of each."""
    for corpus in sorted({page.corpus for page in pages}):
        places = [place for place, page in enumerate(pages) if page.corpus == corpus]
        yield corpus, places
        if any(pages[place].type in NOT_ARTICLES for place in places):
            articles = [place for place in places if pages[place].type == "article"]
            yield f"{corpus}, articles", articles


if __name__ == "__main__":
    main()
