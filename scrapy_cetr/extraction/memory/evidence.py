"""How the memory of a site changes the log-odds of the rows of a page.

``python -m training.memory`` measures it, and chooses the weights on sites that the network has not
seen.
"""

from __future__ import annotations

from math import log, log1p, sqrt

import numpy as np

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.memory.observing import observe
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory
from scrapy_cetr.extraction.methods.learned.features import Features
from scrapy_cetr.extraction.page.page import Page

# A row that stood on other pages loses this much, times the logarithm of their number and the root
# of their share, but at most the limit.
ROW_WEIGHT, ROW_LIMIT = 32.0, 10.0
# If most rows of its class path are dropped, their log-odds to be kept count this much, down to the
# limit, and less if there are not many more rows than PATH_ROWS. A path whose rows are kept is no
# evidence: the network may be wrong about all of them, as about comments.
PATH_WEIGHT, PATH_LIMIT, PATH_ROWS = 0.4, 3.0, 10.0


class PageEvidence:
    """What a memory knows about a page, and what it can learn from it.

    The method calls it with the log-odds of the rows. ``seen`` is None until then.
    """

    def __init__(self, site: SiteMemory) -> None:
        self._site = site
        self.seen: Observation | None = None

    def __call__(self, page: Page, features: Features, scores: Floats) -> Floats:
        """Return what is added to the log-odds of the rows."""
        chosen, self.seen = observe(page, features, scores)
        added = np.zeros(len(scores))
        if self._site.pages:
            added[chosen] = weigh(self._site, self.seen)
        return added


def weigh(
    site: SiteMemory,
    seen: Observation,
    *,
    row_weight: float = ROW_WEIGHT,
    path_weight: float = PATH_WEIGHT,
) -> list[float]:
    """Return what a memory adds to the log-odds of the rows that were observed."""
    pages, on_pages, paths = site.look_up(seen)
    if not pages:
        return [0.0] * len(on_pages)
    # Most rows are of few class paths, and stand on no other page.
    of_path = {
        path: path_weight * _path_odds(rows, kept) if rows else 0.0
        for path, (rows, kept) in paths.items()
    }
    added = []
    for count, path in zip(on_pages, seen.paths, strict=True):
        lost = row_weight * log1p(count) * sqrt(count / pages) if count else 0.0
        added.append(of_path[path] - min(lost, ROW_LIMIT))
    return added


def _path_odds(rows: int, kept: int) -> float:
    """Return the log-odds of a row of a class path to be kept, 0 if more than half of them are."""
    share = (kept + 0.5) / (rows + 1)
    odds = min(max(log(share / (1 - share)), -PATH_LIMIT), 0.0)
    return odds * rows / (rows + PATH_ROWS)
