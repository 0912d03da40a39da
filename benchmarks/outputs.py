"""Hashes of everything that is extracted from each page, to compare two versions of the code.

A record holds, for each page and each way to extract it, one hash per attribute of Article. It
holds no text of the pages.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from benchmarks.corpus import Corpus, Page
from benchmarks.errors import BenchmarkError
from benchmarks.parallel import map_in_processes
from benchmarks.progress import progress
from benchmarks.table import Table
from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.options import DEFAULTS, FAVORS

DIGEST_BYTES = 8
RECORD_HEADERS = ("corpus", "pages", "hashes")
COMPARE_HEADERS = ("method", "field", "first page", "differences")

# By the names of the variants: how a page is extracted.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    **{name: {"method": name} for name in METHODS},
    # The other methods do not use this option.
    **{
        f"learned, {favor}": {"method": "learned", "favor": favor}
        for favor in FAVORS
        if favor != DEFAULTS["favor"]
    },
}

# The hash of each field, by the name of a variant.
Hashes = dict[str, dict[str, str]]


@dataclass(frozen=True, kw_only=True)
class Record:
    """The hashes of all pages, by the corpus, position and id of a page."""

    fields: Sequence[str] = ATTRIBUTES
    variants: Sequence[str] = tuple(VARIANTS)
    pages: dict[str, Hashes] = field(default_factory=dict)


@dataclass(kw_only=True)
class Differences:
    """The number of pages that differ by variant and field, and the first page of each."""

    pages: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)


def hash_corpus(
    corpus: Corpus, *, jobs: int, force_progress: bool = False
) -> Iterator[tuple[str, Hashes]]:
    """Yield the key and the hashes of each chosen page of a corpus, with a progress bar."""
    hashed = map_in_processes(hash_page, corpus.pages(), jobs=jobs)
    total = len(corpus.chosen)
    shown = progress(hashed, total=total, name=corpus.name, force=force_progress)
    # The position distinguishes pages with the same id.
    for position, (page_id, hashes) in zip(corpus.chosen, shown, strict=True):
        yield f"{corpus.name}/{position}/{page_id}", hashes


def hash_page(page: Page) -> tuple[str, Hashes]:
    """Return the id of a page and the hashes of its articles."""
    return page.id, {
        name: hash_fields(partial(extract, page.html, url=page.url, **options))
        for name, options in VARIANTS.items()
    }


def hash_fields(
    make_article: Callable[[], Any], fields: Iterable[str] = ATTRIBUTES
) -> dict[str, str]:
    """Hash the fields of an article; an exception is hashed in place of the value."""
    try:
        article = make_article()
    except Exception as error:
        return dict.fromkeys(fields, digest(describe(error)))
    hashes = {}
    for name in fields:
        try:
            value = getattr(article, name)
        except Exception as error:
            value = describe(error)
        hashes[name] = digest(value)
    return hashes


def describe(error: Exception) -> list[str]:
    """Return the type and the message of an exception."""
    return [type(error).__name__, str(error)]


def digest(value: object) -> str:
    """Hash a value by its JSON, in which named tuples are lists.

    >>> digest(("a", 1)) == digest(["a", 1]) != digest(["a", 2])
    True
    """
    written = json.dumps(value, sort_keys=True, default=dict)
    return blake2b(written.encode(), digest_size=DIGEST_BYTES).hexdigest()


def save_record(path: Path, record: Record) -> None:
    """Write a record as gzipped JSON: per page and variant, the hashes in the order of fields."""
    pages = {
        key: ["".join(hashes[variant].values()) for variant in record.variants]
        for key, hashes in record.pages.items()
    }
    content = {"fields": record.fields, "variants": record.variants, "pages": pages}
    try:
        path.write_bytes(gzip.compress(json.dumps(content).encode(), mtime=0))
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def load_record(path: Path) -> Record:
    """Read a record; a file that is none is an error."""
    try:
        content = json.loads(gzip.decompress(path.read_bytes()))
        fields, variants = content["fields"], content["variants"]
        pages = {
            key: {
                variant: dict(zip(fields, split_digests(joined), strict=True))
                for variant, joined in zip(variants, hashes, strict=True)
            }
            for key, hashes in content["pages"].items()
        }
    except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BenchmarkError(
            f"{path}: cannot be read ({reason}); a file written by --record is expected"
        ) from error
    return Record(fields=fields, variants=variants, pages=pages)


def split_digests(joined: str) -> list[str]:
    """Split joined hashes.

    >>> split_digests("00000000000000aa00000000000000bb")
    ['00000000000000aa', '00000000000000bb']
    """
    length = 2 * DIGEST_BYTES
    return [joined[start : start + length] for start in range(0, len(joined), length)]


def differences(known: Record, hashed: Iterable[tuple[str, Hashes]]) -> Differences:
    """Compare hashes with those of a record, in the fields and variants that both have."""
    found = Differences()
    for key, hashes in hashed:
        if key not in known.pages:
            raise BenchmarkError(f"page {key} is not in the record; record the same pages first")
        found.pages += 1
        recorded = known.pages[key]
        for variant in hashes.keys() & recorded.keys():
            for name in hashes[variant].keys() & recorded[variant].keys():
                if hashes[variant][name] != recorded[variant][name]:
                    found.counts[variant, name] += 1
                    found.examples.setdefault((variant, name), key)
    return found


def not_compared(known: Record) -> list[str]:
    """List the fields and variants that only the record or only this version has."""
    only = {*known.fields} ^ {*ATTRIBUTES} | {*known.variants} ^ {*VARIANTS}
    return sorted(only)


def record_table(record: Record) -> Table:
    """Count the recorded pages and hashes of each corpus."""
    counts = Counter(key.partition("/")[0] for key in record.pages)
    hashes = len(record.fields) * len(record.variants)
    rows = [[corpus, str(count), str(count * hashes)] for corpus, count in counts.items()]
    return Table(RECORD_HEADERS, rows, name_columns=1)


def compare_table(found: Differences) -> Table:
    """List the variants and fields that differ, those with the most pages first."""
    rows = [
        [variant, name, found.examples[variant, name], str(count)]
        for (variant, name), count in sorted(
            found.counts.items(), key=lambda counted: (-counted[1], counted[0])
        )
    ]
    return Table(COMPARE_HEADERS, rows, name_columns=3)
