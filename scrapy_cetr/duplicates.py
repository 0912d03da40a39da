"""Finds near-duplicate articles: agency copy on many sites, print versions, mirrors.

A text is stored as a MinHash signature of 128 bytes: for each of 128 random hash functions, the
lowest byte of the minimum over all shingles (five consecutive words). The share of equal bytes of
two signatures estimates the share of shingles that both texts have.

A. Broder: On the resemblance and containment of documents, 1997; P. Li, A. C. König: b-Bit Minwise
Hashing, WWW 2010.
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
from scrapy_cetr.items import field_value

logger = logging.getLogger("scrapy_cetr")

Signature = NDArray[np.uint8]

SIZE = 128
SHINGLE_WORDS = 5
# The estimate is unreliable for shorter texts.
MIN_WORDS = 30
MAX_WORDS = 20_000
FILE = "cetr-duplicates.jsonl"

# Each CJK character is a word, so that texts without spaces have shingles. This is not the
# definition in extraction.page: signatures that are stored in a JOBDIR depend on it.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\w+?(?=[\u3040-\u9fff]|\b)")
_RANDOM = np.random.default_rng(2010)
_FACTORS = _RANDOM.integers(1, 1 << 63, SIZE, np.uint64) | np.uint64(1)
_TERMS = _RANDOM.integers(0, 1 << 63, SIZE, np.uint64)


def signature(text: str) -> Signature | None:
    """Return the signature of a text, or None if the text is too short."""
    words = _WORD.findall(text.lower())[:MAX_WORDS]
    if len(words) < MIN_WORDS:
        return None
    starts = range(len(words) - SHINGLE_WORDS + 1)
    shingles = {crc32(" ".join(words[i : i + SHINGLE_WORDS]).encode()) for i in starts}
    numbers = np.fromiter(shingles, np.uint64, len(shingles))
    minimum = np.full(SIZE, np.iinfo(np.uint64).max, np.uint64)
    for chunk in np.array_split(numbers, len(numbers) // 1024 + 1):
        # Overflow is intended: the hash functions are modulo two to the 64th.
        np.minimum(minimum, (chunk[:, None] * _FACTORS + _TERMS).min(axis=0), out=minimum)
    # Minima are small numbers, so only their lowest bits tell them apart.
    return minimum.astype(np.uint8)


class Memory:
    """The signatures and URLs of the last ``size`` articles."""

    def __init__(self, size: int) -> None:
        self._signatures = np.zeros((size, SIZE), np.uint8)
        self._urls: list[str | None] = []
        self._next = 0

    def add(self, new: Signature, url: str | None) -> None:
        """Add an article, which replaces the oldest one if the memory is full."""
        self._signatures[self._next] = new
        if self._next == len(self._urls):
            self._urls.append(url)
        else:
            self._urls[self._next] = url
        self._next = (self._next + 1) % len(self._signatures)

    def similar(self, new: Signature, *, threshold: float) -> Iterator[str | None]:
        """Yield the URLs of articles with this share of equal bytes or more, most similar first."""
        known = self._signatures[: len(self._urls)]
        share = (known == new).mean(axis=1) if len(known) else np.zeros(0)
        for index in np.argsort(-share, kind="stable").tolist():
            if share[index] < threshold:
                return
            yield self._urls[index]


class CetrDuplicatesPipeline:
    """Flags or drops items whose article is a near-duplicate of one with another URL.

    Its order must be above that of CetrPipeline, whose text it compares, and below those of the
    pipelines that store items. With a JOBDIR, a resumed crawl knows the articles of earlier runs.
    """

    def __init__(self, extractor: Extractor, folder: str | None) -> None:
        self.extractor = extractor
        settings = extractor.settings
        texts = [field for field, name in settings.fields.items() if name == "text"]
        urls = [field for field, name in settings.fields.items() if name == "url"]
        if not texts:
            raise NotConfigured(
                "CetrDuplicatesPipeline compares texts: map a field to 'text' in CETR_FIELDS"
            )
        self._text_field = texts[0]
        self._url_field = urls[0] if urls else "url"
        self._memory = Memory(settings.duplicates_memory)
        self._file = _open_file(Path(folder) / FILE, self._memory) if folder else None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Extractor.for_crawler(crawler), job_dir(crawler.settings))

    def process_item(self, item: Any) -> Any:
        """Compare the text of an item with earlier items, and store its signature."""
        read = self.read(item)
        if read is None:
            return item
        new, url = read
        threshold = self.extractor.settings.duplicates_threshold
        similar = list(self._memory.similar(new, threshold=threshold))
        # Several items of one page are not duplicates of each other.
        others = [other for other in similar if other is None or other != url]
        if len(others) == len(similar):
            self._store(new, url)
        if others:
            self.flag_or_drop(ItemAdapter(item), others[0])
        return item

    def read(self, item: Any) -> tuple[Signature, str | None] | None:
        """Return the signature of an item's text and its URL; None without enough text."""
        if not ItemAdapter.is_item(item):
            return None
        adapter = ItemAdapter(item)
        text, url = field_value(adapter, self._text_field), field_value(adapter, self._url_field)
        new = signature(text) if isinstance(text, str) else None
        return None if new is None else (new, url if isinstance(url, str) else None)

    def flag_or_drop(self, adapter: ItemAdapter, other: str | None) -> None:
        """Do with an item what CETR_DUPLICATES says; ``other`` is the URL that came first."""
        self.extractor.count("duplicates")
        if self.extractor.settings.duplicates == "drop":
            raise DropItem(f"near-duplicate of the article at {other or 'an unknown URL'}")
        try:
            adapter[self.extractor.settings.duplicates_field] = other or True
        except Exception:
            self.extractor.count("items/refused")

    def _store(self, new: Signature, url: str | None) -> None:
        self._memory.add(new, url)
        if self._file is not None:
            record = {"url": url, "signature": base64.b64encode(new.tobytes()).decode()}
            self._file.write(json.dumps(record) + "\n")

    def close_spider(self) -> None:
        """Close the file in the JOBDIR."""
        if self._file is not None:
            self._file.close()


def _open_file(path: Path, memory: Memory) -> IO[str]:
    """Load the signatures of earlier runs, and return the file to append to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as lines:
        lines.seek(0)
        for line in lines:
            try:
                record = json.loads(line)
                known = np.frombuffer(base64.b64decode(record["signature"]), np.uint8)
                memory.add(known, record["url"])
            except (ValueError, KeyError, TypeError):
                logger.warning("Ignored an incomplete line in %s", path)
    # Line buffering, so that a crawl that is killed loses nothing.
    return path.open("a", encoding="utf-8", buffering=1)
