"""Messages between a process and its workers: parts, each preceded by its size in bytes."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import IO, TypeVar

# Written once everything is imported; imported modules may have printed something before.
READY = b"scrapy-cetr is ready\n"
_SIZE = struct.Struct(">Q")

Message = TypeVar("Message")


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


def read_ahead(read: Callable[[], Message]) -> Iterator[Message]:
    """Yield what a function reads in a thread, until it raises EOFError or MemoryError.

    The thread empties the pipe while a page is extracted: the other side never has to wait for its
    messages to be read, so both can never wait for each other.
    """
    queue: SimpleQueue[Message | None] = SimpleQueue()

    def receive() -> None:
        try:
            while True:
                queue.put(read())
        except (EOFError, MemoryError):
            # Without memory for a message, the process ends once it has answered the earlier ones.
            queue.put(None)

    threading.Thread(target=receive, daemon=True).start()
    while (message := queue.get()) is not None:
        yield message
