"""The stamps of a browser as numbers; see docs/reference/stamps.md."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapy_cetr.extraction.columns import Codes, Ints
from scrapy_cetr.extraction.loops.markup_columns import Mark

# What an element that is not rendered has in place of a box.
NOT_RENDERED = "-"
# Left, top, width and height; area and number of characters of the text; font size and colour,
# where they differ from those of the parent; whether all of the text is hidden.
_BOX = re.compile(
    r"(-?[0-9]{1,8}) (-?[0-9]{1,8}) ([0-9]{1,8}) ([0-9]{1,8})(?: t([0-9]{1,9}))?"
    r"(?: n([0-9]{1,9}))?(?: f([0-9]{1,4})(?:\.([0-9]))?)?(?: c([0-9a-f]{6}))?( h)?"
)
# The version, and the width and height of the page and of the window.
_ROOT = re.compile(r"1 ([0-9]{1,8}) ([0-9]{1,8}) [0-9]{1,8} [0-9]{1,8}")


class StampColumns(NamedTuple):
    """The stamps of a page.

    ``tags`` are the codes of all tags that the reader notes, negative for end tags. ``boxes`` has a
    line for each element with a box: the index of its tag, its code, whether it is a picture, and
    the numbers of ``stamp_numbers``. Elements that the reader skips have no tag, and the index of
    the next one. ``unseen`` are the start tags of elements whose text is not shown: the index of
    each, and its attributes. ``size`` is the width and height of the page.
    """

    tags: Codes
    boxes: Ints
    unseen: list[Mark]
    size: tuple[int, int] | None


def stamp_numbers(value: str) -> tuple[int, ...] | None:
    """Parse a stamp: left, top, width, height, area and characters of the text, and two more.

    These are ten times the font size, and the colour; each is -1 if there is none. The last number
    is 1 if all of the text is hidden, else 0.

    >>> stamp_numbers("1 -2 30 40 n7 f16.5 c0000ff h")
    (1, -2, 30, 40, 0, 7, 165, 255, 1)
    """
    found = _BOX.fullmatch(value)
    if found is None:
        return None
    *numbers, size, tenths, colour, hidden = found.groups()
    return (
        *(int(number or 0) for number in numbers),
        10 * int(size) + int(tenths or 0) if size else -1,
        int(colour, 16) if colour else -1,
        int(bool(hidden)),
    )


def page_size(value: str) -> tuple[int, int] | None:
    """Parse the stamp of the page itself: its width and height.

    >>> page_size("1 1280 5400 1280 720")
    (1280, 5400)
    """
    found = _ROOT.fullmatch(value)
    return None if found is None else (int(found[1]), int(found[2]))
