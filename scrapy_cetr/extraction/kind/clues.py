"""The clues to the kind of a page: what is kept of it until somebody asks for its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.page.page import Page

# The elements that are counted.
COUNTED = (
    *("a", "p", "li", "td", "table", "h1", "h2", "h3", "h4", "img", "section", "article", "nav"),
    *("form", "input", "button", "label", "code", "pre", "blockquote", "dt", "time", "aside"),
)
_COUNTED_CODES = np.array([ELEMENT_CODES[name] for name in COUNTED])
_ALL_CODES = 256
# Walls and error pages are short. Of longer pages, only the text of the article is looked at.
_SHORT_PAGE, _EXCERPT = 2500, 1000
_MAX_CLASS_NAMES = 800


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clues:
    """What the kind of a page is told from, besides its HTML and its URL.

    - ``calibration``: the calibration features of the learned method
    - ``tags``: how often each of COUNTED is on the page
    - ``title``: the text of <title>
    - ``excerpt``: all visible text of a short page, or the beginning of the article
    - ``is_short``: whether the excerpt is all visible text
    - ``class_names``: the first distinct class names and ids
    """

    calibration: NDArray[np.float64]
    tags: NDArray[np.float32]
    title: str
    excerpt: str
    is_short: bool
    class_names: Sequence[str]


def collect_clues(page: Page, calibration: NDArray[np.float64], text: str) -> Clues:
    """Collect the clues of a page whose article is ``text``."""
    is_short = len(page.text) <= _SHORT_PAGE
    # As unsigned numbers, the negative codes of end tags come after those of start tags.
    counts = np.bincount(page.tags.view(np.uint8), minlength=_ALL_CODES)
    return Clues(
        calibration=calibration,
        tags=counts[_COUNTED_CODES].astype(np.float32),
        title=page.title[:_EXCERPT],
        excerpt=page.text if is_short else text[:_EXCERPT],
        is_short=is_short,
        class_names=page.class_names[:_MAX_CLASS_NAMES],
    )
