"""What compiled features and roles of rows need to know besides the columns of a page."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_cetr.extraction.columns import Codes, Indices, UInt8s


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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RoleTables:
    """The codes and limits that give roles to rows.

    - ``role_of_element``: the role of the rows in each element, or ``no_role``
    - ``item``: the code of items of lists
    - ``levels``: the number of containers around a row that can give it a role
    - ``largest_element``, ``largest_near``: the most characters of an element that gives a role by
      its code, and by its class name
    - ``all_bits``: the bits of class names that count, ``passed_down`` to all containers inside
    - ``veto``: class names with this bit have not the bit ``vetoed``
    """

    role_of_element: Codes
    no_role: int
    item: int
    levels: int
    largest_element: int
    largest_near: int
    all_bits: int
    passed_down: int
    veto: int
    vetoed: int
