"""Compare the title, author, date and language that readers find with those that a corpus gives.

A title is right if its words have an F1 of at least SAME_TITLE with the given title. An author is
right if the words are the same, in any order and without "and". A date is right if it is of the
same day. A language is right if it is the same without regions and scripts;
Bokmål is Norwegian. A value is missing if one is given and none is found, and invented if none is
given.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from benchmarks.accuracy import harmonic_mean, score
from benchmarks.contenders import ALL, expand, listed
from benchmarks.corpus import Corpus, Page
from benchmarks.errors import BenchmarkError
from benchmarks.peers import import_peer
from benchmarks.progress import progress
from benchmarks.table import ABSENT, Table
from scrapy_cetr.extraction import extract

FIELDS = ("title", "author", "date", "language")
OUTCOMES = ("right", "wrong", "missing", "invented", "rightly none")
HEADERS = ("corpus", "field", "reader", "right of given", *OUTCOMES, "ms/page")
# The lowest F1 of the words of two titles that are the same.
SAME_TITLE = 0.9
CONNECTIVES = frozenset(("and", "by", "with"))
OURS = "scrapy-cetr"

Values = Mapping[str, str | None]
Reader = Callable[[Page], Values]


def ours(page: Page) -> Values:
    """Read with this project, including the text; the date is the publication date."""
    article = extract(page.html, url=page.url)
    return {
        "title": article.title,
        "author": ", ".join(article.authors),
        "date": article.date_published,
        "language": article.language,
    }


def trafilatura(page: Page) -> Values:
    """Read with the default options of trafilatura."""
    found = import_peer("trafilatura").extract_metadata(page.html, default_url=page.url)
    return {"title": found.title, "author": found.author, "date": found.date} if found else {}


def htmldate(page: Page) -> Values:
    """Read the original date with htmldate, which reads only dates."""
    found = import_peer("htmldate").find_date(page.html, url=page.url, original_date=True)
    return {"date": found}


def newspaper(page: Page) -> Values:
    """Read with newspaper4k, without network access."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        article = import_peer("newspaper").Article(
            url=page.url or "http://localhost/", fetch_images=False
        )
        article.download(input_html=page.html)
        article.parse()
    date = article.publish_date
    return {
        "title": article.title,
        "author": ", ".join(article.authors),
        "date": date.date().isoformat() if date else None,
    }


PEERS: Mapping[str, Reader] = {
    "trafilatura": trafilatura,
    "htmldate": htmldate,
    "newspaper4k": newspaper,
}
# The fields that each reader reads.
READ_FIELDS: Mapping[str, Sequence[str]] = {
    OURS: FIELDS,
    "trafilatura": FIELDS[:3],
    "htmldate": ("date",),
    "newspaper4k": FIELDS[:3],
}


@dataclass(frozen=True, kw_only=True)
class JudgedPage:
    """The values, outcomes and seconds of a page, each in the order of the readers."""

    id: str
    given: Values
    found: Sequence[Values]
    outcomes: Sequence[Mapping[str, str]]
    seconds: Sequence[float]


def choose_readers(peers: Sequence[str]) -> dict[str, Reader]:
    """Return the readers by name: this project first, then the named peers."""
    for name in peers:
        if name not in (*PEERS, ALL):
            raise BenchmarkError(f"unknown peer {name!r}; accepted: {listed(PEERS)}, {ALL}")
    return {OURS: ours, **{name: PEERS[name] for name in expand(peers, PEERS)}}


def words(text: str | None) -> list[str]:
    """Return the lower-case words of a value, without apostrophes and underscores.

    >>> words("The Harbour’s Master")
    ['the', 'harbours', 'master']
    """
    return re.findall(r"[^\W_]+", (text or "").lower().replace("’", "").replace("'", ""))


