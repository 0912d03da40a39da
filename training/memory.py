"""Measure what the memory of a crawl gains, by networks that have not seen the sites.

The first table is of whole extractions: without a memory, with one that grows from page to page,
and with one that knows the site from a first pass. The second one chooses the weights of the
evidence on the sites of three folds, and applies them to those of the fourth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.accuracy import score, words
from benchmarks.corpus import Page
from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.columns import Floats, Indices
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.memory.evidence import PageEvidence, weigh
from scrapy_cetr.extraction.memory.observing import observe
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.selection import select_rows
from scrapy_cetr.extraction.methods.learned.weights import load_model
from scrapy_cetr.extraction.options import FAVORS, Options
from training.examples import Example, f1, make_example
from training.progress import progress
from training.site_pages import Site, read_sites

# The weights of rows and of class paths that are compared.
GRID = tuple((rows, paths) for rows in (2.0, 4.0, 8.0, 16.0) for paths in (0.0, 0.1, 0.2, 0.4))
_REPEATS = 3


@dataclass(frozen=True, kw_only=True)
class Gain:
    """The mean F1 of the pages of a site: without memory, with a growing and with a warm one.

    ``seconds`` are without and with memory, ``size`` is the number of bytes per page.
    """

    site: Site
    f1: tuple[float, float, float]
    seconds: tuple[float, float]
    size: float


def measure_site(site: Site, favor: str) -> Gain:
    """Extract all pages of a site in three ways."""
    options = Options(model=site.model, favor=favor)  # type: ignore[arg-type]
    scores = np.zeros((3, len(site.pages)))
    seconds = np.zeros(2)
    growing, warm = SiteMemory(), SiteMemory()
    for page in site.pages:
        _learn(warm, page, options)
    size = warm.size / max(warm.pages, 1)
    for number, page in enumerate(site.pages):
        scores[0, number], plain = _extract(page, options, None)
        scores[1, number], known = _extract(page, options, growing)
        _learn(growing, page, options)
        scores[2, number], _ = _extract(page, options, warm)
        seconds += (plain, known)
    means = scores.mean(1).tolist()
    return Gain(
        site=site,
        f1=(means[0], means[1], means[2]),
        seconds=(float(seconds[0]), float(seconds[1])),
        size=size,
    )


def _extract(page: Page, options: Options, memory: SiteMemory | None) -> tuple[float, float]:
    """Return the F1 of a page, and the CPU seconds of the fastest of some extractions."""
    fastest = float("inf")
    text = ""
    for _ in range(_REPEATS):
        learning = memory.copy() if memory is not None else None
        start = process_time()
        evidence = PageEvidence(memory) if memory is not None else None
        article = extract_article(page.html, url=page.url, options=options, evidence=evidence)
        # A crawl asks for the kind of each page.
        text, _ = article.text, article.kind
        if evidence is not None and evidence.seen is not None and learning is not None:
            learning.learn(evidence.seen)
        fastest = min(fastest, process_time() - start)
    return score(words(text), words(page.text)).f1, fastest


def _learn(memory: SiteMemory, page: Page, options: Options) -> None:
    evidence = PageEvidence(memory)
    extract_article(page.html, url=page.url, options=options, evidence=evidence)
    if evidence.seen is not None:
        memory.learn(evidence.seen)


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A page with everything that the choice of weights needs."""

    example: Example
    scores: Floats
    chosen: Indices
    seen: Observation


def prepare(site: Site) -> list[Prepared]:
    """Score the rows of the pages of a site."""
    network = load_model(site.model)
    prepared = []
    for page in site.pages:
        example = make_example((site.name, page))
        scores = row_scores(example.features, network, FAVORS.index("article"))
        read_page = read(page.html, rows="blocks", with_class_names=True)
        chosen, seen = observe(read_page, example.features, scores)
        prepared.append(Prepared(example=example, scores=scores, chosen=chosen, seen=seen))
    return prepared


