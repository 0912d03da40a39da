"""A survey of many pages: counters, samples and the most suspicious pages, in bounded memory."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options

# Limits of memory, however long the crawl is.
MAX_SITES = 500
# Suspicious pages in the report, and those among them that are stored with their HTML.
MAX_SUSPECTS = 10_000
MAX_STORED = 50
MAX_STORED_PER_SITE = 12
MAX_SAMPLED_PAGES = 2000
MAX_SAMPLED_PER_SITE = 200
MAX_STORED_CHARS = 5_000_000
# The name under which the pages of all sites beyond MAX_SITES are counted.
OTHER_SITES = "other sites"

# A page is suspicious if it has fewer words (or fewer than min_words), or if it is an article and
# has a lower probability.
FEW_WORDS = 50
LOW_PROBABILITY = 0.5
# A page of these kinds takes the place of an article.
BARRED_KINDS = ("wall", "error", "stub")
# On a site with at least this many pages, a page is also suspicious if its share of kept characters
# differs from the site's median by more than this, or if it has fewer words by this factor.
MIN_PAGES_FOR_MEDIANS = 8
MAX_SHARE_DIFFERENCE = 0.3
MAX_WORDS_FACTOR = 5

T = TypeVar("T")


class ReservoirSample(Generic[T]):
    """A random sample of at most ``size`` items, each item ever added being equally likely."""

    def __init__(self, size: int) -> None:
        self.items: list[T] = []
        self._size = size
        self.added = 0
        self._random = Random(0)  # noqa: S311

    def restore(self, items: list[T], added: int) -> None:
        """Continue the sample of an earlier run, of which ``added`` items were added."""
        self.items, self.added = items[: self._size], int(added)
        self._random.seed(self.added)

    def merge(self, other: ReservoirSample[T]) -> None:
        """Add another sample, as if all of its items had been added one by one."""
        drawn: list[T] = []
        sources = [self._random.sample(one.items, len(one.items)) for one in (self, other)]
        left = [self.added, other.added]
        while len(drawn) < self._size and any(sources):
            index = int(self._random.randrange(sum(left)) >= left[0])
            # An older version may have kept fewer items.
            index = index if sources[index] else 1 - index
            drawn.append(sources[index].pop())
            left[index] = max(left[index] - 1, 1)
        self.items, self.added = drawn, self.added + other.added

    def add(self, item: T) -> None:
        """Add an item, which may replace another one or be ignored."""
        self.added += 1
        if len(self.items) < self._size:
            self.items.append(item)
        elif (index := self._random.randrange(self.added)) < self._size:
            self.items[index] = item


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedPage:
    """The figures of a page; ``share`` is the share of its characters that were kept."""

    url: str
    site: str
    words: int
    share: float
    short: bool
    failed: bool
    probability: float | None
    is_article: bool = True
    kind: str | None = None


def _site_sample() -> ReservoirSample[float]:
    return ReservoirSample(MAX_SAMPLED_PER_SITE)


@dataclass(slots=True)
class PageCounts:
    """Counters and samples of the pages of one site, or of all sites."""

    pages: int = 0
    articles: int = 0
    empty: int = 0
    failed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    words: ReservoirSample[float] = field(default_factory=_site_sample)
    shares: ReservoirSample[float] = field(default_factory=_site_sample)
    probabilities: ReservoirSample[float] = field(default_factory=_site_sample)

    def add(self, page: SurveyedPage) -> None:
        """Count a page."""
        self.pages += 1
        self.articles += page.is_article
        self.failed += page.failed
        self.empty += not page.words and not page.failed
        if page.kind is not None:
            self.kinds[page.kind] += 1
        if page.words:
            self.words.add(page.words)
            self.shares.add(page.share)
        if page.probability is not None:
            self.probabilities.add(page.probability)


@dataclass(slots=True, kw_only=True, eq=False)
class Suspect:
    """A suspicious page, with its HTML compressed, or None if that is not stored."""

    page: SurveyedPage
    severity: float
    options: Options
    compressed_html: bytes | None = None

    @property
    def html(self) -> str | None:
        """The HTML of the page."""
        if self.compressed_html is None:
            return None
        return zlib.decompress(self.compressed_html).decode("utf-8", "surrogatepass")


class Survey:
    """The figures of many pages, for example of a crawl.

    ``unlisted`` is the number of suspicious pages beyond MAX_SUSPECTS.
    """

    def __init__(self) -> None:
        self.total = PageCounts()
        self.sites: dict[str, PageCounts] = {}
        self.sample: ReservoirSample[SurveyedPage] = ReservoirSample(MAX_SAMPLED_PAGES)
        self.words = 0
        self.chars_in = 0
        self.chars_out = 0
        self.candidates: list[Suspect] = []
        self.unlisted = 0
        # Pages by rule of CETR_SITES, and those without an element for a selector.
        self.rule_pages: Counter[str] = Counter()
        self.unmatched: Counter[str] = Counter()
        # Those of the candidates that have their HTML.
        self._stored: list[Suspect] = []

    @property
    def pages(self) -> int:
        """The number of pages that were added."""
        return self.total.pages

    def add(self, article: Article, html: str, *, options: Options, failed: bool = False) -> None:
        """Add a page; ``failed`` if it could not be extracted."""
        site_of_page = site_name(article.url or "")
        if site_of_page not in self.sites and len(self.sites) >= MAX_SITES:
            site_of_page = OTHER_SITES
        page = _surveyed(article, failed=failed, site=site_of_page)
        site = self.sites.setdefault(page.site, PageCounts())
        self.total.add(page)
        site.add(page)
        self.rule_pages.update(article.site_rules)
        self.unmatched.update(article.unmatched_selectors)
        self.sample.add(page)
        self.words += page.words
        self.chars_in += article.page_chars
        self.chars_out += len(article.text)
        severity = max((severity for severity, _ in suspicions(page, site)), default=0.0)
        # The first pages of a site may turn out to be unusual when more of its pages are known.
        if severity or site.pages <= MIN_PAGES_FOR_MEDIANS:
            self._add_suspect(page, severity, html, options)

    def _add_suspect(
        self, page: SurveyedPage, severity: float, html: str, options: Options
    ) -> None:
        """Note a page, and store its HTML if it is among the most suspicious ones."""
        if len(self.candidates) >= MAX_SUSPECTS:
            self.unlisted += severity > 0
            return
        suspect = Suspect(page=page, severity=severity, options=options)
        self.candidates.append(suspect)
        if len(html) <= MAX_STORED_CHARS and self._make_room(suspect):
            suspect.compressed_html = zlib.compress(html.encode("utf-8", "surrogatepass"), 1)

    def _make_room(self, suspect: Suspect) -> bool:
        """Choose a page to be stored with its HTML, unless others are more suspicious."""
        rivals = [one for one in self._stored if one.page.site == suspect.page.site]
        if len(rivals) < MAX_STORED_PER_SITE:
            rivals = self._stored if len(self._stored) >= MAX_STORED else []
        if rivals:
            least = min(rivals, key=lambda one: one.severity)
            if least.severity >= suspect.severity:
                return False
            least.compressed_html = None
            self._stored.remove(least)
        self._stored.append(suspect)
        return True

    def add_candidate(self, suspect: Suspect) -> None:
        """Add a page of another run, with its HTML if that was stored and there is room."""
        if len(self.candidates) >= MAX_SUSPECTS:
            self.unlisted += suspect.severity > 0
            return
        self.candidates.append(suspect)
        if suspect.compressed_html is not None and not self._make_room(suspect):
            suspect.compressed_html = None

    def suspects(self) -> list[tuple[Suspect, list[str]]]:
        """Return the suspicious pages with the reasons, most severe first."""
        found = []
        for suspect in self.candidates:
            reasons = suspicions(suspect.page, self.sites[suspect.page.site])
            if reasons:
                found.append((max(reasons)[0], suspect, [reason for _, reason in reasons]))
        found.sort(key=lambda entry: -entry[0])
        return [(suspect, reasons) for _, suspect, reasons in found]


def _surveyed(article: Article, *, failed: bool, site: str) -> SurveyedPage:
    return SurveyedPage(
        url=article.url or "",
        site=site,
        words=article.words,
        share=min(len(article.text) / max(article.page_chars, 1), 1.0),
        short=article.short,
        failed=failed,
        probability=getattr(article, "probability", None),
        is_article=article.is_article,
        kind=article.kind,
    )


def site_name(url: str) -> str:
    """Return the host of a URL, or the folder of a file.

    >>> site_name("https://www.news.example/harbour"), site_name("pages/harbour.html")
    ('www.news.example', 'pages')
    """
    try:
        host = urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        host = ""
    return host or url.rpartition("/")[0] or "."


def suspicions(page: SurveyedPage, site: PageCounts) -> list[tuple[float, str]]:
    """Return the severity and the text of each reason to inspect a page."""
    if page.failed:
        return [(5.0, "could not be extracted")]
    if not page.words:
        return [(4.0, "empty")]
    found = []
    if page.short or page.words < FEW_WORDS:
        found.append((3 + 1 / (1 + page.words), f"only {page.words} words"))
    if page.kind in BARRED_KINDS:
        found.append((3.5, f"kind {page.kind}"))
    elif page.is_article and page.probability is not None and page.probability < LOW_PROBABILITY:
        found.append((3 - page.probability, f"probability {page.probability:.2f}"))
    if len(site.shares.items) >= MIN_PAGES_FOR_MEDIANS:
        share = median(site.shares.items)
        if abs(page.share - share) > MAX_SHARE_DIFFERENCE:
            text = f"keeps {page.share:.0%} of its characters; the site’s median is {share:.0%}"
            found.append((1 + abs(page.share - share), text))
        words = median(site.words.items)
        if page.words * MAX_WORDS_FACTOR < words:
            text = f"{page.words:,} words; the site’s median is {words:,.0f}"
            found.append((2 - page.words / words, text))
    return found
