"""The numbers in the tags of lists, items and cells."""

from __future__ import annotations

import re

from scrapy_cetr.extraction.elements import ELEMENT_CODES

# A number that a tag does not give.
MISSING = -(1 << 31)

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_SPACES = "\t\n\f\r "
_CELLS = frozenset((ELEMENT_CODES["td"], ELEMENT_CODES["th"]))
# What most cells span.
_ONE = frozenset((MISSING, 0, 1))


def tag_numbers(code: int, first: str, second: str) -> tuple[int, int] | None:
    """Parse two attributes: start and reversed, value and nothing, or colspan and rowspan.

    >>> tag_numbers(ELEMENT_CODES["ol"], "5", "") == (5, MISSING)
    True
    """
    numbers = _parsed(first), _parsed(second)
    nothing = _ONE if code in _CELLS else (MISSING,)
    return None if numbers[0] in nothing and numbers[1] in nothing else numbers


def _parsed(value: str) -> int:
    found = _INTEGER.match(value.lstrip(_SPACES))
    return int(found[0]) if found else MISSING
