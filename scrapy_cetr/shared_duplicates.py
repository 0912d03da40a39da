"""Near-duplicates of all processes of a shared crawl, remembered in Redis.

One script queries, verifies and inserts, so two processes never both take the same text for new.
A signature of 128 bytes has 32 bands of four bytes. Articles that have a band in common are
compared byte by byte: of texts that share 80 % of the bytes, one in 20 million is missed, of those
that share 60 %, one in 85.

The articles are in a ring of ``CETR_DUPLICATES_MEMORY`` places, so the memory is bounded, and
expire after ``CETR_DUPLICATES_EXPIRE`` seconds.
"""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.threads import deferToThread

from scrapy_cetr.duplicates import SIZE, CetrDuplicatesPipeline, Signature, logger
from scrapy_cetr.extractor import Extractor

_SECONDS = 10.0  # to wait for Redis

# KEYS: the number of articles ever added; the articles by place; their places by band.
# ARGV: signature, URL, bytes that have to be equal, places of the ring, seconds until expiry.
# Returns whether a similar article with another URL is known, and that URL.
SCRIPT = """
local signature, url = ARGV[1], ARGV[2]
local needed, size, expiry = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local BAND, LONGEST_BUCKET, MOST_COMPARED = 4, 64, 200
local now = tonumber(redis.call('TIME')[1])

local function bands(of)
  local found = {}
  for start = 1, #of, BAND do
    found[#found + 1] = string.char(start) .. of:sub(start, start + BAND - 1)
  end
  return found
end

local function equal_bytes(one, other)
  local equal = 0
  for index = 1, #one do
    if one:byte(index) == other:byte(index) then equal = equal + 1 end
  end
  return equal
end

-- The places of articles that share a band, each with the number of these bands.
local fields = bands(signature)
local buckets = redis.call('HMGET', KEYS[3], unpack(fields))
local shared, places = {}, {}
for _, bucket in ipairs(buckets) do
  for place in (bucket or ''):gmatch('%d+') do
    if not shared[place] then
      shared[place] = 0
      places[#places + 1] = place
    end
    shared[place] = shared[place] + 1
  end
end
table.sort(places, function(one, other)
  if shared[one] ~= shared[other] then return shared[one] > shared[other] end
  return tonumber(one) < tonumber(other)
end)

local best, best_url, is_known = 0, false, false
for number, place in ipairs(places) do
  if number > MOST_COMPARED then break end
  local article = redis.call('HGET', KEYS[2], place)
  if article then
    local known_since, known_signature, known_url = cmsgpack.unpack(article)
    if now - known_since < expiry then
      local equal = equal_bytes(signature, known_signature)
      if equal >= needed then
        if known_url == url and url ~= '' then
          is_known = true
        elseif equal > best then
          best, best_url = equal, known_url
        end
      end
    end
  end
end

if not is_known then
  local place = tostring((redis.call('INCR', KEYS[1]) - 1) % size)
  -- The oldest article makes room, in its bands as well.
  local old = redis.call('HGET', KEYS[2], place)
  if old then
    local _, old_signature = cmsgpack.unpack(old)
    for _, field in ipairs(bands(old_signature)) do
      local bucket = redis.call('HGET', KEYS[3], field)
      if bucket then
        local rest = {}
        for other in bucket:gmatch('%d+') do
          if other ~= place then rest[#rest + 1] = other end
        end
        if #rest > 0 then
          redis.call('HSET', KEYS[3], field, table.concat(rest, ' '))
        else
          redis.call('HDEL', KEYS[3], field)
        end
      end
    end
  end
  redis.call('HSET', KEYS[2], place, cmsgpack.pack(now, signature, url))
  for _, field in ipairs(fields) do
    local bucket = redis.call('HGET', KEYS[3], field)
    local rest = {}
    for other in (bucket or ''):gmatch('%d+') do rest[#rest + 1] = other end
    if #rest >= LONGEST_BUCKET then table.remove(rest, 1) end
    rest[#rest + 1] = place
    redis.call('HSET', KEYS[3], field, table.concat(rest, ' '))
  end
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, expiry) end
end

return {best_url and 1 or 0, best_url or ''}
"""


class Found(NamedTuple):
    """Whether a similar article was known, and its URL, if it had one."""

    is_duplicate: bool
    url: str | None


class SharedMemory:
    """The signatures of articles in Redis, those of the last ``size`` articles."""

    def __init__(self, server: Any, *, key: str, size: int, expire: int) -> None:
        self._script = server.register_script(SCRIPT)
        # The same slot of a Redis cluster for all keys.
        self._keys = [f"{{{key}}}:{part}" for part in ("count", "articles", "bands")]
        self._size = size
        self._expire = expire

    def add(self, new: Signature, url: str | None, *, threshold: float) -> Found:
        """Look for a similar article with another URL, and remember this one."""
        # As many bytes as make the share reach the threshold.
        needed = -int(-threshold * SIZE // 1)
        arguments = (new.tobytes(), url or "", needed, self._size, self._expire)
        is_duplicate, other = self._script(keys=self._keys, args=arguments)
        found = other.decode("utf-8", "replace") if isinstance(other, bytes) else other
        return Found(bool(is_duplicate), found or None)


class CetrSharedDuplicatesPipeline(CetrDuplicatesPipeline):
    """Does what CetrDuplicatesPipeline does, for all processes that use the same Redis server.

    An item is never lost: without Redis, items pass, and ``cetr/duplicates/errors`` counts them.
    """

    def __init__(self, extractor: Extractor, server: Any) -> None:
        super().__init__(extractor, None)
        settings = extractor.settings
        self._shared = SharedMemory(
            server,
            key=settings.duplicates_key,
            size=settings.duplicates_memory,
            expire=settings.duplicates_expire,
        )
        self._server = server
        self._has_failed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extractor = Extractor.for_crawler(crawler)
        # The second is the setting of scrapy-redis.
        url = extractor.settings.duplicates_redis or crawler.settings.get("REDIS_URL")
        if not url:
            raise NotConfigured(
                "CetrSharedDuplicatesPipeline needs a server: CETR_DUPLICATES_REDIS ="
                ' "redis://localhost:6379/0"'
            )
        return cls(extractor, _connect(url))

    async def process_item(self, item: Any) -> Any:
        """Compare the text of an item with those of all processes, and store its signature."""
        read = self.read(item)
        if read is None:
            return item
        new, url = read
        threshold = self.extractor.settings.duplicates_threshold
        try:
            # In a thread, because the crawl must not wait for Redis.
            found = await _in_thread(lambda: self._shared.add(new, url, threshold=threshold))
        except Exception as error:
            self.extractor.count("duplicates/errors")
            if not self._has_failed:
                self._has_failed = True
                logger.error("Near-duplicates are not found: Redis: %s", error)
            return item
        if found.is_duplicate:
            self.flag_or_drop(ItemAdapter(item), found.url)
        return item

    def close_spider(self) -> None:
        """Close the connections."""
        self._server.close()


def _connect(url: str) -> Any:
    try:
        import redis
    except ImportError as error:
        raise NotConfigured(
            "CetrSharedDuplicatesPipeline needs redis: pip install 'scrapy-cetr[redis]'"
        ) from error
    return redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)


async def _in_thread(call: Any) -> Found:
    """Call a function in a thread, with any reactor and without one."""
    found: Found
    if is_asyncio_available():
        found = await asyncio.to_thread(call)
    else:
        found = await deferToThread(call)
    return found
