"""A survey of many pages: counters, samples and the most suspicious pages, in bounded memory."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options

# What is remembered at the most, however long the crawl.
MAX_SITES = 500
MAX_SUSPECTS = 60
MAX_SUSPECTS_OF_SITE = 12
MAX_SAMPLED_PAGES = 2000
MAX_SAMPLED_OF_SITE = 200
MAX_STORED_CHARS = 5_000_000
OTHER_SITES = "other sites"

# What is suspicious: fewer words than that, unless min_words says more; less sure than that;
# of a site with so many pages, as far from its median share, or of words by such a factor.
FEW_WORDS = 50
UNSURE = 0.5
ENOUGH_PAGES = 8
FAR_SHARE = 0.3
FAR_WORDS = 5

Thing = TypeVar("Thing")


class Sample(Generic[Thing]):
    """As many things as there is room for, each of all that came as likely as any other."""

    def __init__(self, room: int) -> None:
        self.things: list[Thing] = []
        self._room = room
        self._seen = 0
        self._random = Random(0)  # noqa: S311

    def add(self, thing: Thing) -> None:
        """Take a thing in, or not."""
        self._seen += 1
        if len(self.things) < self._room:
            self.things.append(thing)
        elif (place := self._random.randrange(self._seen)) < self._room:
            self.things[place] = thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is remembered of a page; ``share`` is that of its characters that were kept."""

    url: str
    site: str
    words: int
    share: float
    short: bool
    failed: bool
    probability: float | None


@dataclass(slots=True)
class Site:
    """What is remembered of a site."""

    pages: int = 0
    empty: int = 0
    failed: int = 0
    words: Sample[int] = field(default_factory=lambda: Sample(MAX_SAMPLED_OF_SITE))
    shares: Sample[float] = field(default_factory=lambda: Sample(MAX_SAMPLED_OF_SITE))
    probabilities: Sample[float] = field(default_factory=lambda: Sample(MAX_SAMPLED_OF_SITE))

    def add(self, seen: Seen) -> None:
        """Count a page."""
        self.pages += 1
        self.failed += seen.failed
        self.empty += not seen.words and not seen.failed
        if seen.words:
            self.words.add(seen.words)
            self.shares.add(seen.share)
        if seen.probability is not None:
            self.probabilities.add(seen.probability)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A page to look at, with its HTML packed, unless that is too large."""

    seen: Seen
    severity: float
    packed: bytes | None
    options: Options

    @property
    def html(self) -> str | None:
        """The page as it was."""
        if self.packed is None:
            return None
        return zlib.decompress(self.packed).decode("utf-8", "surrogatepass")


class Survey:
    """What is remembered of many pages, in a crawl for example."""

    def __init__(self) -> None:
        self.total = Site()
        self.sites: dict[str, Site] = {}
        self.sample: Sample[Seen] = Sample(MAX_SAMPLED_PAGES)
        self.words = 0
        self.chars_in = 0
        self.chars_out = 0
        self._suspects: list[Suspect] = []

    @property
    def pages(self) -> int:
        """The number of pages that were added."""
        return self.total.pages

    def add(self, article: Article, html: str, *, options: Options, failed: bool = False) -> None:
        """Remember a page; ``failed`` if it could not be extracted."""
        seen = _seen(article, failed=failed)
        if seen.site not in self.sites and len(self.sites) >= MAX_SITES:
            seen = _seen(article, failed=failed, site=OTHER_SITES)
        site = self.sites.setdefault(seen.site, Site())
        for counted in (self.total, site):
            counted.add(seen)
        self.sample.add(seen)
        self.words += seen.words
        self.chars_in += article.page_chars
        self.chars_out += len(article.text)
        severity = max((weight for weight, _ in doubts(seen, site)), default=0.0)
        # The first pages of a site may turn out to be far off when more of it are known.
        if severity or site.pages <= ENOUGH_PAGES:
            self._suspect(seen, severity, html, options)

    def _suspect(self, seen: Seen, severity: float, html: str, options: Options) -> None:
        """Take a page in if there is room, or in the place of one that is less suspicious."""
        rivals = [suspect for suspect in self._suspects if suspect.seen.site == seen.site]
        if len(rivals) < MAX_SUSPECTS_OF_SITE:
            rivals = self._suspects if len(self._suspects) >= MAX_SUSPECTS else []
        if rivals:
            least = min(rivals, key=lambda suspect: suspect.severity)
            if least.severity >= severity:
                return
            self._suspects.remove(least)
        packed = None
        if len(html) <= MAX_STORED_CHARS:
            packed = zlib.compress(html.encode("utf-8", "surrogatepass"), 1)
        self._suspects.append(Suspect(seen=seen, severity=severity, packed=packed, options=options))

    def suspects(self) -> list[tuple[Suspect, list[str]]]:
        """Give the suspicious pages and what speaks against each, the worst first."""
        found = []
        for suspect in self._suspects:
            against = doubts(suspect.seen, self.sites[suspect.seen.site])
            if against:
                found.append((max(against)[0], suspect, [reason for _, reason in against]))
        found.sort(key=lambda entry: -entry[0])
        return [(suspect, reasons) for _, suspect, reasons in found]


def _seen(article: Article, *, failed: bool, site: str | None = None) -> Seen:
    url = article.url or ""
    return Seen(
        url=url,
        site=site if site is not None else site_of(url),
        words=article.words,
        share=min(len(article.text) / max(article.page_chars, 1), 1.0),
        short=article.short,
        failed=failed,
        probability=getattr(article, "probability", None),
    )


def site_of(url: str) -> str:
    """Name the site of a page, or the folder of a file.

    >>> site_of("https://www.news.example/harbour"), site_of("pages/harbour.html")
    ('www.news.example', 'pages')
    """
    try:
        host = urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        host = ""
    return host or url.rpartition("/")[0] or "."


def doubts(seen: Seen, site: Site) -> list[tuple[float, str]]:
    """Say what is suspicious about a page, each with how much it weighs."""
    if seen.failed:
        return [(5.0, "could not be extracted")]
    if not seen.words:
        return [(4.0, "empty")]
    found = []
    if seen.short or seen.words < FEW_WORDS:
        found.append((3 + 1 / (1 + seen.words), f"only {seen.words} words"))
    if seen.probability is not None and seen.probability < UNSURE:
        found.append((3 - seen.probability, f"probability {seen.probability:.2f}"))
    if len(site.shares.things) >= ENOUGH_PAGES:
        usual = median(site.shares.things)
        if abs(seen.share - usual) > FAR_SHARE:
            text = f"keeps {seen.share:.0%} of its characters; the site’s median is {usual:.0%}"
            found.append((1 + abs(seen.share - usual), text))
        many = median(site.words.things)
        if seen.words * FAR_WORDS < many:
            text = f"{seen.words:,} words; the site’s median is {many:,.0f}"
            found.append((2 - seen.words / many, text))
    return found
