"""A Redis server on loopback, which stores nothing on the disk."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from testkit.cookbook_servers import accepts
from testkit.documented_servers import free_port
from testkit.processes import wait_until


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Start a server; yield its URL."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with (
        (folder / "redis.log").open("wb") as log,
        subprocess.Popen(command, cwd=folder, stdout=log) as process,  # noqa: S603
    ):
        try:
            wait_until(lambda: accepts(port))
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()


def client(url: str) -> Any:
    """Return a client of a server."""
    import redis

    return redis.Redis.from_url(url)
