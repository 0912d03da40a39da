"""Pages to learn kinds from: those of corpora with a type, and generated ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import words
from benchmarks.corpus import Page, read_pages
from scrapy_cetr.extraction.analysis import analyse
from scrapy_cetr.extraction.kind import KINDS, collect_clues
from scrapy_cetr.extraction.kind.features import kind_features
from scrapy_cetr.extraction.options import Options
from training.examples import site_of
from training.kind.generated import GeneratedPage
from training.progress import progress

# The kind of each type of a corpus. Pages of other types, such as mixed, are not used.
KIND_OF_TYPE: Mapping[str | None, str] = {
    **{kind: kind for kind in KINDS},
    # Collections are lists of products, with few words on each; listings of anything else.
    "collection": "listing",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class KindExample:
    """A page with a kind: its features, and for pages with a gold text how well it is extracted.

    ``site`` is None for generated pages.
    """

    corpus: str
    id: str
    kind: str
    site: str | None
    features: NDArray[np.float64]
    f1: float | None = None


def read_corpora(paths: Sequence[Path], *, jobs: int) -> list[KindExample]:
    """Read all pages of the corpora whose type is a kind."""
    pages = [
        (path.name.partition(".")[0], page)
        for path in paths
        for page in read_pages(path)
        if page.type in KIND_OF_TYPE
    ]
    with get_context("fork").Pool(jobs) as processes:
        examples = processes.imap(_of_corpus, pages, chunksize=16)
        return list(progress(examples, total=len(pages), name="pages"))


def from_generated(pages: Iterable[GeneratedPage]) -> list[KindExample]:
    """Compute the features of generated pages."""
    return [
        KindExample(
            corpus="generated",
            id=f"{page.wording.topic} {page.wording.language} {page.layout}: {page.wording.title}",
            kind=page.wording.kind,
            site=None,
            features=features_of(page.html, url=page.url)[0],
        )
        for page in pages
    ]


def features_of(html: str, *, url: str | None) -> tuple[NDArray[np.float64], str]:
    """Extract a page; return the features of its kind, and its text."""
    found = analyse(html, options=Options())
    assert found.calibration is not None  # noqa: S101
    clues = collect_clues(found.page, found.calibration, found.text)
    return kind_features(clues, html, url=url), found.text


def _of_corpus(source: tuple[str, Page]) -> KindExample:
    corpus, page = source
    features, text = features_of(page.html, url=page.url)
    return KindExample(
        corpus=corpus,
        id=page.id,
        kind=KIND_OF_TYPE[page.type],
        site=site_of(page),
        features=features,
        f1=f1(text, page.text),
    )


def f1(text: str, gold: str) -> float:
    """Compare the words of two texts, as ``benchmarks accuracy`` does."""
    kept, wanted = words(text), words(gold)
    total = sum(kept.values()) + sum(wanted.values())
    return 2 * sum((kept & wanted).values()) / total if total else 1.0
