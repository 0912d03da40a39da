"""What the compiled features of rows need to know besides the measurements of a page."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_cetr.extraction.columns import Indices, UInt8s


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FeatureTables:
    """The codes and limits that features compare rows with.

    - ``beginnings``, ``endings``: kinds of the first and of the last character
    - ``elements``: the elements that a row may begin in
    - ``element_kind``: the kind of each element, below ``element_kinds``
    - ``hints``, ``surroundings``: how many bits they have, the hints in the lower ones
    - ``levels``: the lines of ``around`` whose containers are described
    - ``title_levels``: how many of these may hold the title
    - ``far``: distances between rows are cut off here
    - ``paragraph``, ``h1``: codes of these elements
    """

    beginnings: UInt8s
    endings: UInt8s
    elements: Indices
    element_kind: Indices
    element_kinds: int
    hints: int
    surroundings: int
    levels: Indices
    title_levels: int
    far: int
    paragraph: int
    h1: int
