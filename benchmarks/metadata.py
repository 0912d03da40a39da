"""How often title, author and date of a page are right, and how often they are wrong or invented.

A value is right if it has the same words as the one given: a title nearly all of them in any order,
an author all of them in any order and without "and", a date the same day. It is missing where one
is given and none found, and invented where none is given.
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

FIELDS = ("title", "author", "date")
OUTCOMES = ("right", "wrong", "missing", "invented", "rightly none")
HEADERS = ("corpus", "field", "reader", "right of given", *OUTCOMES, "ms/page")
# A title with as many of the words as this, by F1, is the same title.
SAME_TITLE = 0.9
CONNECTIVES = frozenset(("and", "by", "with"))
OURS = "scrapy-cetr"

Values = Mapping[str, str | None]
Reader = Callable[[Page], Values]


def ours(page: Page) -> Values:
    """Read with this project, the text included; the date is that of publication."""
    article = extract(page.html, url=page.url)
    return {
        "title": article.title,
        "author": ", ".join(article.authors),
        "date": article.date_published,
    }


def trafilatura(page: Page) -> Values:
    """Read with trafilatura as it comes."""
    found = import_peer("trafilatura").extract_metadata(page.html, default_url=page.url)
    return {"title": found.title, "author": found.author, "date": found.date} if found else {}


def htmldate(page: Page) -> Values:
    """Read with htmldate, asked for the original date; it knows only dates."""
    found = import_peer("htmldate").find_date(page.html, url=page.url, original_date=True)
    return {"date": found}


def newspaper(page: Page) -> Values:
    """Read with newspaper4k, without letting it fetch anything."""
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
READ_FIELDS: Mapping[str, Sequence[str]] = {"htmldate": ("date",)}


@dataclass(frozen=True, kw_only=True)
class JudgedPage:
    """What the readers made of a page: values, outcomes and seconds, each in their order."""

    id: str
    given: Values
    found: Sequence[Values]
    outcomes: Sequence[Mapping[str, str]]
    seconds: Sequence[float]


def choose_readers(peers: Sequence[str]) -> dict[str, Reader]:
    """Find the peers that a person named, behind this project itself."""
    for name in peers:
        if name not in (*PEERS, ALL):
            raise BenchmarkError(f"unknown peer {name!r}; accepted: {listed(PEERS)}, {ALL}")
    return {OURS: ours, **{name: PEERS[name] for name in expand(peers, PEERS)}}


def words(text: str | None) -> list[str]:
    """Split a value into words.

    >>> words("The Harbour’s Master")
    ['the', 'harbours', 'master']
    """
    return re.findall(r"[^\W_]+", (text or "").lower().replace("’", "").replace("'", ""))


def is_same(field: str, given: str, found: str) -> bool:
    """Tell whether a value is the one given.

    >>> is_same("author", "Ann Lee and Bo Chen", "Bo Chen, Ann Lee")
    True
    """
    if field == "date":
        return found[: len(given)][:10] == given[:10]
    if field == "author":
        return set(words(given)) - CONNECTIVES == set(words(found)) - CONNECTIVES
    shared = score(Counter(words(found)), Counter(words(given)))
    return harmonic_mean(shared.precision, shared.recall) >= SAME_TITLE


def outcome(field: str, given: str | None, found: str | None) -> str:
    """Judge a value.

    >>> outcome("date", None, "2025-01-01"), outcome("date", "2025-01-01", "2025-01-01T10:00")
    ('invented', 'right')
    """
    if not words(given):
        return "invented" if words(found) else "rightly none"
    if not words(found):
        return "missing"
    return "right" if is_same(field, given or "", found or "") else "wrong"


def judge(page: Page, readers: Mapping[str, Reader]) -> JudgedPage:
    """Let all readers read a page; one that fails has found nothing."""
    given = {"title": page.title, "author": page.author, "date": page.date}
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
    """Judge all readers on a corpus that gives at least one of the fields, with a progress bar."""
    judged = (judge(page, readers) for page in corpus.pages())
    pages = list(progress(judged, total=len(corpus.chosen), name=corpus.name, force=force_progress))
    if not any(value for page in pages for value in page.given.values()):
        raise BenchmarkError(f"{corpus.path}: gives no {', '.join(FIELDS)} of its pages")
    return pages


def metadata_rows(
    corpus: str, judged: Sequence[JudgedPage], readers: Mapping[str, Reader]
) -> list[list[str]]:
    """Count the outcomes of each field and reader."""
    rows = []
    for field in FIELDS:
        for place, reader in enumerate(readers):
            if field not in READ_FIELDS.get(reader, FIELDS):
                continue
            counts = Counter(page.outcomes[place][field] for page in judged)
            given = sum(counts[name] for name in ("right", "wrong", "missing"))
            share = f"{counts['right'] / given:.3f}" if given else ABSENT
            milliseconds = 1000 * sum(page.seconds[place] for page in judged) / len(judged)
            figures = [str(counts[name]) for name in OUTCOMES]
            rows.append([corpus, field, reader, share, *figures, f"{milliseconds:.1f}"])
    return rows


def metadata_table(rows: Sequence[Sequence[str]]) -> Table:
    """Put the rows of all corpora under their headers."""
    return Table(HEADERS, rows, name_columns=3)


def failure_table(judged: Sequence[JudgedPage], *, field: str) -> Table:
    """List the pages on which this project is not right about a field."""
    rows = [
        [page.id, page.outcomes[0][field], page.given[field] or "", page.found[0].get(field) or ""]
        for page in judged
        if page.outcomes[0][field] not in ("right", "rightly none")
    ]
    return Table(("id", "outcome", "given", "found"), rows, name_columns=4)
