"""What the characters of a text are: white space, letters, ideographs, or nothing to be seen."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Ints, UInt8s
from scrapy_cetr.extraction.loops import compiled

# Up to CONTROL they are not seen; BROKEN stands for bytes that could not be decoded; words are
# made of what is between DIGIT and LETTER, and of single ideographs.
BLANK, INVISIBLE, CONTROL, BROKEN, MARK, CLOSING, COLON = range(7)
QUESTION, STOP, COMMA, DIGIT, CAPITAL, LETTER, IDEOGRAPH = range(7, 14)

# What nobody sees, and some databases refuse: control characters, soft hyphens, byte order marks
# and lone surrogates.
INVISIBLES = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\ufeff\ud800-\udfff]+")
# Scripts that are written without spaces: each character counts as a word.
_IDEOGRAPHIC = ("CJK ", "HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA ", "BOPOMOFO ")
# The low line and the two zero-width joiners stand between letters of one word.
_INSIDE_WORDS = "_\u200c\u200d"
# What ends a question or another sentence, what divides one and what closes a quotation, in
# scripts that mark it.
_QUESTIONS = "?？؟፧"
_STOPS = ".!…。！｡۔।॥։።၊။។"
_COMMAS = ",，、､،፣"
_COLONS = ":："
_CLOSING = "\"'”’»」』)）"
_MARKS = {_QUESTIONS: QUESTION, _STOPS: STOP, _COMMAS: COMMA, _COLONS: COLON, _CLOSING: CLOSING}
# So many characters are looked up in one go, to bound the memory that it takes.
_AT_ONCE = 1 << 18


def character_kinds(text: str) -> UInt8s:
    """Say of each character what kind it is.

    >>> character_kinds("a, 中").tolist() == [LETTER, COMMA, BLANK, IDEOGRAPH]
    True
    """
    if compiled.COMPILED:
        return compiled.loops.character_kinds(text, _kind_table())
    table, kinds = _kind_table(), np.empty(len(text), np.uint8)
    for first in range(0, len(text), _AT_ONCE):
        part = _code_points(text[first : first + _AT_ONCE])
        table.take(part, mode="clip", out=kinds[first : first + len(part)])
    return kinds


def _code_points(text: str) -> NDArray[np.uint8 | np.int32]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)


def trimmed(text: str, kinds: UInt8s, begins: Ints, ends: Ints) -> Ints:
    """Leave white space out at both ends of parts of a text, and say where they begin and end.

    >>> text, begins, ends = " a b ", np.array([0, 2], np.int32), np.array([3, 5], np.int32)
    >>> trimmed(text, character_kinds(text), begins, ends).tolist()
    [[1, 3], [2, 4]]
    """
    if compiled.COMPILED:
        return compiled.loops.trimmed(kinds, begins, ends, BLANK)
    bounds = zip(begins.tolist(), ends.tolist(), strict=True)
    parts = [text[begin:end].lstrip() for begin, end in bounds]
    first = ends - np.array([len(part) for part in parts], np.int32)
    return np.array((first, first + [len(part.rstrip()) for part in parts]), np.int32)


def word_starts(kinds: UInt8s, *cuts: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark where words begin: runs of letters and digits, cut at ``cuts``; single ideographs."""
    unseen = (kinds == INVISIBLE) | (kinds == CONTROL)
    if unseen.any():
        # They go with what is before them, and do not part a word.
        kinds = _continued(kinds, unseen)
    letters = (kinds >= DIGIT) & (kinds <= LETTER)
    first: NDArray[np.bool_] = letters.copy()
    first[1:] &= ~letters[:-1]
    for places in cuts:
        # A part of them at a time, as numpy makes larger numbers of places.
        for begin in range(0, len(places), _AT_ONCE):
            part = places[begin : begin + _AT_ONCE]
            part = part[part < len(kinds)]
            first[part] = letters[part]
    first |= kinds == IDEOGRAPH
    return first


