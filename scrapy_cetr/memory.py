"""The memory of one crawl, which CETR_MEMORY enables: where it is loaded from and stored."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy_cetr.extraction.memory.evidence import PageEvidence
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory, SiteMemoryError
from scrapy_cetr.extraction.memory.store import CrawlMemory, site_of
from scrapy_cetr.settings import REDIS

logger = logging.getLogger("scrapy_cetr")

# The file in the JOBDIR.
STATE = "cetr-memory.bin"


class MemoryOfCrawl:
    """Gives evidence on pages, and learns from them.

    ``setting`` is the value of CETR_MEMORY: True, the path of a file, or the URL of Redis.
    ``folder`` is the JOBDIR. A damaged file of the JOBDIR is logged, and the memory starts again; a
    damaged file of the setting is an error at the start, as the user has named it.
    """

    def __init__(self, setting: bool | str, *, folder: str | None = None) -> None:
        self._path: Path | None = None
        if isinstance(setting, str) and setting.startswith(REDIS):
            from scrapy_cetr.extraction.memory.redis_store import SharedMemory

            self._memory: CrawlMemory = SharedMemory(setting)
            return
        self._memory = CrawlMemory()
        if isinstance(setting, str):
            self._path = Path(setting)
            if self._path.exists():
                self._memory.load(self._path)
        elif folder:
            self._path = Path(folder) / STATE
            self._load_state(self._path)

    def _load_state(self, path: Path) -> None:
        try:
            if path.exists():
                self._memory.load(path)
        except (OSError, SiteMemoryError) as error:
            logger.warning("The memory starts again: cannot read %s", error)

    def site(self, url: str | None) -> SiteMemory | None:
        """Return what is known of the site of a page; None if it has no host."""
        name = site_of(url)
        return self._memory.of(name) if name is not None else None

    def evidence(self, url: str | None) -> PageEvidence | None:
        """Return what is known about a page."""
        site = self.site(url)
        return PageEvidence(site) if site is not None else None

    def learn(self, url: str | None, seen: Observation | None) -> None:
        """Add a page."""
        name = site_of(url)
        if name is not None and seen is not None:
            self._memory.learn(name, seen)

    def close(self) -> None:
        """Store the memory, and log an error if that fails."""
        close = getattr(self._memory, "close", None)
        if close is not None:
            close()
        if self._path is None:
            return
        try:
            self._memory.save(self._path)
        except OSError as error:
            logger.error("Cannot write the memory to %s: %s", self._path, error.strerror or error)
