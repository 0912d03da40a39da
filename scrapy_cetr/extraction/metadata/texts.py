"""Text helpers for metadata: words of titles, their similarity, and the text of elements."""

from __future__ import annotations

import re
from functools import lru_cache

from turbohtml import Element

from scrapy_cetr.extraction.page.characters import INVISIBLES

# Longer values are truncated.
MAX_VALUE = 5000

_WORDS = re.compile(r"\w+")
# Separators between a headline and a site name. The lookbehind makes a run of white space match
# from its start only, which keeps the time linear.
SEPARATOR = re.compile(
    r"(?<!\s)\s++[|\-–—·•»«:~/]+\s+|(?<!\s)\s*+[|»·•]\s*|:\s+(?=[^:]*$)|_(?=[^_]*$)"
)
SEPARATOR_AT_END = re.compile(rf"(?:{SEPARATOR.pattern})$")


@lru_cache(maxsize=256)
def title_words(text: str) -> tuple[str, ...]:
    """Return the lower-case words of a title or a name, for comparisons.

    This differs from ``page.words.words_of``: apostrophes do not split a word, because pages
    write them inconsistently, and a run of ideographs is one word, because titles and site names
    are compared as wholes.

    >>> title_words("The Harbour’s Master - News")
    ('the', 'harbours', 'master', 'news')
    >>> title_words("港口新闻 2025")
    ('港口新闻', '2025')
    """
    return tuple(_WORDS.findall(text.lower().replace("’", "").replace("'", "")))


def similarity(one: str, other: str) -> float:
    """Return the Jaccard similarity of the words of two titles, from 0 to 1.

    >>> similarity("Bridge closed", "Bridge closed until May")
    0.5
    """
    first, second = set(title_words(one)), set(title_words(other))
    return len(first & second) / max(len(first | second), 1)


def one_line(text: str) -> str:
    """Return a text on one line, without invisible characters."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join(INVISIBLES.sub("", line).split())


def element_text(element: Element) -> str:
    """Return the rendered text of an element on one line, truncated to MAX_VALUE characters."""
    return one_line(element.to_text())[:MAX_VALUE]
