"""What the classes and ids of a page's elements hint at, in words that page authors share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops

# Words of labels, or parts of words; a short one is a word of its own.
HINTS = {
    "comment": "comment disqus repl respon discuss feedback review",
    "related": "relat recommend more teaser also similar trend popular mostread latest recent"
    " suggest outbrain taboola promo card recirc upnext carousel slider swiper",
    "nav": "nav menu breadcrumb crumb pagin pager toolbar tab toc jump skip",
    "share": "shar social follow facebook twitter whatsapp addthis tool",
    "foot": "foot copyright legal imprint disclaimer bottom colophon",
    "head": "header masthead banner top logo brand",
    "side": "side rail aside widget secondary tertiary",
    "ad": "ad ads advert sponsor dfp gpt adsense commercial affiliate",
    "letter": "newsletter subscri signup optin donat paywall member regist login signin mailing"
    " cta",
    "cookie": "cookie consent gdpr privacy ccpa notice",
    "author": "author byline writer bio profile avatar user",
    "date": "date time publish posted meta info stamp kicker",
    "caption": "caption credit photo image img figure gallery media video picture thumb",
    "title": "title headline heading hed",
    "body": "body content article entry post story text main prose paragraph rich markdown wysiwyg",
    "lead": "lead lede intro standfirst summary excerpt subtitle subhead dek abstract descript",
    "hidden": "hidden hide modal popup overlay dialog dropdown tooltip collapse offscreen sr"
    " visually noprint drawer print",
    "tags": "tag categor topic label keyword",
    "search": "search form filter sort input select button btn",
    "list": "list grid item feed archive row tile cell index loop",
    "quote": "quote pull embed tweet instagram",
    "faq": "faq accordion question answer",
    "guide": "step instruct ingredient recipe spec feature product price",
    "forum": "signature postbit message thread forum",
}

# A shorter stem is part of too many words, and has to be a word of its own.
_SHORTEST_PART = 4
_LONGEST_LABEL = 200
# Labels are compared in lower case, with this for all but letters.
_APART = "-"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(
    ord(letter if letter in _ALPHABET else _APART)
    for letter in (chr(code).lower() for code in range(128))
).ljust(256, _APART.encode())


def _stems() -> loops.Stems:
    """Tabulate the stems, each with a bit for every hint that it is a word of."""
    bits: dict[str, int] = {}
    for index, words in enumerate(HINTS.values()):
        for word in words.split():
            stem = word if len(word) >= _SHORTEST_PART else f"{_APART}{word}{_APART}"
            bits[stem] = bits.get(stem, 0) | 1 << index
    return loops.Stems(bits, _APART)


_STEMS = _stems()


def hints_of(labels: Sequence[str]) -> NDArray[np.int64]:
    """Say what each label hints at, one bit for each of HINTS.

    >>> (found,) = hints_of(["postContent nav-top"]).tolist()
    >>> [name for place, name in enumerate(HINTS) if found >> place & 1]
    ['nav', 'head', 'body']
    """
    return loops.class_hints(list(labels), _STEMS, _LETTERS, _LONGEST_LABEL)
