"""See ``_numpy``."""

from __future__ import annotations

from scrapy_cetr.extraction.loops.strings import Strings


def count_strings(text: str, strings: Strings) -> list[int]:
    """Return how often each of some strings is in a text; none of them overlaps with itself."""
    return [text.count(string) for string in strings.strings]
