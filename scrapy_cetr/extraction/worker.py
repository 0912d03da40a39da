"""A process that extracts pages for another: ``python -m scrapy_cetr.extraction.worker``.

It reads requests from its standard input and writes answers to its standard output, each a
number of bytes and as many bytes, until its input ends, as it does when the other process dies.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from time import perf_counter, sleep
from typing import IO, Any

from scrapy_cetr.extraction.article import Article, as_record, extract_article, from_record
from scrapy_cetr.extraction.options import Options

# Said once all is imported; what others may have printed until then is before it.
READY = b"scrapy-cetr is ready\n"
_SIZE = struct.Struct(">Q")


def write_message(stream: IO[bytes], *parts: bytes) -> None:
    """Write the parts of a message, each behind its size."""
    for part in parts:
        stream.write(_SIZE.pack(len(part)))
        stream.write(part)
    stream.flush()


def read_part(stream: IO[bytes]) -> bytes:
    """Read one part of a message; raise EOFError where the stream has ended."""
    size = stream.read(_SIZE.size)
    if len(size) < _SIZE.size:
        raise EOFError
    (length,) = _SIZE.unpack(size)
    part = stream.read(length)
    if len(part) < length:
        raise EOFError
    return part


def write_request(
    stream: IO[bytes],
    html: str,
    *,
    url: str | None,
    options: Options,
    attributes: Sequence[str] = (),
) -> None:
    """Ask a worker for the article of a page, with some of its attributes worked out."""
    order = {"url": url, "options": asdict(options), "attributes": attributes}
    write_message(stream, json.dumps(order).encode(), html.encode("utf-8", "surrogatepass"))


def read_answer(stream: IO[bytes]) -> tuple[Article, float]:
    """Read an article and the seconds it took; raise RuntimeError if extracting it failed."""
    answer = json.loads(read_part(stream))
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return from_record(answer["article"]), answer["seconds"]


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    while True:
        try:
            order = json.loads(read_part(requests))
            html = read_part(requests).decode("utf-8", "surrogatepass")
        except EOFError:
            return
        write_message(answers, json.dumps(_answer(html, **order)).encode())


def _answer(
    html: str, *, url: str | None, options: dict[str, Any], attributes: Sequence[str]
) -> dict[str, Any]:
    start = perf_counter()
    try:
        found = extract_article(html, url=url, options=Options(**options))
        record = as_record(found, attributes)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"article": record, "seconds": perf_counter() - start}


def main() -> None:
    """Serve on the standard streams, and keep everybody else from writing there."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        answers.write(READY)
        answers.flush()
        serve(sys.stdin.buffer, answers)


def _end_with(parent: int) -> None:
    """End also in the middle of a page when the crawl is gone."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
