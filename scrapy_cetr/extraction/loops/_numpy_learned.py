"""Class hints, what containers inherit, and the elementwise steps of the network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools, Indices, chunks
from scrapy_cetr.extraction.loops.stems import BEGIN, REST, Stems

Matrix = NDArray[np.float32]

# A class name takes far more memory than a number.
_NAME_WEIGHT = 64


def class_hints(
    class_names: list[str], stems: Stems, letters: bytes, longest: int
) -> NDArray[np.int64]:
    """Combine the bits of all stems that each class name contains.

    ``letters`` translates the first 256 characters to lower-case letters, or to the mark between
    words, which also surrounds a name. Only the first ``longest`` characters of a name count.
    """
    found = [_hints(class_names[now], stems, letters, longest) for now in _parts(class_names)]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _parts(class_names: list[str]) -> list[slice]:
    return list(chunks(len(class_names), weight=_NAME_WEIGHT))


def _hints(class_names: list[str], stems: Stems, letters: bytes, longest: int) -> NDArray[np.int64]:
    cut = [name[:longest] for name in class_names]
    text = stems.mark + stems.mark.join(cut)
    padding = stems.mark.encode() * (BEGIN.itemsize + REST.itemsize)
    data = text.encode("latin-1", "replace").translate(letters) + padding
    begins = np.ndarray(len(text), BEGIN, data, strides=(1,))
    slots = stems.slots(begins)
    found = np.flatnonzero(stems.begin[slots] == begins)
    slots = slots[found]
    rests = np.ndarray(len(text), REST, data, offset=BEGIN.itemsize, strides=(1,))[found]
    hints = np.zeros(len(found), np.int64)
    place, stem, end = np.arange(len(found)), stems.first[slots], stems.first[slots + 1]
    while len(place):
        equal = rests[place] & stems.mask[stem] == stems.rest[stem]
        hints[place[equal]] |= stems.bits[stem[equal]]
        # Most stems share their beginning with no other.
        more = np.flatnonzero(stem + 1 < end)
        place, stem, end = place[more], stem[more] + 1, end[more]
    # The mark before a name belongs to it.
    sizes = np.fromiter(map(len, cut), np.intp, len(cut)) + 1
    name = np.searchsorted(np.cumsum(sizes), found, side="right")
    of_names = np.zeros(len(cut), np.int64)
    np.bitwise_or.at(of_names, name, hints)
    return of_names


def inherit(
    parent: Indices, bits: NDArray[np.int64], stops: Bools
) -> tuple[NDArray[np.int64], Indices, Indices]:
    """Pass bits down a tree in preorder, whose first node is its own parent.

    Returns for each node the bits of it and of all nodes above it, its depth, and its branch: the
    highest node above it, or itself, that is below a stop. A stop is its own branch.
    """
    if not len(bits) == len(stops) == len(parent):
        raise ValueError("columns of other lengths")
    own = np.arange(len(parent))
    if (parent[1:] >= own[1:]).any() or (parent < 0).any():
        raise ValueError("a parent does not come before its child")
    depth = np.minimum(own, 1)
    branch = np.where(stops | stops[parent], own, parent)
    # Each round reaches twice as far up as the one before.
    while parent.any():
        bits = bits | bits[parent]
        depth = depth + depth[parent]
        branch = branch[branch]
        parent = parent[parent]
    # The bits of the first node are still missing elsewhere.
    return bits | bits[:1], depth, branch


def clipped(matrix: Matrix, low: Matrix, high: Matrix) -> Matrix:
    """Return a copy of a matrix, each line of it clipped between its own limits."""
    taken = np.minimum(matrix, high[:, None])
    return np.maximum(taken, low[:, None], out=taken)


def rectify(matrix: Matrix, bias: Matrix) -> None:
    """Add a bias to each line of a matrix and replace negative elements by 0, in place."""
    matrix += bias[:, None]
    np.maximum(matrix, 0, out=matrix)


def summary(matrix: Matrix) -> Matrix:
    """Return the mean of each line of a matrix, and then the maximum of each."""
    mean = np.add.reduce(matrix, axis=1) / np.float32(matrix.shape[1])
    return np.concatenate((mean, np.maximum.reduce(matrix, axis=1)))


def add_rectified(matrix: Matrix, change: Matrix, bias: Matrix) -> None:
    """Add a change, with a bias for each line and without negative elements, to a matrix."""
    matrix += np.maximum(change + bias[:, None], 0)
