"""An Article, and extract(): the one place where reading, judging and writing come together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

from scrapy_cetr.extraction.analysis import Analysis, analyse, source_of
from scrapy_cetr.extraction.html.details import Image, Link, passages
from scrapy_cetr.extraction.lazy import Source
from scrapy_cetr.extraction.metadata import Breadcrumb
from scrapy_cetr.extraction.options import Options, make_options
from scrapy_cetr.extraction.page.characters import count_words

Value = TypeVar("Value")


class _Lazy(Generic[Value]):
    """An attribute that is worked out from the page when it is first asked for."""

    def __init__(self, empty: Value) -> None:
        self.empty = empty

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, article: Article | None, owner: type) -> Value:
        if article is None or article._source is None:
            return self.empty
        value: Value = article._source.value(self._name, self.empty)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a page is about: its text without what surrounds it, and what is known of it.

    ``page_chars`` counts the characters on the whole page; a ``short`` article has fewer words
    than the option min_words, and of a ``truncated`` page only max_size characters were read.
    ``probability`` says how likely the page is an article at all, if its method says so. What
    comes without a type is worked out when asked for, and is None or empty rather than wrong.
    """

    text: str = ""
    url: str | None = None
    method: str
    page_chars: int = 0
    short: bool = False
    truncated: bool = False
    probability: float | None = None
    _source: Source | None = field(default=None, repr=False, compare=False)

    title = _Lazy[str | None](None)
    authors = _Lazy[tuple[str, ...]](())
    date_published = _Lazy[str | None](None)
    date_published_raw = _Lazy[str | None](None)
    date_modified = _Lazy[str | None](None)
    date_modified_raw = _Lazy[str | None](None)
    description = _Lazy[str | None](None)
    site_name = _Lazy[str | None](None)
    language = _Lazy[str | None](None)
    image = _Lazy[str | None](None)
    canonical_url = _Lazy[str | None](None)
    keywords = _Lazy[tuple[str, ...]](())
    section = _Lazy[str | None](None)
    paywalled = _Lazy[bool | None](None)
    breadcrumbs = _Lazy[tuple[Breadcrumb, ...]](())
    markdown = _Lazy[str]("")
    html = _Lazy[str]("")
    links = _Lazy[tuple[Link, ...]](())
    images = _Lazy[tuple[Image, ...]](())
    captions = _Lazy[tuple[str, ...]](())
    comments = _Lazy[str]("")
    sources = _Lazy[Mapping[str, str]]({})

    @property
    def words(self) -> int:
        """The number of words in the text; each ideograph counts as one."""
        return count_words(self.text)

    def settled(self, names: Iterable[str]) -> Article:
        """Work out some attributes, and let the page go; the others are empty then."""
        values = {name: getattr(self, name) for name in names if name in LAZY}
        return replace(self, _source=Source.of_values(values))

    def reviving(self, again: Callable[[], Article]) -> Article:
        """Let what is not worked out be asked of the same article, extracted again."""
        source = Source.of_values(self._source.known if self._source else {}, again=again)
        return replace(self, _source=source)


PLAIN = tuple(field.name for field in fields(Article) if field.name != "_source")
LAZY: Mapping[str, _Lazy[Any]] = {
    name: value for name, value in vars(Article).items() if isinstance(value, _Lazy)
}
ATTRIBUTES = (*PLAIN, "words", *LAZY)
# What stands in the place of tuples in JSON, by the attributes that hold them.
_RECORDS: Mapping[str, Any] = {"links": Link, "images": Image, "breadcrumbs": Breadcrumb}


def as_record(article: Article, names: Iterable[str]) -> dict[str, Any]:
    """Write an article and some of its attributes as what JSON can hold."""
    wanted = (*PLAIN, *(name for name in names if name in LAZY))
    return {name: getattr(article, name) for name in wanted}


def from_record(record: Mapping[str, Any]) -> Article:
    """Read an article from what JSON has made of it."""
    values = {name: _restored(name, value) for name, value in record.items() if name in LAZY}
    plain = {name: record[name] for name in PLAIN}
    return Article(**plain, _source=Source.of_values(values))


def _restored(name: str, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    kind = _RECORDS.get(name)
    return tuple(kind(*one) if kind else one for one in value)


def extract(html: str | bytes, *, url: str | None = None, **options: Any) -> Article:
    r"""Extract the article of a page; the keyword options are the fields of Options.

    >>> extract("<h1>Harbour</h1><p>It was a long day,<br>and nobody went home.</p>").text
    'Harbour\n\nIt was a long day,\nand nobody went home.'
    """
    return extract_article(html, url=url, options=make_options(options))


def extract_article(html: str | bytes, *, url: str | None, options: Options) -> Article:
    """Extract the article of a page with options that are checked already."""
    source, truncated = source_of(html, options=options)
    found = analyse(source, options=options)
    return make_article(found, source, url=url, options=options, truncated=truncated)


def make_article(
    found: Analysis, html: str, *, url: str | None, options: Options, truncated: bool
) -> Article:
    """Make the article of an analysed page; the page itself is not kept, only its HTML."""
    return Article(
        text=found.text,
        url=url,
        method=options.method,
        page_chars=int(found.page.rows.chars.sum()),
        probability=found.probability,
        short=options.min_words > 0 and count_words(found.text) < options.min_words,
        truncated=truncated,
        _source=Source(
            html,
            url=url,
            text=found.text,
            kept=None if found.is_declared else passages(found.page, found.keep),
        ),
    )
