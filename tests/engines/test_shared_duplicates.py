"""CetrSharedDuplicatesPipeline on a real Redis server: what one process finds, all know."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from scrapy_cetr import CetrSharedDuplicatesPipeline
from scrapy_cetr.duplicates import SIZE, Memory, Signature, signature
from scrapy_cetr.shared_duplicates import Found, SharedMemory
from testkit.engines import need_engine
from testkit.redis_server import client, redis_server

pytestmark = pytest.mark.engines
WORDS = [f"word{n}" for n in range(400)]
TEXT = " ".join(WORDS)
COPY = " ".join([*WORDS[3:], "Copyright", "agency"])
NEW = Found(False, None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    need_engine("redis", "redis-server")
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def redis(server: str) -> Iterator[Any]:
    found = client(server)
    found.flushall()
    yield found
    found.close()


def memory(redis: Any, *, size: int = 1000, expire: int = 60) -> SharedMemory:
    return SharedMemory(redis, key="test", size=size, expire=expire)


def random_signature(random: Random) -> Signature:
    return np.frombuffer(random.randbytes(SIZE), np.uint8)


def changed(one: Signature, random: Random, number: int) -> Signature:
    """Return a signature with some other bytes."""
    other = one.copy()
    for place in random.sample(range(SIZE), number):
        other[place] ^= 255
    return other


def test_similar_article_of_another_url_is_found(redis: Any) -> None:
    one, other = signature(TEXT), signature(COPY)
    assert one is not None
    assert other is not None
    shared = memory(redis)
    assert shared.add(one, "http://a.example/", threshold=0.8) == NEW
    assert shared.add(one, "http://a.example/", threshold=0.8) == NEW
    assert memory(redis).add(other, "http://b.example/", threshold=0.8) == Found(
        True, "http://a.example/"
    )
    assert shared.add(random_signature(Random(1)), "http://c.example/", threshold=0.8) == NEW


def test_article_without_a_url_is_a_duplicate_of_any(redis: Any) -> None:
    one = random_signature(Random(0))
    assert memory(redis).add(one, None, threshold=0.8) == NEW
    assert memory(redis).add(one, None, threshold=0.8) == Found(True, None)


@pytest.mark.parametrize("threshold", [0.6, 0.8, 0.9, 1.0])
def test_the_same_is_found_as_by_the_memory_of_one_process(redis: Any, threshold: float) -> None:
    random = Random(7)
    shared, alone = memory(redis), Memory(1000)
    known: list[Signature] = []
    for number in range(300):
        new = random_signature(random)
        if known and random.random() < 0.5:
            new = changed(random.choice(known), random, random.randrange(0, 60))
        known.append(new)
        url = f"http://x.example/{number}"
        expected = any(True for _ in alone.similar(new, threshold=threshold))
        alone.add(new, url)
        assert shared.add(new, url, threshold=threshold).is_duplicate == expected


def test_oldest_articles_make_room_and_leave_nothing(redis: Any) -> None:
    random = Random(3)
    shared = memory(redis, size=10)
    signatures = [random_signature(random) for _ in range(40)]
    for number, one in enumerate(signatures):
        shared.add(one, str(number), threshold=0.8)
    assert redis.hlen("{test}:articles") == 10
    assert redis.hlen("{test}:bands") <= 10 * SIZE // 4
    assert shared.add(signatures[39], "new", threshold=0.8) == Found(True, "39")
    assert shared.add(signatures[0], "new", threshold=0.8) == NEW


def test_articles_expire(redis: Any) -> None:
    one = random_signature(Random(0))
    shared = memory(redis, expire=1)
    shared.add(one, "a", threshold=0.8)
    for key in ("count", "articles", "bands"):
        assert 0 < redis.ttl(f"{{test}}:{key}") <= 1
    # Another article keeps the keys alive, but not the first one.
    assert memory(redis, expire=60).add(random_signature(Random(1)), "b", threshold=0.8) == NEW
    redis.eval("local t = redis.call('TIME')[1] while redis.call('TIME')[1] - t < 2 do end", 0)
    assert shared.add(one, "c", threshold=0.8) == NEW


def test_of_many_at_the_same_time_one_is_new(server: str, redis: Any) -> None:
    one = random_signature(Random(5))
    found: list[Found] = []
    barrier = threading.Barrier(8)

    def add(number: int) -> None:
        own = client(server)
        shared = memory(own)
        barrier.wait()
        found.append(shared.add(one, str(number), threshold=0.8))
        own.close()

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.is_duplicate for one in found].count(False) == 1


def pipeline(**settings: Any) -> CetrSharedDuplicatesPipeline:
    crawler = get_crawler(settings_dict={"CETR_FIELDS": {"text": "text"}, **settings})
    crawler.stats = StatsCollector(crawler)
    return CetrSharedDuplicatesPipeline.from_crawler(crawler)


@deferred_f_from_coro_f
async def test_pipelines_of_two_processes_flag_and_drop(server: str, redis: Any) -> None:
    one = pipeline(REDIS_URL=server)
    two = pipeline(CETR_DUPLICATES_REDIS=server, CETR_DUPLICATES="drop")
    try:
        assert await one.process_item({"url": "a", "text": TEXT}) == {"url": "a", "text": TEXT}
        again = await one.process_item({"url": "b", "text": COPY})
        assert again == {"url": "b", "text": COPY, "duplicate_of": "a"}
        with pytest.raises(DropItem, match="near-duplicate of the article at a"):
            await two.process_item({"url": "c", "text": TEXT})
        assert await two.process_item({"url": "c", "text": "short"}) == {
            "url": "c",
            "text": "short",
        }
    finally:
        one.close_spider()
        two.close_spider()


@deferred_f_from_coro_f
async def test_item_passes_without_redis(caplog: pytest.LogCaptureFixture) -> None:
    need_engine("redis")
    alone = pipeline(CETR_DUPLICATES_REDIS="redis://127.0.0.1:1/0")
    for _ in range(2):
        assert await alone.process_item({"text": TEXT}) == {"text": TEXT}
    assert len([r for r in caplog.records if "Near-duplicates are not found" in r.message]) == 1
    stats = alone.extractor._crawler.stats
    assert stats is not None
    assert stats.get_value("cetr/duplicates/errors") == 2


def test_pipeline_without_a_server_says_what_to_set() -> None:
    with pytest.raises(NotConfigured, match='CETR_DUPLICATES_REDIS = "redis://localhost'):
        pipeline()


def test_query_takes_less_than_a_millisecond_and_few_bytes(redis: Any) -> None:
    random = Random(9)
    shared = memory(redis, size=5000)
    signatures = [random_signature(random) for _ in range(1000)]
    times = []
    for number, one in enumerate(signatures):
        start = perf_counter()
        shared.add(one, str(number), threshold=0.8)
        times.append(perf_counter() - start)
    # The least of them, as other processes may use the machine.
    assert min(times) < 0.001
    size = redis.memory_usage("{test}:bands", samples=0) + redis.memory_usage("{test}:articles")
    assert size / 1000 < 6000
