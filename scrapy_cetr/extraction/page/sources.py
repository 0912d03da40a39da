"""Where the tags of a page are in its HTML, to read their attributes when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """The offsets of tags in the HTML of a page.

    Most pages are one part; more follow where something unclosed has swallowed markup. ``html`` is
    that of each part, ``first_tag`` the index of its first tag, and ``pictures`` what
    ``MarkupColumns`` has of it. ``offset`` is the offset of each tag in the HTML of its part.
    """

    html: tuple[str, ...]
    first_tag: tuple[int, ...]
    offset: Ints
    pictures: tuple[Ints, ...]

    def values(self, tags: Ints, *names: str) -> list[tuple[str | None, ...]]:
        """Return the values of attributes of some start tags, given by ascending indices."""
        if len(self.html) == 1:
            return loops.attribute_values(self.html[0], self.offset[tags], names)
        found: list[tuple[str | None, ...]] = []
        bounds = np.searchsorted(tags, (*self.first_tag, len(self.offset))).tolist()
        for html, begin, end in zip(self.html, bounds, bounds[1:], strict=False):
            found += loops.attribute_values(html, self.offset[tags[begin:end]], names)
        return found
