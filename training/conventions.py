"""Conventions: the parts of a page that some corpora count as content, and others do not.

A network that learned the headline from one corpus and boilerplate from the next would keep it at
random. What is a matter of convention is left to the user, who chooses parts; the network does not
learn it in the style of articles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.methods.learned.features import Features
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.roles.roles import find_roles

if TYPE_CHECKING:
    from training.examples import Example

Parts = NDArray[np.int8]

PARTS = ("headline", "byline", "caption", "comment")
NO_PART = -1
# In the style of articles, these rows count neither as content nor as anything else. Comments are
# not among them: a method has to know where the article ends and they begin.
_IGNORED = tuple(map(PARTS.index, ("headline", "byline", "caption")))
_COMMENT = PARTS.index("comment")
# The part of each role; the last is for rows without a role.
_PART_OF_ROLE = np.full(len(ROLES) + 1, NO_PART, np.int8)
_PART_OF_ROLE[[ROLES.index(name) for name in PARTS]] = range(len(PARTS))
# A page with a larger share of its gold text in comments has no article besides them.
_MOST_COMMENTS = 0.8


def find_parts(page: Page, features: Features, is_gold: Bools) -> Parts:
    """Return the part that each row belongs to, as its index in PARTS, or NO_PART.

    Roles depend on what the article is: here, the rows of the gold text.
    """
    keep = np.zeros(len(page.rows), np.bool_)
    keep[features.rows] = is_gold
    parts: Parts = _PART_OF_ROLE[find_roles(page, keep)[features.rows]]
    return parts


def ignored_rows(example: Example) -> Bools:
    """Mark the rows that the style of articles does not learn."""
    ignored: Bools = np.isin(example.parts, _IGNORED)
    return ignored


def in_comments(example: Example) -> Bools:
    """Mark the rows in comments, unless these are the content: in a forum, or nearly everywhere."""
    commented: Bools = example.parts == _COMMENT
    few = example.matched[commented].sum() < _MOST_COMMENTS * example.matched.sum()
    return commented if few and example.type != "forum" else np.zeros_like(commented)


def conventions_of(examples: Sequence[Example]) -> dict[str, frozenset[int]]:
    """Return the parts of each corpus: those whose words are mostly in the gold text."""
    words: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros((2, len(PARTS))))
    for example in examples:
        for part in range(len(PARTS)):
            inside = example.parts == part
            words[example.corpus][:, part] += (
                example.words[inside].sum(),
                example.matched[inside].sum(),
            )
    return {
        corpus: frozenset(np.flatnonzero(2 * matched > of_parts).tolist())
        for corpus, (of_parts, matched) in words.items()
    }


def compose(example: Example, keep: Bools, convention: frozenset[int]) -> Bools:
    """Return the rows of a text that has the parts of a convention besides the kept rows."""
    composed = keep.copy()
    for part in range(len(PARTS)):
        if part != _COMMENT or part in convention or in_comments(example).any():
            composed[example.parts == part] = part in convention
    return composed
