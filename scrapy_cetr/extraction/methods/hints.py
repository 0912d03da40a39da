"""What the classes and ids of a page's elements hint at, in words that page authors share."""

from __future__ import annotations

import re
from functools import lru_cache

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
    "body": "body content article entry post story text main copy prose paragraph rich markdown"
    " wysiwyg",
    "lead": "lead lede intro standfirst summary excerpt subtitle subhead dek abstract descript",
    "hidden": "hidden hide modal popup overlay dialog dropdown tooltip collapse offscreen sr"
    " visually noprint drawer print",
    "tags": "tag categor topic label keyword",
    "search": "search form filter sort input select button btn",
    "list": "list grid item feed archive row tile cell index loop",
    "quote": "quote pull embed tweet instagram",
    "guide": "faq accordion question answer step instruct ingredient recipe spec feature product"
    " price",
    "forum": "signature postbit message thread forum",
}

# Shorter stems are found in too many words.
_SHORTEST_PART = 4
_LONGEST_LABEL = 200
_PART = re.compile("[A-Z]?[a-z]{1,20}|[A-Z]{2,20}")


def _stems() -> dict[str, int]:
    """Give each stem the bits of what it hints at."""
    stems: dict[str, int] = {}
    for place, words in enumerate(HINTS.values()):
        for stem in words.split():
            stems[stem] = stems.get(stem, 0) | 1 << place
    return stems


_STEMS = _stems()
_LENGTHS = sorted({len(stem) for stem in _STEMS if len(stem) >= _SHORTEST_PART})


def hints_of(label: str) -> int:
    """Say what a label hints at, one bit for each of HINTS.

    >>> [name for place, name in enumerate(HINTS) if hints_of("postContent nav-top") >> place & 1]
    ['nav', 'head', 'body']
    """
    hints = 0
    for word in label[:_LONGEST_LABEL].split():
        hints |= _hints_of_word(word)
    return hints


# The pages of a site have the same words, and those of other sites the same parts of words.
@lru_cache(maxsize=1 << 14)
def _hints_of_word(word: str) -> int:
    hints = 0
    for part in _PART.findall(word):
        hints |= _hints_of_part(part.lower())
    return hints


@lru_cache(maxsize=1 << 14)
def _hints_of_part(part: str) -> int:
    hints = _STEMS.get(part, 0)
    for length in _LENGTHS:
        for start in range(len(part) - length + 1):
            hints |= _STEMS.get(part[start : start + length], 0)
    return hints
