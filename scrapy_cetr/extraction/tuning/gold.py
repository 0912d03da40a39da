"""Gold pages: the HTML of a page and the text that a person would keep, as rows with labels."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.features import Features, find_features

# The articles of the bundled site, which show whether tuned weights still know what they knew.
BUNDLED = "bundled.jsonl.gz"
# Words are runs of word characters; each ideograph and kana is a word.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"(?=\w)[{_CJK}]|[^\W{_CJK}]+")
# Words are compared in runs of this length, since texts share single words with any other text.
_RUN = 3

Counts = NDArray[np.float64]


class GoldError(ValueError):
    """A file of gold pages that cannot be used; the message says why."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GoldPage:
    """A page, the number of words of each of its rows, and how many of them are in the gold text.

    ``of_rows`` has the words themselves, ``gold`` those of the gold text.
    """

    name: str
    site: str
    features: Features
    of_rows: Sequence[Counter[str]]
    words: Counts
    matched: Counts
    gold: Counter[str]

    def f1(self, keep: Bools) -> float:
        """Compare the words of the kept rows with those of the gold text."""
        kept: Counter[str] = Counter()
        for row in np.flatnonzero(keep).tolist():
            kept.update(self.of_rows[row])
        return _f1(kept, self.gold)


def make_gold_page(html: str, text: str, *, name: str, site: str) -> GoldPage:
    """Read a page, and find which of its rows are in the gold text."""
    features = find_features(read(html, rows="blocks", with_class_names=True))
    rows = [words_of(row) for row in features.texts]
    gold = words_of(text)
    return GoldPage(
        name=name,
        site=site,
        features=features,
        of_rows=[Counter(row) for row in rows],
        words=np.array([len(row) for row in rows], float),
        matched=_matched(rows, gold),
        gold=Counter(gold),
    )


def word_f1(text: str, gold: str) -> float:
    """Return the harmonic mean of precision and recall of the words of a text.

    >>> word_f1("It rained all day", "It rained")
    0.6666666666666666
    """
    return _f1(Counter(words_of(text)), Counter(words_of(gold)))


def _f1(kept: Counter[str], gold: Counter[str]) -> float:
    total = kept.total() + gold.total()
    return 2 * (kept & gold).total() / total if total else 1.0


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def _matched(rows: Sequence[list[str]], gold: list[str]) -> Counts:
    """Count the words of each row that are in runs of the gold text.

    A row that is shorter than a run counts only next to a row of the gold text.
    """
    runs = {tuple(gold[index : index + _RUN]) for index in range(len(gold) - _RUN + 1)}
    short = {tuple(gold[i : i + size]) for size in (1, 2) for i in range(len(gold) - size + 1)}
    matched = np.zeros(len(rows))
    for number, row in enumerate(rows):
        inside: set[int] = set()
        for index in range(len(row) - _RUN + 1):
            if tuple(row[index : index + _RUN]) in runs:
                inside.update(range(index, index + _RUN))
        matched[number] = len(inside)
    sizes = np.array([len(row) for row in rows], float)
    is_gold = np.append(matched * 2 > np.maximum(sizes, 1), False)
    for number, row in enumerate(rows):
        if (
            0 < len(row) < _RUN
            and tuple(row) in short
            and (is_gold[number - 1] or is_gold[number + 1])
        ):
            matched[number] = len(row)
    return matched


def read_gold(path: Path) -> list[GoldPage]:
    """Read a file of gold pages: JSON lines with ``html``, ``text`` and, optionally, ``url``."""
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GoldError(f"{path}: cannot be read: {reason}") from None
    pages = [
        make_gold_page(html, text, name=name, site=site)
        for html, text, name, site in _lines(data, str(path))
    ]
    if not pages:
        raise GoldError(f"{path}: has no pages; each line must be a JSON object with html and text")
    return pages


def bundled_pages() -> list[GoldPage]:
    """Return the articles of the bundled site."""
    data = gzip.decompress((files(__package__) / BUNDLED).read_bytes())
    return [
        make_gold_page(html, text, name=name, site=site)
        for html, text, name, site in _lines(data, BUNDLED)
    ]


def _lines(data: bytes, path: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the HTML, the text, the name and the site of each line."""
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise GoldError(f"{where}: is not JSON: {error}") from None
        record = record if isinstance(record, dict) else {}
        html, text = (_text(record.get(key)) for key in ("html", "text"))
        if not html or not text:
            raise GoldError(f"{where}: must be a JSON object with the strings 'html' and 'text'")
        url = record.get("url")
        url = url if isinstance(url, str) else ""
        yield html, text, url or where, _host(url) or where


def _text(value: object) -> str:
    return value if isinstance(value, str) and value.strip() else ""


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
