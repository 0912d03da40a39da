"""The pages of sites with several pages, in a random but fixed order, for measurements by site."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus import Page, read_pages
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.page.characters import single_spaced
from training.examples import site_of
from training.folds import network_path, read_folds

BUNDLED = Path(__file__).parents[1] / "example_project" / "site"
LEAST_PAGES = 5


@dataclass(frozen=True, kw_only=True)
class Site:
    """A site, its pages in the order in which they are crawled, and a network without it."""

    name: str
    pages: tuple[Page, ...]
    model: str
    fold: int


def read_sites(paths: Sequence[Path], networks: Path, *, seed: int = 0) -> list[Site]:
    """Return the sites of some corpora, and the bundled one, with at least LEAST_PAGES pages."""
    folds = read_folds(networks)
    by_site: dict[str, list[Page]] = defaultdict(list)
    for path in paths:
        for page in read_pages(path):
            by_site[f"{path.name.partition('.')[0]} {site_of(page)}"].append(page)
    by_site["bundled site"] = bundled_pages()
    random = np.random.default_rng(seed)
    sites = []
    for name in sorted(by_site):
        pages = by_site[name]
        fold = folds.get(name.partition(" ")[2], 0)
        if len(pages) >= LEAST_PAGES:
            order = random.permutation(len(pages)).tolist()
            chosen = tuple(pages[index] for index in order)
            model = str(network_path(networks, fold))
            sites.append(Site(name=name, pages=chosen, model=model, fold=fold))
    return sites


def bundled_pages() -> list[Page]:
    """Return the articles of the bundled site.

    Their gold text is that from the first to the last phrase, without phrases of other things.
    """
    expected: dict[str, dict[str, Any]] = json.loads((BUNDLED / "expected.json").read_text("utf-8"))
    pages = []
    for path, known in expected.items():
        html = decode((BUNDLED / path.removeprefix("/")).read_bytes())
        text = single_spaced(read(html, rows="blocks").text)
        begin, end = text.find(known["first"]), text.rfind(known["last"])
        if not 0 <= begin <= end:
            continue
        gold = text[begin : end + len(known["last"])]
        for phrase in known["absent"]:
            gold = gold.replace(phrase, "")
        url = f"http://news.example{path}"
        pages.append(Page(id=path, url=url, type="article", html=html, text=gold))
    return pages
