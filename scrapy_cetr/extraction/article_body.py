"""The text that some pages state for programs, as JSON-LD articleBody: shown, or hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_cetr.extraction.characters import INVISIBLES, count_words
from scrapy_cetr.extraction.metadata.evidence import read_evidence

# Fewer words are a summary.
_MIN_WORDS = 50
# A page that shows more of the words than this hides no text.
_MAX_SHOWN = 0.5
_SAMPLE_WORDS = 400
# A page of which more is kept hides nothing.
_LITTLE = 1500

# Runs of so many words are looked for in a text, but not in a book.
_RUN, _BOOK_CHARS = 4, 500_000

_STATED = re.compile(r'"articleBody"\s*:')
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_WORDS = re.compile(r"\w+")


def stated_body(html: str) -> str:
    """Give the text of a page's JSON-LD as paragraphs, if it has one."""
    if not _STATED.search(html):
        return ""
    body = read_evidence(html, url=None).article.get("articleBody")
    if not isinstance(body, str) or count_words(body) < _MIN_WORDS:
        return ""
    lines = INVISIBLES.sub("", _TAG.sub("\n", body)).split("\n")
    return "\n\n".join(" ".join(line.split()) for line in lines if line.strip())


def hides(body: str, *, visible: str, kept: str) -> bool:
    """Tell whether a page states a text and does not show it, and little else was found on it."""
    return len(kept) <= _LITTLE and len(kept) < len(body) and is_hidden(body, visible)


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether a page does not show the text that it states."""
    words = _WORDS.findall(body.lower())[:_SAMPLE_WORDS]
    shown = set(_WORDS.findall(visible.lower()))
    return sum(word in shown for word in words) < _MAX_SHOWN * len(words)


def shares_in(body: str, texts: Sequence[str]) -> list[float]:
    """Tell which share of each text a longer text has in it, by runs of its words.

    >>> shares_in("It was a long day, and nobody went home.", ["A long day", "It was a short day"])
    [1.0, 0.0]
    """
    if len(body) > _BOOK_CHARS:
        return [1.0] * len(texts)
    words = _WORDS.findall(body.lower())
    known = {run for size in range(1, _RUN + 1) for run in _runs(words, size)}
    shares = []
    for text in texts:
        runs = _runs(_WORDS.findall(text.lower()), _RUN)
        shares.append(sum(run in known for run in runs) / len(runs))
    return shares


def _runs(words: list[str], size: int) -> list[tuple[str, ...]]:
    """Give all runs of so many words, or of all if there are fewer."""
    return [tuple(words[first : first + size]) for first in range(max(len(words) - size + 1, 1))]