def _continued(kinds: UInt8s, unseen: NDArray[np.bool_]) -> UInt8s:
    """Give what is not seen the kind of what is seen before it."""
    kinds = kinds.copy()
    for first in range(0, len(kinds), _AT_ONCE):
        # The last of them is the first of the next.
        now = slice(first, first + _AT_ONCE + 1)
        seen = np.where(unseen[now], 0, np.arange(len(kinds[now])))
        kinds[now] = kinds[now][np.maximum.accumulate(seen)]
    return kinds


def places_of(char: str, text: str) -> NDArray[np.int32]:
    """Find all places of an ASCII character in a text.

    >>> places_of("b", "abäb").tolist()
    [1, 3]
    """
    places = [np.zeros(0, np.int32)]
    for first in range(0, len(text), _AT_ONCE):
        found = np.flatnonzero(_code_points(text[first : first + _AT_ONCE]) == ord(char))
        places.append((found + first).astype(np.int32))
    return np.concatenate(places)


def flags_of(char: str, text: str) -> NDArray[np.bool_]:
    """Mark all places of an ASCII character in a text.

    >>> flags_of("b", "abäb").tolist()
    [False, True, False, True]
    """
    flags = np.empty(len(text), np.bool_)
    for first in range(0, len(text), _AT_ONCE):
        part = _code_points(text[first : first + _AT_ONCE])
        np.equal(part, ord(char), out=flags[first : first + len(part)])
    return flags


def spaced_at(text: str, places: NDArray[np.int32]) -> str:
    """Put a space into a text before the character at each of the places.

    >>> spaced_at("abäb", np.array([1, 3, 4]))
    'a bä b '
    """
    points = _code_points(text)
    spaced = np.insert(points, places, ord(" ")).tobytes()
    if points.itemsize == 1:
        return spaced.decode("ascii")
    return spaced.decode("utf-32-le", "surrogatepass")


def single_spaced(text: str) -> str:
    r"""Make one space of each run of white space, and nothing of what nobody sees.

    >>> single_spaced(" soft\xadly \n\xa0 does it")
    'softly does it'
    """
    if len(text) <= _AT_ONCE:
        spaced = " ".join(text.split())
        # What nobody sees is not printable; there rarely is any.
        if spaced.isprintable():
            return spaced
    written: list[str] = []
    apart = False
    for first in range(0, len(text), _AT_ONCE):
        part = INVISIBLES.sub("", text[first : first + _AT_ONCE])
        words = " ".join(part.split())
        if words:
            written += (" " if apart or part[0].isspace() else "", words)
        apart = part[-1].isspace() if part else apart
    return "".join(written).strip()


def count_words(text: str) -> int:
    """Count the words of a text.

    >>> count_words("Two words, 中文。")
    4
    """
    return int(word_starts(character_kinds(text)).sum())


@cache
def _kind_table() -> UInt8s:
    """Tabulate the kinds of characters, up to the last ideographs; what follows them is clipped."""
    table = np.full(0x323B1, MARK, np.uint8)
    table[0x3400:0xA000] = table[0x20000:0x323B0] = IDEOGRAPH
    table[0xAC00:0xD7A4] = LETTER
    table[0xD800:0xE000] = CONTROL
    for code in (
        *range(0x3400),
        *range(0xA000, 0xAC00),
        *range(0xD7A4, 0xD800),
        *range(0xF900, 0x10000),
    ):
        table[code] = _kind(chr(code))
    return table


def _kind(char: str) -> int:
    group = unicodedata.category(char)
    if INVISIBLES.match(char):
        return INVISIBLE if group == "Cf" else CONTROL
    if char == "\ufffd":
        return BROKEN
    if char.isspace():
        return BLANK
    if group == "Lo" and unicodedata.name(char, "").startswith(_IDEOGRAPHIC):
        return IDEOGRAPH
    if char.isalnum() or group[0] == "M" or char in _INSIDE_WORDS:
        return DIGIT if group == "Nd" else CAPITAL if group in ("Lu", "Lt") else LETTER
    for marks, kind in _MARKS.items():
        if char in marks:
            return kind
    return MARK
