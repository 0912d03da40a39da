"""How much of a row is in the text that the page declares as JSON-LD articleBody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, tee

from scrapy_cetr.extraction.html.article_body import iter_words

_RUN_WORDS = 4


def shares_in(body: str, texts: Sequence[str]) -> list[float]:
    """Return the share of each text that is in a longer one, by runs of four words.

    The share of a text with fewer words is 1.

    >>> shares_in("It was a long day, and nobody slept.", ["A LONG DAY AND", "It was a bad day"])
    [1.0, 0.0]
    """
    known: set[tuple[str, ...]] = set()
    shares = []
    after = 0
    for text in texts:
        # Most texts are in it unchanged, one after the other.
        index = body.find(text, after)
        if index >= 0:
            after = index + len(text)
        if index >= 0 or text in body:
            shares.append(1.0)
            continue
        known = known or set(_runs(iter_words(body)))
        found = list(map(known.__contains__, _runs(iter_words(text))))
        shares.append(sum(found) / len(found) if found else 1.0)
    return shares


def _runs(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield all runs of consecutive words."""
    columns = enumerate(tee(words, _RUN_WORDS))
    return zip(*(islice(column, offset, None) for offset, column in columns), strict=False)
