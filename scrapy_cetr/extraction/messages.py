"""Messages between a process and its workers: parts, each preceded by its size in bytes."""

from __future__ import annotations

import struct
from typing import IO

# Written once everything is imported; imported modules may have printed something before.
READY = b"scrapy-cetr is ready\n"
_SIZE = struct.Struct(">Q")


def write_message(stream: IO[bytes], *parts: bytes) -> None:
    """Write the parts of a message, each after its size."""
    for part in parts:
        stream.write(_SIZE.pack(len(part)))
        stream.write(part)
    stream.flush()


def read_part(stream: IO[bytes]) -> bytes:
    """Read one part of a message; raise EOFError at the end of the stream."""
    size = stream.read(_SIZE.size)
    if len(size) < _SIZE.size:
        raise EOFError
    (length,) = _SIZE.unpack(size)
    part = stream.read(length)
    if len(part) < length:
        raise EOFError
    return part
