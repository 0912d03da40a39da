"""The results of a cross-validation, and the table that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.options import FAVORS
from training.examples import NOT_ARTICLES, Example

# An extraction with at least this F1 is right.
RIGHT = 0.8


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """The extraction of a page by a network that has not seen its site.

    ``f1`` has a value for each favour. ``parts_f1`` is that of the first favour with the parts that
    the corpus has by convention, such as headlines. ``ends_kept`` are the shares of the first and
    of the last paragraph that the first favour keeps, empty if the gold text has no long paragraph.
    """

    corpus: str
    id: str
    type: str | None
    f1: tuple[float, ...]
    parts_f1: float
    ends_kept: tuple[float, ...]
    calibration_features: NDArray[np.float64]

    @property
    def is_right(self) -> bool:
        """Whether the page is an article and its text is right."""
        return self.type not in NOT_ARTICLES and self.f1[0] >= RIGHT


def result_table(results: Sequence[Result]) -> str:
    """Format a Markdown table: the mean F1 by corpus and favour, and the kept ends."""
    headers = ("corpus", "pages", "with its parts", *FAVORS, "first ¶", "last ¶")
    lines = [f"| {' | '.join(headers)} |", "|---|" + "---:|" * (len(headers) - 1)]
    for name, indices in by_corpus(results):
        pages = [results[index] for index in indices]
        f1 = mean_cells([(page.parts_f1, *page.f1) for page in pages], len(FAVORS) + 1)
        ends = mean_cells([page.ends_kept for page in pages if page.ends_kept], 2)
        lines.append(f"| {name} | {len(pages)} | {' | '.join((*f1, *ends))} |")
    return "\n".join(lines)


def mean_cells(values: Sequence[Sequence[float]], count: int) -> list[str]:
    """Format the mean of each of ``count`` columns, a dash where there are no values."""
    if not values:
        return ["–"] * count
    return [f"{mean:.4f}" for mean in np.mean(values, axis=0)]


def by_corpus(pages: Sequence[Example | Result]) -> Iterator[tuple[str, list[int]]]:
    """Yield each corpus with the indices of its pages.

    A corpus with pages that are not articles is followed by its articles alone.
    """
    for corpus in sorted({page.corpus for page in pages}):
        indices = [index for index, page in enumerate(pages) if page.corpus == corpus]
        yield corpus, indices
        if any(pages[index].type in NOT_ARTICLES for index in indices):
            articles = [index for index in indices if pages[index].type == "article"]
            yield f"{corpus}, articles", articles
