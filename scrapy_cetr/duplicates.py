"""Finds articles that say nearly the same: agency copy on many sites, print versions, mirrors.

A text is remembered by 128 bytes: of each of 128 random orders of its runs of five words, the last
byte of the first run. The share of equal bytes of two texts estimates how many of their runs they
share. A. Broder: On the resemblance and containment of documents, 1997; P. Li, A. C. König: b-Bit
Minwise Hashing, WWW 2010.
"""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self
from zlib import crc32

import numpy as np
from itemadapter import ItemAdapter
from numpy.typing import NDArray
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.job import job_dir

from scrapy_cetr.extractor import Extractor
from scrapy_cetr.pipeline import field_value

logger = logging.getLogger("scrapy_cetr")

Signature = NDArray[np.uint8]

SIZE = 128
RUN = 5
# Of a shorter text, too little can be said.
MIN_WORDS = 30
MAX_WORDS = 20_000
FILE = "cetr-duplicates.jsonl"

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\w+?(?=[\u3040-\u9fff]|\b)")
_RANDOM = np.random.default_rng(2010)
_FACTORS = _RANDOM.integers(1, 1 << 63, SIZE, np.uint64) | np.uint64(1)
_TERMS = _RANDOM.integers(0, 1 << 63, SIZE, np.uint64)


def signature(text: str) -> Signature | None:
    """Make the bytes that a text is remembered by; None for one that is too short."""
    words = _WORD.findall(text.lower())[:MAX_WORDS]
    if len(words) < MIN_WORDS:
        return None
    runs = {crc32(" ".join(words[at : at + RUN]).encode()) for at in range(len(words) - RUN + 1)}
    numbers = np.fromiter(runs, np.uint64, len(runs))
    first = np.full(SIZE, np.iinfo(np.uint64).max, np.uint64)
    for some in np.array_split(numbers, len(numbers) // 1024 + 1):
        # Overflow is meant: multiplication modulo two to the 64th.
        np.minimum(first, (some[:, None] * _FACTORS + _TERMS).min(axis=0), out=first)
    # The first runs have small numbers; only their last bits tell them apart.
    return first.astype(np.uint8)


class Memory:
    """The signatures of the last so many articles, and their addresses."""

    def __init__(self, size: int) -> None:
        self._signatures = np.zeros((size, SIZE), np.uint8)
        self._names: list[str | None] = []
        self._next = 0

    def add(self, new: Signature, name: str | None) -> None:
        """Remember an article, in the place of the oldest if there are too many."""
        self._signatures[self._next] = new
        if self._next == len(self._names):
            self._names.append(name)
        else:
            self._names[self._next] = name
        self._next = (self._next + 1) % len(self._signatures)

    def alike(self, new: Signature, *, threshold: float) -> Iterator[str | None]:
        """Give the addresses of the articles that share so much with another, the most first."""
        known = self._signatures[: len(self._names)]
        share = (known == new).mean(axis=1) if len(known) else np.zeros(0)
        for place in np.argsort(-share, kind="stable").tolist():
            if share[place] < threshold:
                return
            yield self._names[place]


class CetrDuplicatesPipeline:
    """Flags or drops items whose article nearly was there before, under another address.

    Its order has to be above that of CetrPipeline, whose text it compares, and below that of the
    pipelines that store items. With a JOBDIR, it goes on where the last run has stopped.
    """

    def __init__(self, extractor: Extractor, folder: str | None) -> None:
        self.extractor = extractor
        settings = extractor.settings
        texts = [field for field, name in settings.fields.items() if name == "text"]
        urls = [field for field, name in settings.fields.items() if name == "url"]
        if not texts:
            raise NotConfigured("near-duplicates are found by the text: map it in CETR_FIELDS")
        self._text_field = texts[0]
        self._url_field = urls[0] if urls else "url"
        self._memory = Memory(settings.duplicates_memory)
        self._file = _opened(Path(folder) / FILE, self._memory) if folder else None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Extractor.for_crawler(crawler), job_dir(crawler.settings))

    def process_item(self, item: Any) -> Any:
        """Compare an item with those before, and remember it."""
        if not ItemAdapter.is_item(item):
            return item
        adapter = ItemAdapter(item)
        text, url = field_value(adapter, self._text_field), field_value(adapter, self._url_field)
        new = signature(text) if isinstance(text, str) else None
        if new is None:
            return item
        # Several items of one page are no copies of each other.
        threshold = self.extractor.settings.duplicates_threshold
        alike = list(self._memory.alike(new, threshold=threshold))
        others = [other for other in alike if other is None or other != url]
        if len(others) == len(alike):
            self._remember(new, url if isinstance(url, str) else None)
        if others:
            self._found(adapter, others[0])
        return item

    def _found(self, adapter: ItemAdapter, other: str | None) -> None:
        self.extractor.count("duplicates")
        if self.extractor.settings.duplicates == "drop":
            raise DropItem(f"nearly the same article as {other or 'that of another item'}")
        try:
            adapter[self.extractor.settings.duplicates_field] = other or True
        except Exception:
            self.extractor.count("items/refused")

    def _remember(self, new: Signature, url: str | None) -> None:
        self._memory.add(new, url)
        if self._file is not None:
            record = {"url": url, "signature": base64.b64encode(new.tobytes()).decode()}
            self._file.write(json.dumps(record) + "\n")

    def close_spider(self) -> None:
        """Close the file with what is remembered."""
        if self._file is not None:
            self._file.close()


def _opened(path: Path, memory: Memory) -> IO[str]:
    """Read what an earlier run has remembered, and go on writing behind it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as lines:
        lines.seek(0)
        for line in lines:
            try:
                record = json.loads(line)
                known = np.frombuffer(base64.b64decode(record["signature"]), np.uint8)
                memory.add(known, record["url"])
            except (ValueError, KeyError, TypeError):
                logger.warning("%s: a line that was not written to its end is left out", path)
    # A line at a time, so that a crawl that is killed loses nothing.
    return path.open("a", encoding="utf-8", buffering=1)
