"""Lines of code, with their indentation."""

from __future__ import annotations

from scrapy_cetr.extraction.page.characters import INVISIBLES


def code_line(text: str) -> str:
    r"""Return a line of code without white space at its end.

    >>> code_line("\n    return 1 \n")
    '    return 1'
    """
    # A piece begins with the end of the line before it, and may have blank lines.
    inner = text.rstrip()
    blank = len(inner) - len(inner.lstrip())
    line = inner[max(inner.rfind("\n", 0, blank), inner.rfind("\r", 0, blank)) + 1 :]
    return INVISIBLES.sub("", line.replace("\xa0", " "))
