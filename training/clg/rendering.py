"""Rendered copies of corpora: the same files, with the stamps of a browser in the HTML."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.corpus import Page, read_pages, spread
from scrapy_cetr.rendering.chromium import Chromium
from training.progress import progress

_TIMEOUT = 20.0


def render_corpora(
    paths: Sequence[Path],
    folder: Path,
    *,
    limit: int | None = None,
    types: Container[str | None] | None = None,
) -> list[Path]:
    """Render the corpora that are not in the folder yet, without network; return the copies.

    Only pages of ``types`` are rendered, or all. Of a corpus with more such pages than ``limit``,
    as many are rendered, evenly spread.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copies = []
    for path in paths:
        copy = folder / path.name
        if not copy.exists():
            _render(choose_pages(path, limit=limit, types=types), copy)
        copies.append(copy)
    return copies


def choose_pages(
    path: Path, *, limit: int | None, types: Container[str | None] | None
) -> list[Page]:
    """Read the pages of a corpus that are to be rendered."""
    pages = [page for page in read_pages(path) if types is None or page.type in types]
    return [pages[position] for position in spread(range(len(pages)), limit)]


def _render(pages: Sequence[Page], copy: Path) -> None:
    # Under another name until it is complete.
    part = copy.with_name(f"{copy.name}.part")
    problems = 0
    with gzip.open(part, "wt", encoding="utf-8", compresslevel=4) as file:
        for page, problem in progress(_rendered(pages), total=len(pages), name=copy.name):
            problems += bool(problem)
            file.write(json.dumps(asdict(page)) + "\n")
    part.rename(copy)
    sys.stdout.write(f"{copy.name}: {problems} of {len(pages)} pages are not stamped\n")


def _rendered(pages: Sequence[Page]) -> Iterator[tuple[Page, str]]:
    with Chromium(offline=True, timeout=_TIMEOUT) as browser:
        for page in pages:
            html, problem = browser.render(page.html, url=page.url)
            yield replace(page, html=html), problem
