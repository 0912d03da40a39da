"""The members of a gzip file as streams, and the search for the next one after damage.

WARC files have a gzip member per record, so that damage costs the records that it hits, not the
rest of the file.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

MAGIC = b"\x1f\x8b\x08"
_CHUNK = 1 << 16
# Searches begin with small chunks, as what they look for is often near.
_SEARCH_CHUNK = 1 << 20
# Times that a member is unpacked again at most, because the time must not grow with its square.
_MAX_REWINDS = 100
# The beginning of each record.
VERSION = b"WARC/"


class DamageError(Exception):
    """The data cannot be unpacked; the message says why."""


class Member(io.RawIOBase):
    """The unpacked content of the gzip member at an offset.

    Seeking back unpacks the member again. ``end`` is the offset of what follows the member, once
    its content has been read. Damage is a DamageError.
    """

    def __init__(self, file: IO[bytes], start: int) -> None:
        self._file = file
        self._start = start
        self._rewinds = -1
        self._rewind()

    def _rewind(self) -> None:
        self._rewinds += 1
        if self._rewinds > _MAX_REWINDS:
            raise DamageError("the lengths of too many records are wrong")
        self._unzip = zlib.decompressobj(31)
        self._next = self._start
        self._rest = b""
        self._position = 0
        self.end: int | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position from the beginning, the current position, or the end."""
        if whence == io.SEEK_END:
            while self._unpack(_CHUNK):
                pass
        target = position + (self._position if whence != io.SEEK_SET else 0)
        if target < self._position:
            self._rewind()
        while self._position < target and self._unpack(min(target - self._position, _CHUNK)):
            pass
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Unpack as much as fits into a buffer."""
        with memoryview(buffer) as view:
            found = self._unpack(len(view))
            view[: len(found)] = found
            return len(found)

    def _unpack(self, size: int) -> bytes:
        """Return at most ``size`` bytes; nothing at the end of the member."""
        while self.end is None:
            if not self._rest:
                self._file.seek(self._next)
                self._rest = self._file.read(_CHUNK)
                self._next += len(self._rest)
                if not self._rest:
                    raise DamageError("the file ends in the middle of a record")
            try:
                found = self._unzip.decompress(self._rest, size)
            except zlib.error as error:
                raise DamageError(str(error)) from error
            self._rest = self._unzip.unconsumed_tail
            if self._unzip.eof:
                self.end = self._next - len(self._unzip.unused_data)
            if found:
                self._position += len(found)
                return found
        return b""


def next_member(file: IO[bytes], start: int) -> int | None:
    """Return the offset of the next gzip member with a WARC record, or None."""
    for offset in _occurrences(file, MAGIC, start):
        file.seek(offset)
        try:
            if zlib.decompressobj(31).decompress(file.read(1024), len(VERSION)) == VERSION:
                return offset
        except zlib.error:
            continue
    return None


def _occurrences(file: IO[bytes], part: bytes, start: int) -> Iterator[int]:
    """Yield the offsets of some bytes in a file."""
    position, size = start, _CHUNK >> 4
    while True:
        file.seek(position)
        chunk = file.read(size)
        found = chunk.find(part)
        while found >= 0:
            yield position + found
            found = chunk.find(part, found + 1)
        if len(chunk) < size:
            return
        # The part may begin at the end of this chunk.
        position += len(chunk) - len(part) + 1
        size = min(2 * size, _SEARCH_CHUNK)


def find(file: IO[bytes], part: bytes, start: int) -> int | None:
    """Return the offset of the first occurrence of some bytes, or None."""
    return next(_occurrences(file, part, start), None)