def is_same(field: str, given: str, found: str) -> bool:
    """Return whether a found value is the same as the given value.

    >>> is_same("author", "Ann Lee and Bo Chen", "Bo Chen, Ann Lee")
    True
    """
    if field == "date":
        return found[: len(given)][:10] == given[:10]
    if field == "language":
        return primary(given) == primary(found)
    if field == "author":
        return set(words(given)) - CONNECTIVES == set(words(found)) - CONNECTIVES
    shared = score(Counter(words(found)), Counter(words(given)))
    return harmonic_mean(shared.precision, shared.recall) >= SAME_TITLE


def primary(tag: str) -> str:
    """Return the language of a tag alone.

    >>> primary("en-GB"), primary("nb")
    ('en', 'no')
    """
    language = tag.lower().partition("-")[0]
    return "no" if language in ("nb", "nn") else language


def outcome(field: str, given: str | None, found: str | None) -> str:
    """Return the outcome for a value, one of OUTCOMES.

    >>> outcome("date", None, "2025-01-01"), outcome("date", "2025-01-01", "2025-01-01T10:00")
    ('invented', 'right')
    """
    if not words(given):
        return "invented" if words(found) else "rightly none"
    if not words(found):
        return "missing"
    return "right" if is_same(field, given or "", found or "") else "wrong"


def judge(page: Page, readers: Mapping[str, Reader]) -> JudgedPage:
    """Run all readers on a page; a reader that raises an exception has found nothing."""
    given = {field: getattr(page, field) for field in FIELDS}
    found, seconds = [], []
    for read in readers.values():
        start = perf_counter()
        try:
            values = read(page)
        except Exception:
            values = {}
        seconds.append(perf_counter() - start)
        found.append(values)
    outcomes = [
        {field: outcome(field, given[field], values.get(field)) for field in FIELDS}
        for values in found
    ]
    return JudgedPage(id=page.id, given=given, found=found, outcomes=outcomes, seconds=seconds)


def judge_metadata(
    corpus: Corpus, *, readers: Mapping[str, Reader], force_progress: bool = False
) -> list[JudgedPage]:
    """Run all readers on a corpus, with a progress bar.

    Raise BenchmarkError if the corpus gives none of the fields.
    """
    judged = (judge(page, readers) for page in corpus.pages())
    pages = list(progress(judged, total=len(corpus.chosen), name=corpus.name, force=force_progress))
    if not any(value for page in pages for value in page.given.values()):
        raise BenchmarkError(f"{corpus.path}: gives no {', '.join(FIELDS)} of its pages")
    return pages


def metadata_rows(
    corpus: str, judged: Sequence[JudgedPage], readers: Mapping[str, Reader]
) -> list[list[str]]:
    """Return a table row with the counts of outcomes for each field and reader."""
    rows = []
    for field in FIELDS:
        for index, reader in enumerate(readers):
            if field not in READ_FIELDS.get(reader, FIELDS):
                continue
            if not any(page.given[field] for page in judged):
                continue
            counts = Counter(page.outcomes[index][field] for page in judged)
            given = sum(counts[name] for name in ("right", "wrong", "missing"))
            share = f"{counts['right'] / given:.3f}" if given else ABSENT
            milliseconds = 1000 * sum(page.seconds[index] for page in judged) / len(judged)
            figures = [str(counts[name]) for name in OUTCOMES]
            rows.append([corpus, field, reader, share, *figures, f"{milliseconds:.1f}"])
    return rows


def metadata_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return a table of the rows of all corpora."""
    return Table(HEADERS, rows, name_columns=3)


def failure_table(judged: Sequence[JudgedPage], *, field: str) -> Table:
    """Return a table of the pages for which this project has a field wrong."""
    rows = [
        [page.id, page.outcomes[0][field], page.given[field] or "", page.found[0].get(field) or ""]
        for page in judged
        if page.outcomes[0][field] not in ("right", "rightly none")
    ]
    return Table(("id", "outcome", "given", "found"), rows, name_columns=4)
