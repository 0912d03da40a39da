"""The script that writes what a browser shows into the HTML of a page."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

from scrapy_cetr.extraction.stamps import STAMP

# A page with more elements is not stamped: it would take more than a fraction of a second.
MAX_ELEMENTS = 20_000
# A page whose scripts block the browser for longer is not stamped, in seconds.
_TIMEOUT = 10.0


@cache
def stamping_script() -> str:
    """Return the source of a JavaScript function that takes ``STAMP_ARGUMENTS``."""
    return (Path(__file__).parent / "stamp.js").read_text(encoding="utf-8")


STAMP_ARGUMENTS = [STAMP, MAX_ELEMENTS]


async def stamp(page: Any) -> str:
    """Stamp a page of Playwright. Return "", or why it has no stamps; nothing is raised.

    What a page does to the functions of its browser is its own affair: its response is worth more
    than its stamps.
    """
    try:
        evaluated = page.evaluate(stamping_script(), STAMP_ARGUMENTS)
        return str(await asyncio.wait_for(evaluated, _TIMEOUT))
    except Exception as error:
        return first_line(error)


def first_line(error: Exception) -> str:
    r"""Return the type and the first line of the message of an error.

    >>> first_line(ValueError("too long\nand more"))
    'ValueError: too long'
    """
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
