"""The text that some pages declare as articleBody in JSON-LD, shown on the page or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from scrapy_cetr.extraction.elements import BLOCK, SEPARATORS
from scrapy_cetr.extraction.html.json_ld import read_objects
from scrapy_cetr.extraction.page.characters import INVISIBLES, count_words

# A body of fewer words is a summary.
_MIN_WORDS = 50
# No article needs longer scripts; parsed, they would take several times their memory.
_MAX_SCRIPT_CHARS = 2_000_000

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_WORDS = re.compile(r"\w+")


def declared_body(scripts: Sequence[str]) -> str:
    """Return the articleBody of JSON-LD scripts as paragraphs; "" for none or several."""
    if sum(map(len, scripts)) > _MAX_SCRIPT_CHARS:
        return ""
    declared = [one.get("articleBody") for one in read_objects(scripts)]
    bodies = {body for body in declared if isinstance(body, str)}
    body = bodies.pop() if len(bodies) == 1 else ""
    if count_words(body) < _MIN_WORDS:
        return ""
    lines = INVISIBLES.sub("", _TAG.sub("\n", body)).split("\n")
    return SEPARATORS[BLOCK].join(" ".join(line.split()) for line in lines if line.strip())


def iter_words(text: str) -> Iterator[str]:
    """Yield lower-case words, to compare a declared text with the text of the page.

    Unlike the words that are counted, a run of ideographs is one word: runs of words are compared.
    A list of all words would take far more memory than the text.
    """
    return map(itemgetter(0), _WORDS.finditer(text.lower()))
