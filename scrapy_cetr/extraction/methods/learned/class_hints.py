"""Class hints: what the classes and ids of elements say about their content.

Page authors share many of the words that they use in class names: comment, nav, byline. A class
name here is the text of an element's class and id attributes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.loops import compiled

# The stems that stand for each hint.
CLASS_HINTS = {
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

# A shorter stem occurs in too many words, so it has to be a whole word.
_SHORTEST_PART = 4
_LONGEST_LABEL = 200
# So many labels are looked at in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 12
# Class names are compared in lower case, with all but letters replaced by this.
_APART = "-"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(
    ord(letter if letter in _ALPHABET else _APART)
    for letter in (chr(code).lower() for code in range(128))
).ljust(256, _APART.encode())

# Stems are found by their first four letters, read as one number, and then by the next eight.
_BEGIN, _REST = np.dtype("<u4"), np.dtype("<u8")
_SLOT_BITS = 12


def _slots(begins: NDArray[np.uint32], factor: int) -> NDArray[np.uint32]:
    """Return the slot of each number in the hash table."""
    slots: NDArray[np.uint32] = begins * _BEGIN.type(factor)
    slots >>= _BEGIN.type(32 - _SLOT_BITS)
    return slots


def _number(letters: bytes, kind: np.dtype[Any]) -> int:
    return int.from_bytes(letters[: kind.itemsize], "little")


class Stems:
    """A hash table of all stems.

    ``begin`` has the first letters by slot. Stems with the same beginning share a slot: ``rest``,
    ``mask`` and ``hints`` are by rank and slot.
    """

    shift = 32 - _SLOT_BITS

    def __init__(self) -> None:
        hints: dict[bytes, int] = {}
        for bit, words in enumerate(CLASS_HINTS.values()):
            for word in words.split():
                part = word if len(word) >= _SHORTEST_PART else f"{_APART}{word}{_APART}"
                hints[part.encode()] = hints.get(part.encode(), 0) | 1 << bit
        begins = np.array([_number(stem, _BEGIN) for stem in hints], _BEGIN)
        self.factor = _factor_for(np.unique(begins))
        slots = _slots(begins, self.factor).tolist()
        self.begin = np.zeros(1 << _SLOT_BITS, _BEGIN)
        self.begin[slots] = begins
        ranks = max(Counter(slots).values())
        self.rest, self.mask = np.zeros((2, ranks, len(self.begin)), _REST)
        self.hints = np.zeros((ranks, len(self.begin)), np.int64)
        filled: Counter[int] = Counter()
        for (stem, found), slot in zip(hints.items(), slots, strict=True):
            rest, rank = stem[_BEGIN.itemsize :], filled[slot]
            self.rest[rank, slot] = _number(rest, _REST)
            self.mask[rank, slot] = _number(b"\xff" * len(rest), _REST)
            self.hints[rank, slot] = found
            filled[slot] += 1


def _factor_for(begins: NDArray[np.uint32]) -> int:
    """Return a factor with which no two beginnings share a slot."""
    factors = count(2654435761, 2)
    return next(odd for odd in factors if len(np.unique(_slots(begins, odd))) == len(begins))


_STEMS = Stems()


def class_hints(class_names: Sequence[str]) -> NDArray[np.int64]:
    """Return the hints in each class name, one bit for each of CLASS_HINTS.

    >>> (found,) = class_hints(["postContent nav-top"]).tolist()
    >>> [name for bit, name in enumerate(CLASS_HINTS) if found >> bit & 1]
    ['nav', 'head', 'body']
    """
    # The tables are of numbers as most processors have them.
    if compiled.COMPILED and sys.byteorder == "little":
        return compiled.loops.hints_of(list(class_names), _STEMS, _LETTERS, _LONGEST_LABEL)
    starts = range(0, len(class_names), _AT_ONCE)
    parts = (class_names[first : first + _AT_ONCE] for first in starts)
    return np.concatenate([np.zeros(0, np.int64), *map(_hints_of_some, parts)])


def _hints_of_some(labels: Sequence[str]) -> NDArray[np.int64]:
    cut = [label[:_LONGEST_LABEL] for label in labels]
    text = _APART + _APART.join(cut)
    padding = _APART.encode() * (_BEGIN.itemsize + _REST.itemsize)
    letters = text.encode("latin-1", "replace").translate(_LETTERS) + padding
    begins = np.ndarray(len(text), _BEGIN, letters, strides=(1,))
    slots = _slots(begins, _STEMS.factor)
    found = np.flatnonzero(_STEMS.begin[slots] == begins)
    slots = slots[found]
    rests = np.ndarray(len(text), _REST, letters, offset=_BEGIN.itemsize, strides=(1,))[found]
    hints = np.zeros(len(found), np.int64)
    for rest, mask, hint in zip(_STEMS.rest, _STEMS.mask, _STEMS.hints, strict=True):
        hints |= np.where(rests & mask[slots] == rest[slots], hint[slots], 0)
    # Each label begins behind the mark before it, which belongs to it.
    sizes = np.fromiter(map(len, cut), np.intp, len(cut)) + 1
    label = np.searchsorted(np.cumsum(sizes), found, side="right")
    of_labels = np.zeros(len(cut), np.int64)
    np.bitwise_or.at(of_labels, label, hints)
    return of_labels
