"""A fast local server for crawls: prepared responses, in a separate process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from benchmarks.growth import generate_page

HOST = "127.0.0.1"


def generated_pages(*, count: int, size: int) -> list[str]:
    """Generate different news-like pages of about the same size in bytes."""
    return [generate_page(size, seed=seed) for seed in range(count)]


@contextmanager
def serving(pages: Sequence[str]) -> Iterator[str]:
    """Serve pages in another process: page i modulo the number of pages at /i."""
    context = get_context("spawn")
    here, there = context.Pipe()
    answers = [answer(page.encode("utf-8", "replace")) for page in pages]
    process = context.Process(target=serve, args=(there, answers), daemon=True)
    process.start()
    try:
        yield f"http://{HOST}:{here.recv()}"
    finally:
        process.terminate()
        process.join()


def answer(body: bytes) -> bytes:
    """Return the whole response with a body."""
    head = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


def serve(port_receiver: Connection, answers: Sequence[bytes]) -> None:
    """Send the port number, then answer requests until the process ends."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A crawl that is killed resets its connections.
        with suppress(ConnectionError):
            await answer_requests(reader, writer)
        writer.close()

    async def answer_requests(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await reader.readline():
            number = request.split(b" ")[1].lstrip(b"/").partition(b"?")[0]
            while (await reader.readline()).strip():
                pass
            writer.write(answers[int(number or b"0") % len(answers)])
            await writer.drain()

    async def run() -> None:
        server = await asyncio.start_server(connected, HOST, 0)
        port_receiver.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())
