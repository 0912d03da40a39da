"""The kinds of characters, and parts of a text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scrapy_cetr.extraction.columns import Ints, UInt8s, chunks, code_points
from scrapy_cetr.extraction.loops._numpy_columns import sums_between


def character_kinds(text: str, table: UInt8s) -> UInt8s:
    """Look up each character of a text in a table; those after its end have its last element.

    >>> character_kinds("aé", np.arange(128, dtype=np.uint8)).tolist()
    [97, 127]
    """
    kinds = np.empty(len(text), np.uint8)
    for chunk in chunks(len(text)):
        table.take(code_points(text[chunk]), mode="clip", out=kinds[chunk])
    return kinds


def trimmed(kinds: UInt8s, begins: Ints, ends: Ints, blank: int) -> Ints:
    """Move the ascending begins and ends of parts of a text over white space at both ends.

    Returns two lines, the begins and the ends. A part of white space alone is empty at its end.

    >>> begins, ends = np.array([0, 2], np.int32), np.array([3, 5], np.int32)
    >>> trimmed(np.array([0, 1, 0, 1, 0], np.uint8), begins, ends, 0).tolist()
    [[1, 3], [2, 4]]
    """
    if not len(begins):
        return np.zeros((2, 0), np.int32)
    # Only the bytes that these parts cover, as there may be many chunks of parts.
    low, space = int(begins[0]), bytes((blank,))
    data = kinds[low : int(ends[-1])].tobytes()
    bounds = zip((begins - low).tolist(), (ends - low).tolist(), strict=True)
    parts = [data[begin:end].lstrip(space) for begin, end in bounds]
    first = ends - np.array([len(part) for part in parts], np.int32)
    return np.array((first, first + [len(part.rstrip(space)) for part in parts]), np.int32)


def tidy_pieces(
    text: str, begins: Ints, ends: Ints, single_spaced: Callable[[str], str]
) -> list[str]:
    """Cut pieces out of a text, and apply ``single_spaced`` to those that need it.

    Most pieces are printable and have no two spaces in a row.
    """
    bounds = zip(begins.tolist(), ends.tolist(), strict=True)
    pieces = [text[begin:end] for begin, end in bounds]
    # The space is the only white space that is printable.
    return [
        single_spaced(piece) if "  " in piece or not piece.isprintable() else piece
        for piece in pieces
    ]


def count_kinds(kinds: UInt8s, begins: Ints, ends: Ints, groups: UInt8s) -> Ints:
    """Count the characters of each group of kinds in each part of a text: groups × parts.

    A group, a line of ``groups``, is the first and the last of its kinds.
    """
    counts = np.empty((len(groups), len(begins)), np.int32)
    edges = np.stack((begins, ends), axis=1).ravel()
    # One group after the other, as the flags of each are as large as the text.
    for count, (first, last) in zip(counts, groups, strict=True):
        count[:] = sums_between((kinds >= first) & (kinds <= last), edges)[::2]
    return counts


def count_chars(kinds: UInt8s, bounds: Ints, last_unseen: int) -> Ints:
    """Count the characters between each bound and the next as they are read.

    Runs of white space and other kinds up to ``last_unseen`` count as one space between words,
    and not at all at the ends of a row.
    """
    shown = kinds > last_unseen
    # Each visible character counts, and once more where white space is before it,
    weights = shown.astype(np.uint8)
    weights[1:] += shown[1:] > shown[:-1]
    weights[:1] *= 2
    chars = sums_between(weights, bounds)
    # but not where a row begins, unless its first character continues a word.
    if len(kinds):
        chars -= (chars > 0) & (weights.take(bounds[:-1], mode="clip") != 1)
    return chars