def gain_of(pages: Sequence[Prepared], rows: float, paths: float) -> float:
    """Return the change of the mean F1 of a site by a growing memory with some weights."""
    memory, changes = SiteMemory(), []
    for page in pages:
        added = np.zeros(len(page.scores))
        added[page.chosen] = weigh(memory, page.seen, row_weight=rows, path_weight=paths)
        before = f1(page.example, select_rows(page.example.features, page.scores))
        after = f1(page.example, select_rows(page.example.features, page.scores + added))
        changes.append(after - before)
        memory.learn(page.seen)
    return float(np.mean(changes))


def choose_weights(sites: Sequence[Site]) -> str:
    """Choose the weights on the sites of the other folds, and return a table of their gains."""
    prepared = [prepare(site) for site in progress(sites, total=len(sites), name="rows")]
    gains = np.array([[gain_of(pages, *weights) for weights in GRID] for pages in prepared])
    folds = np.array([site.fold for site in sites])
    lines = ["| fold | sites | weights | gain | worst site |", "|---|---:|---|---:|---:|"]
    for fold in sorted(set(folds.tolist())):
        inside, others = folds == fold, folds != fold
        # The best mean, less what the worst site loses.
        merit = gains[others].mean(0) + np.minimum(gains[others].min(0) + 0.003, 0)
        best = int(merit.argmax())
        found = gains[inside, best]
        lines.append(
            f"| {fold} | {inside.sum()} | rows {GRID[best][0]:g}, paths {GRID[best][1]:g} |"
            f" {found.mean():+.4f} | {found.min():+.4f} |"
        )
    lines += ["", "| weights | gain | worst site |", "|---|---:|---:|"]
    for index, (rows, paths) in enumerate(GRID):
        found = gains[:, index]
        lines.append(
            f"| rows {rows:g}, paths {paths:g} | {found.mean():+.4f} | {found.min():+.4f} |"
        )
    return "\n".join(lines)


def gain_table(gains: Sequence[Gain]) -> str:
    """Format the gains as a Markdown table."""
    head = "| site | pages | without | growing | | warm | | time | bytes per page |"
    lines = [head, "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    lines += [f"| {gain.site.name} | {len(gain.site.pages)} | {_cells(gain)} |" for gain in gains]
    pages = np.array([len(gain.site.pages) for gain in gains], float)
    for name, weights in (("mean of sites", np.ones(len(gains))), ("mean of pages", pages)):
        without, growing, warm = np.average([gain.f1 for gain in gains], axis=0, weights=weights)
        seconds = np.sum([gain.seconds for gain in gains], axis=0)
        size = np.average([gain.size for gain in gains], weights=pages)
        lines.append(
            f"| **{name}** | {pages.sum():.0f} | {without:.4f} | {growing:.4f} |"
            f" {growing - without:+.4f} | {warm:.4f} | {warm - without:+.4f} |"
            f" {seconds[1] / seconds[0]:.3f} | {size:.0f} |"
        )
    return "\n".join(lines)


def _cells(gain: Gain) -> str:
    without, growing, warm = gain.f1
    return (
        f"{without:.4f} | {growing:.4f} | {growing - without:+.4f} | {warm:.4f} |"
        f" {warm - without:+.4f} | {gain.seconds[1] / gain.seconds[0]:.3f} | {gain.size:.0f}"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m training.memory", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="JSON-lines files with gold text")
    parser.add_argument(
        "--networks", type=Path, required=True, help="folder of python -m training.fold_networks"
    )
    parser.add_argument("--favor", default="article", choices=FAVORS, help="of the method learned")
    parser.add_argument("--weights", action="store_true", help="choose the weights, too")
    arguments = parser.parse_args()
    sites = read_sites(arguments.corpora, arguments.networks)
    steps = progress(sites, total=len(sites), name="sites")
    sys.stdout.write(gain_table([measure_site(site, arguments.favor) for site in steps]) + "\n")
    if arguments.weights:
        sys.stdout.write("\n" + choose_weights(sites) + "\n")


if __name__ == "__main__":
    main()
