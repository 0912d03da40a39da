"""The records of a WARC file as it is: cut off, damaged in the middle, with wrong lengths.

A record begins with a version line and headers, one of which is the length of its content. Where
that length is wrong, the record ends where the next one begins, or where its gzip member ends.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from scrapy_cetr.extraction.warc.members import (
    MAGIC,
    VERSION,
    DamageError,
    Member,
    find,
    next_member,
)

Headers = Mapping[bytes, bytes]
# Tells by the headers of a record and the beginning of its content whether all of it is wanted.
Wants = Callable[[Headers, bytes], bool]

_BUFFER = 1 << 18
_LONGEST_HEAD = 1 << 16
_LINE_ENDS = b"\r\n"
_PADDING = _LINE_ENDS + b"\0"
_PADDING_READ = 64
_END = b"\r\n\r\n"
_NEXT = b"\n" + VERSION
# Bytes of content by which is decided whether it is wanted.
_FIRST = 1 << 16
# A record with more content is skipped.
LONGEST = 100_000_000


@dataclass(slots=True, kw_only=True)
class RawRecord:
    """A record, or with a ``problem`` something that is lost.

    ``offset`` is that of the record in the file, or of its gzip member; records that share a member
    differ by their place in it. ``content`` is None if it is not wanted.
    """

    offset: int
    headers: Headers = field(default_factory=dict)
    content: bytes | None = None
    problem: str | None = None


def read_records(file: IO[bytes], wants: Wants) -> Iterator[RawRecord]:
    """Yield the records of a file, and one with a problem for everything that is lost."""
    last = -1
    for record in _read_file(file, wants):
        # Increasing, and thereby distinct, also in a file of several members with several records.
        record.offset = last = max(record.offset, last + 1)
        yield record


def _read_file(file: IO[bytes], wants: Wants) -> Iterator[RawRecord]:
    position: int | None = 0
    while position is not None:
        file.seek(position)
        begin = file.read(len(MAGIC))
        if begin == MAGIC:
            position = yield from _read_member(file, position, wants)
        elif not (begin := begin + file.read(_BUFFER)).strip(_PADDING):
            # Some writers fill up the end of a file.
            position = position + len(begin) if begin else None
        elif begin.lstrip(_PADDING).startswith(VERSION) and not position:
            yield from _Segment(file, wants).records()
            return
        elif (after := next_member(file, position)) is None and not position:
            yield from _Segment(file, wants, is_first=True).records()
            return
        else:
            yield _lost(position, after, "is no gzip member")
            position = after


def _read_member(
    file: IO[bytes], start: int, wants: Wants
) -> Generator[RawRecord, None, int | None]:
    """Yield the records of a member; return the offset to continue at, or None at the end."""
    member = Member(file, start)
    segment = _Segment(io.BufferedReader(member, _BUFFER), wants, is_whole=True, is_first=not start)
    try:
        for record in segment.records():
            record.offset += start
            yield record
    except DamageError as error:
        after = next_member(file, start + 1)
        lost = _lost(start, after, str(error), headers=segment.headers)
        lost.offset += segment.position
        yield lost
        return after
    return member.end


def _lost(start: int, end: int | None, reason: str, headers: Headers | None = None) -> RawRecord:
    rest = "the rest of the file is lost" if end is None else f"{end - start:,} bytes are lost"
    problem = f"is damaged at byte {start}, {rest}: {reason}"
    return RawRecord(offset=start, problem=problem, headers=headers or {})


class _Segment:
    """Records that follow each other in a stream: those of a plain file, or of a gzip member.

    The end of a member is known to be right (``is_whole``), that of a file may be cut off.
    Without any record in the first segment, the file is no archive, and nothing is lost.
    ``position`` and ``headers`` are those of the record that is being read.
    """

    def __init__(
        self, stream: IO[bytes], wants: Wants, *, is_whole: bool = False, is_first: bool = False
    ) -> None:
        self._stream = stream
        self._wants = wants
        self._is_whole = is_whole
        self._is_first = is_first
        self.position = 0
        self.headers: Headers = {}

    def records(self) -> Iterator[RawRecord]:
        """Yield the records of the stream."""
        while (begin := self._skip_padding(self.position)) is not None:
            self.position = begin
            self._stream.seek(begin)
            headers = self._read_headers()
            if headers is None:
                end = find(self._stream, _NEXT, begin)
                if end is None and self._is_first:
                    return
                yield _lost(begin, end, "there are no headers of a record")
                if end is None:
                    return
                self.position = end
                continue
            self.headers, self._is_first = headers, False
            record, end = self._read_content(headers)
            record.offset = begin
            self.position, self.headers = end, {}
            yield record

    def _skip_padding(self, position: int) -> int | None:
        """Return where the next record begins, after the line ends between records."""
        self._stream.seek(position)
        while found := self._stream.read(_PADDING_READ):
            if rest := found.lstrip(_PADDING):
                return position + len(found) - len(rest)
            position += len(found)
        return None

    def _read_headers(self) -> Headers | None:
        """Read the headers of a record; None if there are none."""
        if not self._stream.readline(_LONGEST_HEAD).startswith(VERSION):
            return None
        headers: dict[bytes, bytes] = {}
        size = 0
        while (line := self._stream.readline(_LONGEST_HEAD)).strip():
            size += len(line)
            if size > _LONGEST_HEAD:
                return None
            name, _, value = line.partition(b":")
            headers[name.strip().lower()] = value.strip()
        return headers

    def _read_content(self, headers: Headers) -> tuple[RawRecord, int]:
        """Return the record with these headers, and its end."""
        start = self._stream.tell()
        stated = headers.get(b"content-length", b"")
        length = int(stated) if stated.isdigit() and len(stated) < 16 else None
        if length is not None:
            record = self._read_record(headers, start, length)
            if record is not None and self._is_boundary(start + length):
                return record, start + length
        # The length is missing or wrong.
        end = find(self._stream, _NEXT, start)
        if end is None:
            end = self._stream.seek(0, io.SEEK_END)
            if not self._is_whole and self._is_cut(start, length, end):
                problem = "the file ends in the middle of it; the record is lost"
                return RawRecord(offset=0, headers=headers, problem=problem), end
        record = self._read_record(headers, start, end - start)
        if record is None:
            raise DamageError("the file has changed while it was read")
        if record.content is not None:
            record.content = record.content.rstrip(_LINE_ENDS)
        return record, end

    def _is_cut(self, start: int, length: int | None, end: int) -> bool:
        """Tell a record that the end of the file cuts off from one with a wrong length."""
        if length is not None:
            return start + length > end
        self._stream.seek(max(end - len(_END), 0))
        return self._stream.read(len(_END)) != _END

    def _read_record(self, headers: Headers, start: int, length: int) -> RawRecord | None:
        """Read content of a length, if it is wanted; None if the stream ends before."""
        self._stream.seek(start)
        first = self._stream.read(min(length, _FIRST))
        record = RawRecord(offset=0, headers=headers)
        if self._wants(headers, first):
            if length <= LONGEST:
                record.content = first + self._stream.read(length - len(first))
                return record if len(record.content) == length else None
            record.problem = f"has more than {LONGEST:,} bytes"
        if not length:
            return record
        self._stream.seek(start + length - 1)
        return record if self._stream.read(1) else None

    def _is_boundary(self, position: int) -> bool:
        """Return whether a record or the end of the stream follows."""
        begin = self._skip_padding(position)
        if begin is None:
            return True
        self._stream.seek(begin)
        # The end of the file may cut off the version.
        found = self._stream.read(len(VERSION))
        return VERSION.startswith(found)
