"""The kinds of characters: white space, invisible ones, marks, letters, ideographs."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import columns, loops
from scrapy_cetr.extraction.columns import Ints, UInt8s, chunks, code_points

# The kinds up to CONTROL are not visible. BROKEN is the replacement of bytes that could not be
# decoded. A word is a run of characters from DIGIT to LETTER, or a single ideograph.
BLANK, INVISIBLE, CONTROL, BROKEN, MARK, CLOSING, COLON = range(7)
QUESTION, STOP, COMMA, DIGIT, CAPITAL, LETTER, IDEOGRAPH = range(7, 14)

# Invisible characters, which some databases refuse: control characters, soft hyphens, byte order
# marks and lone surrogates.
INVISIBLES = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\ufeff\ud800-\udfff]+")
# Scripts without spaces between words: each character counts as a word.
_IDEOGRAPHIC = ("CJK ", "HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA ", "BOPOMOFO ")
# The underscore and the two zero-width joiners may be between the letters of one word.
_INSIDE_WORDS = "_\u200c\u200d"
# The punctuation marks of many scripts: for the end of a question or of another sentence, for parts
# of a sentence, and for the end of a quotation.
_QUESTIONS = "?？؟፧"
_STOPS = ".!…。！｡۔।॥։።၊။។"
_COMMAS = ",，、､،፣"
_COLONS = ":："
_CLOSING = "\"'”’»」』)）"
_MARKS = {_QUESTIONS: QUESTION, _STOPS: STOP, _COMMAS: COMMA, _COLONS: COLON, _CLOSING: CLOSING}


def character_kinds(text: str) -> UInt8s:
    """Return the kind of each character.

    >>> character_kinds("a, 中").tolist() == [LETTER, COMMA, BLANK, IDEOGRAPH]
    True
    """
    return loops.character_kinds(text, _kind_table())


def trimmed(kinds: UInt8s, begins: Ints, ends: Ints) -> Ints:
    """Move begins and ends of parts of a text, in order, over white space: two lines.

    >>> begins, ends = np.array([0, 2], np.int32), np.array([3, 5], np.int32)
    >>> trimmed(character_kinds(" a b "), begins, ends).tolist()
    [[1, 3], [2, 4]]
    """
    return loops.trimmed(kinds, begins, ends, BLANK)


def word_starts(kinds: UInt8s, *cuts: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark where words begin: runs of letters and digits, cut at ``cuts``; single ideographs."""
    unseen = (kinds == INVISIBLE) | (kinds == CONTROL)
    if unseen.any():
        # They belong to the character before them, and do not divide a word.
        kinds = _continued(kinds, unseen)
    letters = (kinds >= DIGIT) & (kinds <= LETTER)
    first: NDArray[np.bool_] = letters.copy()
    first[1:] &= ~letters[:-1]
    for offsets in cuts:
        for chunk in chunks(len(offsets)):
            part = offsets[chunk]
            part = part[part < len(kinds)]
            first[part] = letters[part]
    first |= kinds == IDEOGRAPH
    return first


def _continued(kinds: UInt8s, unseen: NDArray[np.bool_]) -> UInt8s:
    """Give each character that is not seen the kind of the last one that is."""
    kinds = kinds.copy()
    for chunk in chunks(len(kinds)):
        # The first character of the next chunk goes along, and has its kind when that comes.
        now = slice(chunk.start, chunk.stop + 1)
        seen = np.where(unseen[now], 0, np.arange(len(kinds[now])))
        kinds[now] = kinds[now][np.maximum.accumulate(seen)]
    return kinds


def offsets_of(char: str, text: str) -> NDArray[np.int32]:
    """Find all offsets of an ASCII character in a text.

    >>> offsets_of("b", "abäb").tolist()
    [1, 3]
    """
    offsets = [np.zeros(0, np.int32)]
    for chunk in chunks(len(text)):
        found = np.flatnonzero(code_points(text[chunk]) == ord(char))
        offsets.append((found + chunk.start).astype(np.int32))
    return np.concatenate(offsets)


def flags_of(char: str, text: str) -> NDArray[np.bool_]:
    """Mark all occurrences of an ASCII character in a text.

    >>> flags_of("b", "abäb").tolist()
    [False, True, False, True]
    """
    flags = np.empty(len(text), np.bool_)
    for chunk in chunks(len(text)):
        np.equal(code_points(text[chunk]), ord(char), out=flags[chunk])
    return flags


def spaced_at(text: str, offsets: NDArray[np.int32]) -> str:
    """Insert a space into a text before the character at each of the offsets.

    >>> spaced_at("abäb", np.array([1, 3, 4]))
    'a bä b '
    """
    points = code_points(text)
    spaced = np.insert(points, offsets, ord(" ")).tobytes()
    if points.itemsize == 1:
        return spaced.decode("ascii")
    return spaced.decode("utf-32-le", "surrogatepass")


def single_spaced(text: str) -> str:
    r"""Replace each run of white space by one space, and remove invisible characters.

    >>> single_spaced(" soft\xadly \n\xa0 does it")
    'softly does it'
    """
    if len(text) <= columns.CHUNK:
        spaced = " ".join(text.split())
        # Invisible characters are not printable, and rare.
        if spaced.isprintable():
            return spaced
    written: list[str] = []
    apart = False
    for chunk in chunks(len(text)):
        part = INVISIBLES.sub("", text[chunk])
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
    """Tabulate the kinds of characters up to the last ideographs; all after them have the last."""
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
