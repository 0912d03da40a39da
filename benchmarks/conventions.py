"""The conventions of corpora: which parts besides the text their gold texts have."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.contenders import Contender
from scrapy_cetr.extraction.options import DEFAULT_PARTS

# As the descriptions of the corpora say, and as most of their pages are. Other corpora have the
# default parts: fundus, magic, misinformation and wcxb leave headlines out.
ADDED: Mapping[str, Sequence[str]] = {
    "big9": ("headline",),
    "chaos": ("headline",),
    "cleaneval": ("headline", "byline", "caption", "comment"),
    "cleanportal": ("headline",),
    "dragnet": ("headline", "byline", "comment"),
    "forum": ("headline", "comment"),
    "googletrends": ("headline", "byline"),
    "l3s-gn1": ("headline", "byline", "caption"),
    "waddle": ("headline",),
    "zh": ("byline",),
}


def parts_of(corpus: str) -> tuple[str, ...]:
    """Return the parts that the gold texts of a corpus have.

    >>> parts_of("waddle")[-1], parts_of("fundus") == DEFAULT_PARTS
    ('headline', True)
    """
    return (*DEFAULT_PARTS, *ADDED.get(corpus, ()))


def with_parts(contenders: Sequence[Contender], corpus: str) -> list[Contender]:
    """Give the methods of scrapy-cetr the parts of a corpus; peers stay as they are."""
    parts = ("parts", parts_of(corpus))
    return [
        contender if contender.is_peer else replace(contender, options=(parts, *contender.options))
        for contender in contenders
    ]
