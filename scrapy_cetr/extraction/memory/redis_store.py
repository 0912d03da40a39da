"""A memory of crawls that several processes share through Redis.

A process keeps the memories of its sites, and the pages that it has added since it last exchanged
them. A thread merges these into the value in Redis and takes the merged value, so that neither the
crawl nor another process ever waits for Redis. One key per site holds the bytes of SiteMemory; they
are bounded, so Redis is, too, if keys expire.
"""

from __future__ import annotations

import logging
import threading
from queue import SimpleQueue
from typing import Any

from scrapy_cetr.extraction.memory.site import Observation, SiteMemory, SiteMemoryError
from scrapy_cetr.extraction.memory.store import CrawlMemory

logger = logging.getLogger("scrapy_cetr")

PREFIX = "cetr:memory:"
# A site that no process has asked for in this time is forgotten.
EXPIRE_SECONDS = 30 * 86_400
# The seconds that a process waits for Redis at its start and at its end, and for an exchange.
TIMEOUT = 5.0
_ATTEMPTS = 20


class SharedMemory(CrawlMemory):
    """A memory whose pages are exchanged with those of other processes.

    If Redis fails, an error is logged, the crawl goes on with what it knows, and the pages are sent
    with the next exchange.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            import redis
        except ImportError:
            raise SiteMemoryError(
                f"CETR_MEMORY = {url!r} needs the extra redis: pip install 'scrapy-cetr[redis]'"
            ) from None
        self._errors: type[Exception] = redis.RedisError
        self._watch_error: type[Exception] = redis.WatchError
        try:
            self._redis = redis.Redis.from_url(
                url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
            )
            self._redis.ping()
        except (redis.RedisError, ValueError) as error:
            raise SiteMemoryError(f"CETR_MEMORY = {url!r}: {error}") from None
        # Pages that Redis does not have yet, and memories that were merged there, by site.
        self._added: dict[str, SiteMemory] = {}
        self._merged: dict[str, SiteMemory] = {}
        self._lock = threading.Lock()
        self._asked: set[str] = set()
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._exchange_all, name="cetr-memory", daemon=True)
        self._thread.start()

    def of(self, site: str) -> SiteMemory:
        """Return the memory of a site, with what other processes had added when last exchanged."""
        with self._lock:
            merged = self._merged.pop(site, None)
            is_new = site not in self._asked
            self._asked.add(site)
            if merged is not None and site in self._added:
                merged.merge(self._added[site])
        if merged is not None:
            self.replace(site, merged)
        if is_new:
            self._queue.put(site)
        return super().of(site)

    def learn(self, site: str, seen: Observation) -> None:
        """Add a page of a site, here and, after a while, in Redis."""
        if self.of(site).knows(seen.sketch):
            return
        super().learn(site, seen)
        with self._lock:
            self._added.setdefault(site, SiteMemory()).learn(seen)
        self._queue.put(site)

    def close(self) -> None:
        """Send what is left."""
        self._queue.put(None)
        self._thread.join(TIMEOUT)

    def _exchange_all(self) -> None:
        while (site := self._queue.get()) is not None:
            try:
                self._exchange(site)
            except self._errors as error:
                logger.error("CETR_MEMORY: cannot exchange %s with Redis: %s", site, error)
            except Exception as error:
                logger.error("CETR_MEMORY: %s: %s", site, error, exc_info=error)

    def _exchange(self, site: str) -> None:
        """Merge the added pages of a site into the value in Redis, and take that value."""
        with self._lock:
            added = self._added.pop(site, None)
        try:
            merged = self._merge(PREFIX + site, added)
        except BaseException:
            with self._lock:
                if added is not None:
                    added.merge(self._added.pop(site, SiteMemory()))
                    self._added[site] = added
            raise
        with self._lock:
            self._merged[site] = merged

    def _merge(self, key: str, added: SiteMemory | None) -> SiteMemory:
        """Merge pages into a value that other processes may change at the same time."""
        for _ in range(_ATTEMPTS):
            pipe: Any = self._redis.pipeline()
            with pipe:
                pipe.watch(key)
                merged = _read(key, pipe.get(key))
                if added is None:
                    return merged
                merged.merge(added)
                pipe.multi()
                pipe.set(key, merged.to_bytes(), ex=EXPIRE_SECONDS)
                try:
                    pipe.execute()
                except self._watch_error:
                    continue
                return merged
        raise self._watch_error(f"{key} was changed {_ATTEMPTS} times meanwhile")


def _read(key: str, value: bytes | None) -> SiteMemory:
    """Read the value of a site; a damaged one is logged, and replaced by the next exchange."""
    if value is None:
        return SiteMemory()
    try:
        return SiteMemory.from_bytes(value)
    except SiteMemoryError as error:
        logger.warning("CETR_MEMORY: the value of %s %s; it is replaced", key, error)
        return SiteMemory()
