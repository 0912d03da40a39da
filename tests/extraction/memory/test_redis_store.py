"""The memory that processes share through a real Redis."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
import redis

from scrapy_cetr.extraction.memory.redis_store import PREFIX, SharedMemory
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory, SiteMemoryError

pytestmark = pytest.mark.slow
SECONDS = 20


def seen(*rows: int) -> Observation:
    keys = list(rows)
    return Observation(keys, keys, [True] * len(keys), [keys[-1], *keys])


def asked(*rows: int) -> Observation:
    """Observe a page without long rows, so that it is no copy of another."""
    return seen(*rows)._replace(sketch=[0])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Start a Redis server, and yield its URL."""
    program = shutil.which("redis-server")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("redis-server is not installed")
        pytest.skip("redis-server is not installed: apt-get install redis-server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", "."]
    with subprocess.Popen(  # noqa: S603
        command, cwd=tmp_path, stdout=subprocess.DEVNULL
    ) as process:
        url = f"redis://127.0.0.1:{port}/0"
        client = redis.Redis.from_url(url)
        until(lambda: _answers(client))
        try:
            yield url
        finally:
            client.close()
            process.terminate()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def until(condition: object) -> None:
    """Wait until something is true."""
    assert callable(condition)
    end = monotonic() + SECONDS
    while not condition():
        assert monotonic() < end


def test_pages_of_one_process_are_known_to_another(server: str) -> None:
    first, second = SharedMemory(server), SharedMemory(server)
    first.learn("a.example", seen(1, 2))
    second.learn("a.example", seen(1, 3))
    first.close()
    second.close()
    third = SharedMemory(server)
    until(lambda: third.of("a.example").pages == 2)
    assert third.of("a.example").look_up(asked(1, 2, 3)).on_pages == [2, 1, 1]
    third.close()


def test_many_processes_at_once_lose_no_page(server: str) -> None:
    memories = [SharedMemory(server) for _ in range(4)]
    for page in range(20):
        for number, memory in enumerate(memories):
            memory.learn("a.example", seen(1, 1000 * number + page + 10))
    for memory in memories:
        memory.close()
    client = redis.Redis.from_url(server)
    value = client.get(PREFIX + "a.example")
    client.close()
    assert isinstance(value, bytes)
    merged = SiteMemory.from_bytes(value)
    assert merged.pages == 80
    assert merged.look_up(asked(1)).on_pages == [80]


def test_poisoned_value_is_replaced_and_other_sites_are_untouched(server: str) -> None:
    client = redis.Redis.from_url(server)
    client.set(PREFIX + "bad.example", b"poison")
    memory = SharedMemory(server)
    memory.learn("bad.example", seen(1))
    memory.learn("good.example", seen(2))
    memory.close()
    for site in ("bad.example", "good.example"):
        value = client.get(PREFIX + site)
        assert isinstance(value, bytes)
        assert SiteMemory.from_bytes(value).pages == 1
    client.close()


def test_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(SiteMemoryError, match=r"redis://127\.0\.0\.1:1/0"):
        SharedMemory("redis://127.0.0.1:1/0")
