"""Numpy columns: the types of their elements, and operations on them in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Indices = NDArray[np.intp]
Codes = NDArray[np.int8]
UInt8s = NDArray[np.uint8]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Long columns are processed in chunks of this number of elements, which bounds the memory for
# intermediate results: numpy makes 8-byte indices of 4-byte columns, for example.
CHUNK = 1 << 18


def chunks(length: int, weight: int = 1) -> Iterator[slice]:
    """Divide a column of some length into slices of at most CHUNK elements.

    Where an element takes far more memory than a number, a ``weight`` divides the size of a chunk.

    >>> list(chunks(CHUNK + 1)) == [slice(0, CHUNK), slice(CHUNK, CHUNK + 1)]
    True
    """
    size = chunk_size(weight)
    for first in range(0, length, size):
        yield slice(first, min(first + size, length))


def chunk_size(weight: int = 1) -> int:
    """Return the number of elements of such a chunk."""
    return max(CHUNK // weight, 1)


def closed(starts: Ints, end: int) -> Ints:
    """Append the end of the last part to the starts of consecutive parts.

    >>> closed(np.array([0, 3], np.int32), 7).tolist()
    [0, 3, 7]
    """
    bounds = np.empty(len(starts) + 1, np.int32)
    bounds[:-1], bounds[-1] = starts, end
    return bounds


def flag_indices(flags: Bools) -> Ints:
    """Return the indices of true flags as 4-byte numbers, half the size of ``np.flatnonzero``.

    >>> flag_indices(np.array([True, False, True])).tolist()
    [0, 2]
    """
    if len(flags) <= CHUNK:
        return np.flatnonzero(flags).astype(np.int32)
    indices = np.empty(np.count_nonzero(flags), np.int32)
    done = 0
    for chunk in chunks(len(flags)):
        found = np.flatnonzero(flags[chunk])
        found += chunk.start
        indices[done : done + len(found)] = found
        done += len(found)
    return indices


def mask_or_indices(flags: Bools) -> Bools | Indices:
    """Return a selector for true flags: indices, which are faster, or many flags themselves.

    The indices of a long column would take more memory than the column.
    """
    return flags if len(flags) > CHUNK else np.flatnonzero(flags)


def code_points(text: str) -> NDArray[np.uint8 | np.int32]:
    """Return the code points of a text, in one byte each if all are ASCII."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
