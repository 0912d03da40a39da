"""Article: the result of an extraction; and extract(), which makes it from HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Generic, Literal, Never, TypeVar

from scrapy_cetr.extraction.analysis import Analysis, analyse, method_of, source_of
from scrapy_cetr.extraction.attributes import ATTRIBUTES, as_json_value
from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.kind import ARTICLE, collect_clues
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.extraction.metadata import Breadcrumb
from scrapy_cetr.extraction.methods import Evidence
from scrapy_cetr.extraction.options import (
    DEFAULT_PARTS,
    DEFAULTS,
    Favor,
    Options,
    RowKind,
    check_names,
)
from scrapy_cetr.extraction.output.article_blocks import Outline, make_outline
from scrapy_cetr.extraction.output.blocks import ArticleBlock, Link
from scrapy_cetr.extraction.output.comments import Comment
from scrapy_cetr.extraction.output.passages import passages
from scrapy_cetr.extraction.page.characters import count_words
from scrapy_cetr.extraction.sites.rules import PageRule, SiteRules

Value = TypeVar("Value")


class LazyAttribute(Generic[Value]):
    """An attribute that is computed from the page when it is first asked for."""

    def __init__(self, empty: Value) -> None:
        self.empty = empty

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, article: Article | None, owner: type) -> Value:
        if article is None or article._lazy is None:
            return self.empty
        value: Value = article._lazy.value(self._name, self.empty)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The text of a page without menus, teasers and the like, and its metadata.

    The attributes from ``kind`` on are computed when they are first asked for. They are None or
    empty if the page does not have them. ``dataclasses.asdict`` does not know them; use
    ``to_dict``.
    """

    #: The article as plain text, with a blank line between paragraphs. Items of lists begin with
    #: "- " or their number, rows of tables are lines with " | " between the cells, and lines of
    #: code are indented.
    text: str = ""
    #: The URL of the page, as given.
    url: str | None = None
    #: The name of the method that chose the rows.
    method: str
    #: The number of characters on the whole page.
    page_chars: int = 0
    #: Whether the text has fewer words than the option min_words.
    short: bool = False
    #: Whether the page is longer than the option max_size. Only its beginning was read.
    truncated: bool = False
    #: The probability that the text is the article and right; None if the method has none.
    probability: float | None = None
    #: The keys of the site rules (``CETR_SITES``) that apply to the page.
    site_rules: tuple[str, ...] = ()
    #: The selectors of these rules that match nothing on the page.
    unmatched_selectors: tuple[str, ...] = ()
    _lazy: LazyValues | None = field(default=None, repr=False, compare=False)

    #: The kind of the page, such as ``article`` or ``listing``; None if the method has none.
    kind = LazyAttribute[str | None](None)
    #: The probability of the kind.
    kind_probability = LazyAttribute[float | None](None)
    #: The headline, without the site name.
    title = LazyAttribute[str | None](None)
    #: The names of the authors, without "By" and roles.
    authors = LazyAttribute[tuple[str, ...]](())
    #: The publication date in ISO 8601, with time and zone if the page gives them.
    date_published = LazyAttribute[str | None](None)
    #: The publication date as written on the page.
    date_published_raw = LazyAttribute[str | None](None)
    #: The modification date in ISO 8601.
    date_modified = LazyAttribute[str | None](None)
    #: The modification date as written on the page.
    date_modified_raw = LazyAttribute[str | None](None)
    #: The description that the page declares.
    description = LazyAttribute[str | None](None)
    #: The name of the site.
    site_name = LazyAttribute[str | None](None)
    #: The language of the text: a tag such as ``en`` or ``en-GB``.
    language = LazyAttribute[str | None](None)
    #: The absolute URL of the main image.
    image = LazyAttribute[str | None](None)
    #: The canonical URL that the page declares.
    canonical_url = LazyAttribute[str | None](None)
    #: The keywords that the page declares.
    keywords = LazyAttribute[tuple[str, ...]](())
    #: The section of the site that the page declares.
    section = LazyAttribute[str | None](None)
    #: Whether the full article is behind a paywall.
    paywalled = LazyAttribute[bool | None](None)
    #: The path from the home page to this page.
    breadcrumbs = LazyAttribute[tuple[Breadcrumb, ...]](())
    #: The parts of the article in order, each with its role, also those that are not in the text.
    blocks = LazyAttribute[tuple[ArticleBlock, ...]](())
    #: The article as Markdown (CommonMark with tables).
    markdown = LazyAttribute[str]("")
    #: The article as HTML with a small set of elements, without scripts and styles.
    html = LazyAttribute[str]("")
    #: The links in the article.
    links = LazyAttribute[tuple[Link, ...]](())
    #: The images in the article.
    images = LazyAttribute[tuple[Image, ...]](())
    #: The captions of images between the beginning and the end of the article.
    captions = LazyAttribute[tuple[str, ...]](())
    #: The comments of readers, in the order of the page. They are not in the text.
    comments = LazyAttribute[tuple[Comment, ...]](())
    #: The source name of each value that was found, such as ``json-ld`` or ``layout``.
    sources = LazyAttribute[Mapping[str, str]]({})

    @property
    def words(self) -> int:
        """The number of words in the text; each ideograph counts as one."""
        return count_words(self.text)

    @property
    def is_article(self) -> bool:
        """Whether there is a text, and the page is of the kind ``article`` or of unknown kind."""
        return bool(self.text) and self.kind in (None, ARTICLE)

    def to_dict(self, *names: str) -> dict[str, Any]:
        """Return all attributes by name, or those named, as values that JSON can hold.

        Tuples become lists, and links, images, comments and breadcrumbs become dicts.

        >>> article = extract("<title>Harbour</title><h1>Harbour</h1><p>By Ann Lee</p>")
        >>> article.to_dict("title", "authors")
        {'title': 'Harbour', 'authors': ['Ann Lee']}
        """
        for name in names:
            if name not in ATTRIBUTES:
                known = ", ".join(ATTRIBUTES)
                raise ValueError(f"unknown attribute {name!r}; the attributes are {known}")
        return {name: as_json_value(getattr(self, name)) for name in names or ATTRIBUTES}

    def settled(self, names: Iterable[str]) -> Article:
        """Compute some attributes and let the page go; the others are empty from then on."""
        values = {name: getattr(self, name) for name in names if name in LAZY}
        return replace(self, _lazy=LazyValues.known(values))

    def reviving(self, extract_again: Callable[[], Article]) -> Article:
        """Take attributes that are not computed yet from the same article, extracted again."""
        values = self._lazy.computed if self._lazy else {}
        return replace(self, _lazy=LazyValues.known(values, extract_again=extract_again))


