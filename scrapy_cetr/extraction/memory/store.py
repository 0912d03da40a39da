"""The memory of all sites of a crawl, in bounded space, and the file that it is stored in."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from urllib.parse import urlsplit
from zlib import crc32

from scrapy_cetr.extraction.memory.site import Observation, SiteMemory, SiteMemoryError

# The most bytes of all sites. Beyond, the sites that were asked for least recently are forgotten.
MAX_BYTES = 64_000_000
# The sites that keep their latest pages in dicts. Those of all others are compact.
_OPEN_SITES = 256
_MAGIC = b"CETRMEM1"
_LENGTH = struct.Struct("<I")
# Longer names are no hosts.
_MAX_NAME = 300


class CrawlMemory:
    """The memories of sites by name; the most recent last."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._sites: OrderedDict[str, SiteMemory] = OrderedDict()
        self._open: OrderedDict[str, None] = OrderedDict()
        self._max_bytes = max_bytes
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._sites)

    @property
    def size(self) -> int:
        """The number of bytes of all memories."""
        return self._bytes

    @property
    def sites(self) -> Iterator[tuple[str, SiteMemory]]:
        """The names and memories of all sites."""
        return iter(self._sites.items())

    def of(self, site: str) -> SiteMemory:
        """Return the memory of a site; it is empty if nothing is known."""
        found = self._sites.get(site)
        if found is None:
            return SiteMemory()
        self._sites.move_to_end(site)
        return found

    def learn(self, site: str, seen: Observation) -> None:
        """Add a page of a site."""
        memory = self.of(site)
        before = memory.size
        memory.learn(seen)
        self._put(site, memory, before)

    def merge(self, site: str, other: SiteMemory) -> None:
        """Add all pages of another memory of a site."""
        memory = self.of(site)
        before = memory.size
        memory.merge(other)
        self._put(site, memory, before)

    def replace(self, site: str, memory: SiteMemory) -> None:
        """Take another memory of a site instead of the one so far."""
        before = self._sites[site].size if site in self._sites else 0
        self._put(site, memory, before)

    def _put(self, site: str, memory: SiteMemory, before: int) -> None:
        # An empty memory that is not stored yet has no bytes, either.
        self._bytes += memory.size - before
        self._sites[site] = memory
        self._sites.move_to_end(site)
        self._open[site] = None
        self._open.move_to_end(site)
        if len(self._open) > _OPEN_SITES:
            self._compact(self._open.popitem(last=False)[0])
        while self._bytes > self._max_bytes and len(self._sites) > 1:
            name, oldest = self._sites.popitem(last=False)
            self._open.pop(name, None)
            self._bytes -= oldest.size

    def _compact(self, site: str) -> None:
        memory = self._sites[site]
        self._bytes -= memory.size
        memory.compact()
        self._bytes += memory.size

    def save(self, path: str | PathLike[str]) -> None:
        """Write all memories; a process that is killed meanwhile leaves the older file."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f"{target.name}.new")
        with new.open("wb") as file:
            file.write(_MAGIC)
            for name, memory in self._sites.items():
                self._compact(name)
                for part in (name.encode("utf-8", "replace")[:_MAX_NAME], memory.to_bytes()):
                    file.write(_LENGTH.pack(len(part)) + _LENGTH.pack(crc32(part)) + part)
            file.write(_LENGTH.pack(0))
        new.replace(target)

    def load(self, path: str | PathLike[str]) -> None:
        """Merge the memories in a file with these; raise SiteMemoryError if it is damaged.

        Nothing is merged from a damaged file.
        """
        try:
            found = _read(Path(path).read_bytes())
        except SiteMemoryError as error:
            raise SiteMemoryError(f"{path}: {error}") from None
        for name, memory in found:
            self.merge(name, memory)


def _read(data: bytes) -> list[tuple[str, SiteMemory]]:
    if data[: len(_MAGIC)] != _MAGIC:
        raise SiteMemoryError("is not a memory of crawls, or one of another version")
    found = []
    offset = len(_MAGIC)
    while True:
        name, offset = _part(data, offset)
        if not name:
            break
        blob, offset = _part(data, offset)
        found.append((name.decode("utf-8", "replace"), SiteMemory.from_bytes(blob)))
    return found


def _part(data: bytes, offset: int) -> tuple[bytes, int]:
    """Return a part of a file and the offset after it; an empty one is the end."""
    begin = offset + 2 * _LENGTH.size
    if len(data) == offset + _LENGTH.size and data[offset:] == _LENGTH.pack(0):
        return b"", len(data)
    if len(data) < begin:
        raise SiteMemoryError("is truncated")
    size, checksum = _LENGTH.unpack(data[offset : offset + 4])[0], data[offset + 4 : begin]
    part = data[begin : begin + size]
    if not size or len(part) != size or _LENGTH.pack(crc32(part)) != checksum:
        raise SiteMemoryError("is truncated or has been changed")
    return part, begin + size


def site_of(url: str | None) -> str | None:
    """Return the site of a page, by which memories are kept apart: its host without www.

    >>> site_of("https://www.News.example:8000/harbour"), site_of("pages/harbour.html")
    ('news.example', None)
    """
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    return host.removeprefix("www.")[:_MAX_NAME] or None
