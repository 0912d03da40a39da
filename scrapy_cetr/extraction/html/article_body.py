"""The text that some pages state for programs, as JSON-LD articleBody: shown, or hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, tee
from operator import itemgetter

from scrapy_cetr.extraction.html.json_ld import read_things
from scrapy_cetr.extraction.page.characters import INVISIBLES, count_words

# Fewer words are a summary.
_MIN_WORDS = 50
# No text takes more characters of scripts; as things, they would take far more memory.
_MAX_SCRIPTS = 2_000_000
# A page that shows more of the words than this hides no text.
_MAX_SHOWN = 0.5
_SAMPLE_WORDS = 400
# A page of which more is kept hides nothing.
_LITTLE = 1500

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_WORDS = re.compile(r"\w+")


def declared_body(scripts: Sequence[str]) -> str:
    """Give the text in some JSON-LD as paragraphs, if there is one, and not one of several."""
    if sum(map(len, scripts)) > _MAX_SCRIPTS:
        return ""
    stated = [thing.get("articleBody") for thing in read_things(scripts)]
    bodies = {body for body in stated if isinstance(body, str)}
    body = bodies.pop() if len(bodies) == 1 else ""
    if count_words(body) < _MIN_WORDS:
        return ""
    lines = INVISIBLES.sub("", _TAG.sub("\n", body)).split("\n")
    return "\n\n".join(" ".join(line.split()) for line in lines if line.strip())


def hides(body: str, *, visible: str, kept: str) -> bool:
    """Tell whether a page states a text and does not show it, and little else was found on it."""
    return len(kept) <= _LITTLE and len(kept) < len(body) and is_hidden(body, visible)


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether a page does not show the text that it states."""
    words = list(islice(_words_of(body), _SAMPLE_WORDS))
    shown = set(words).intersection(_words_of(visible))
    return sum(word in shown for word in words) < _MAX_SHOWN * len(words)


def shares_in(body: str, texts: Sequence[str]) -> list[float]:
    """Tell which share of each text is in a longer one, by runs of four words; 1 for shorter texts.

    >>> shares_in("It was a long day, and nobody slept.", ["A LONG DAY AND", "It was a bad day"])
    [1.0, 0.0]
    """
    known: set[tuple[str, ...]] = set()
    shares = []
    behind = 0
    for text in texts:
        # Most texts are in it as they are, one behind the other.
        place = body.find(text, behind)
        if place >= 0:
            behind = place + len(text)
        if place >= 0 or text in body:
            shares.append(1.0)
            continue
        known = known or set(_runs(_WORDS.findall(body.lower())))
        found = list(map(known.__contains__, _runs(_words_of(text))))
        shares.append(sum(found) / len(found) if found else 1.0)
    return shares


def _words_of(text: str) -> Iterator[str]:
    """Give words one by one, as all those of a long text would be far larger than it is."""
    return map(itemgetter(0), _WORDS.finditer(text.lower()))


def _runs(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    columns = enumerate(tee(words, 4))
    return zip(*(islice(column, place, None) for place, column in columns), strict=False)