# The attributes of an article: stored in it, or computed when asked for.
STORED = tuple(field.name for field in fields(Article) if field.name != "_lazy")
LAZY: Mapping[str, LazyAttribute[Any]] = {
    name: value for name, value in vars(Article).items() if isinstance(value, LazyAttribute)
}


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    sites: SiteRules | None = None,
    method: str = "learned",
    favor: Favor = "article",
    threshold: float = 0.5,
    rows: RowKind = "blocks",
    parts: Sequence[str] = DEFAULT_PARTS,
    model: str = "",
    sigma: float | Literal["std"] = 7.0,
    alpha: int = 3,
    k: int = 3,
    lam: float = 0.75,
    coreex_threshold: float = 0.9,
    coreex_text_weight: float = 0.01,
    qread_empty_lines: int = 3,
    lineblock_ttr: float | Literal["std"] = 30.0,
    lineblock_attr: float = 0.2,
    lineblock_tkd: int = 2,
    clg_threshold: float = 0.55,
    clg_overlap: float = 0.7,
    clg_theta1: float = 0.05,
    clg_theta2: float = 0.2,
    clg_theta3: float = 0.4,
    clg_theta4: float = 0.9,
    clg_depth: int = 3,
    min_words: int = 0,
    max_size: int = 50_000_000,
    **unknown: Never,
) -> Article:
    r"""Extract the article of a page.

    ``url`` is the URL of the page, which makes its links and images absolute. ``sites`` are rules
    for single sites, as ``load_sites()`` reads them; options of a rule override those given here.
    ``favor`` is for the
    method "learned": more precision leaves out more teasers and notes, more recall keeps more.
    It keeps rows whose probability to be content is at least ``threshold``.
    ``rows`` are what a method decides on: block-level elements, or lines of the source. ``parts``
    are the roles of those that make the text, such as "paragraph" or "caption". ``model`` is the
    path of own weights for the method "learned", see ``scrapy_cetr.tune``. An article of fewer
    words than ``min_words`` is marked as short, and of a page only the first ``max_size``
    characters are read. ``Options`` describes the parameters of the other methods.

    Raise ValueError for an illegal value, and TypeError for an unknown option.

    >>> extract("<h1>Harbour</h1><p>It was a long day,<br>and nobody went home.</p>").text
    'It was a long day,\nand nobody went home.'
    """
    given = locals()
    check_names(unknown)
    options = Options(**{name: given[name] for name in DEFAULTS})
    rule = sites.for_url(url) if sites is not None else None
    options = rule.with_options(options) if rule is not None else options
    return extract_article(html, url=url, options=options, rule=rule)


def extract_article(
    html: str | bytes,
    *,
    url: str | None,
    options: Options,
    rule: PageRule | None = None,
    evidence: Evidence | None = None,
) -> Article:
    """Extract the article of a page with options that are checked already.

    ``rule`` is what the rules of its site say about the page; ``options`` include its options.
    ``evidence`` is what other pages of the site say about its rows.
    """
    source, truncated = source_of(html, options=options)
    found = analyse(source, options=options, rule=rule, evidence=evidence)
    return make_article(found, source, url=url, options=options, truncated=truncated, rule=rule)


def make_article(
    found: Analysis,
    html: str,
    *,
    url: str | None,
    options: Options,
    truncated: bool,
    rule: PageRule | None = None,
) -> Article:
    """Make the article of an analysed page."""
    calibration = found.calibration
    return Article(
        text=found.text,
        url=url,
        method=method_of(found.page, options),
        page_chars=int(found.page.rows.chars.sum()),
        probability=found.probability,
        short=options.min_words > 0 and count_words(found.text) < options.min_words,
        truncated=truncated,
        site_rules=rule.sites if rule is not None else (),
        unmatched_selectors=found.unmatched,
        _lazy=LazyValues(
            html,
            url=url,
            text=found.text,
            kept=None if found.is_declared else passages(found.page, found.keep),
            outline=None if found.is_declared else partial(_outline, found),
            clues=None
            if calibration is None
            else collect_clues(found.page, calibration, found.text),
            body=found.body,
            headline=found.headline,
            is_visible=found.is_visible,
            is_stamped=found.page.layout is not None,
            page=found.held,
            dropped=found.dropped,
            selected=found.metadata,
        ),
    )


def _outline(found: Analysis) -> Outline:
    return make_outline(found.page, found.all_roles())
