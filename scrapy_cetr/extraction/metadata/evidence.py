"""What a page says of itself, read once: meta tags, JSON-LD, microdata and its headlines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from turbohtml import Document, Element, parse

from scrapy_cetr.extraction.html.json_ld import Thing, by_id, read_things, texts_of, types_of
from scrapy_cetr.extraction.metadata.cut import cut_page, scripts_outside
from scrapy_cetr.extraction.page.characters import INVISIBLES

# Nobody writes a longer one; what is longer is cut.
MAX_VALUE = 5000
# So many elements of a kind are looked at, whatever a page holds.
MAX_ELEMENTS = 300

_HEAD = (
    'meta, link[rel~="canonical" i], link[rel~="image_src" i], base, title, h1,'
    ' script[type^="application/ld+json" i], html[lang], html[xml\\:lang]'
)
_WORDS = re.compile(r"\w+")
_PLAIN_URL = re.compile(r"https?://[\w.-]+/\S*$", re.ASCII)
_ARTICLE = re.compile(
    r"(?:Article|Posting|Report|Recipe|HowTo|Review|Chapter|CreativeWork|PodcastEpisode)$"
)
_WRITTEN = re.compile(r"(?:Article|Posting|Report)$")
_PAGE = re.compile(r"(?:Page)$")
# What stands between a headline and the name of a site.
SEPARATOR = re.compile(
    # White space is looked at from its beginning, once.
    r"(?<!\s)\s++[|\-–—·•»«:~/]+\s+|(?<!\s)\s*+[|»·•]\s*|:\s+(?=[^:]*$)|_(?=[^_]*$)"
)
_SEPARATOR_AT_END = re.compile(rf"(?:{SEPARATOR.pattern})$")
_ALIKE = 0.4
_ABOUT = 0.1
_MAX_FITTING = 50
# Microdata nests things as JSON-LD does; its names are the same.
_THING_TYPES = "schema.org"


class Found(NamedTuple):
    """A value, and where on the page it comes from."""

    value: Any
    source: str


@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[str, ...]:
    """Split a text into lower-case words.

    >>> words_of("The Harbour’s Master - News")
    ('the', 'harbours', 'master', 'news')
    """
    return tuple(_WORDS.findall(text.lower().replace("’", "").replace("'", "")))


def likeness(one: str, other: str) -> float:
    """Tell how many of the words of two texts are the same, from 0 to 1."""
    first, second = set(words_of(one)), set(words_of(other))
    return len(first & second) / max(len(first | second), 1)


def one_line(text: str) -> str:
    """Write a text on one line, without what nobody sees."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join(INVISIBLES.sub("", line).split())


def text_of(element: Element) -> str:
    """Read an element as a person does, on one line."""
    return one_line(element.to_text())[:MAX_VALUE]


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page for its metadata: the tree, and what its head says, by lower-case name."""

    source: str
    tree: Document
    url: str | None
    base: str | None
    language: str
    title: str
    meta: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[str]]
    headlines: Sequence[Element]
    things: Sequence[Thing]

    def first_meta(self, *names: str) -> str | None:
        """Give the first value of the first of these meta tags that has one."""
        return next((self.meta[name][0] for name in names if name in self.meta), None)

    def resolve_url(self, link: str | None) -> str | None:
        """Make an address absolute; None unless it is one of the web."""
        link = (link or "").strip()
        if _PLAIN_URL.match(link):
            return link
        try:
            whole = urljoin(self.base or "", link) if link else ""
            parts = urlsplit(whole)
        except ValueError:
            return None
        return whole if parts.scheme in ("http", "https") and parts.netloc else None

    @cached_property
    def known(self) -> Mapping[str, Thing]:
        """The things of the page by their @id."""
        return by_id(self.things)

    @cached_property
    def article(self) -> Thing:
        """The thing that is the article of this page, or nothing."""
        return self._best(_ARTICLE)

    @cached_property
    def page(self) -> Thing:
        """The thing that is this page, or nothing."""
        return self._best(_PAGE)

    @cached_property
    def microdata(self) -> Thing:
        """The article by the page's microdata, or nothing."""
        items = self.tree.microdata()[:MAX_ELEMENTS]
        things = [_as_thing(item) for item in items if _THING_TYPES in (item.type or "")]
        return _best_thing(self, things, _WRITTEN) or _best_thing(self, things, _PAGE)

    @cached_property
    def own(self) -> tuple[Thing, str]:
        """What the page states of its article, and where.

        Few pages say in microdata what they do not say in JSON-LD.
        """
        return (self.article, "json-ld") if self.article else (self.microdata, "microdata")

    @property
    def stated(self) -> Sequence[tuple[Thing, str]]:
        """What the page states of its article, and then of itself."""
        return (self.own, (self.page, "json-ld"))

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself, as far as it says so."""
        names = [*self.meta.get("og:site_name", ()), *self.meta.get("application-name", ())]
        for thing in self.things:
            if "WebSite" in types_of(thing):
                names += texts_of(thing, {}) + texts_of(thing, {}, key="alternateName")
        names += texts_of(self.article.get("publisher"), self.known)
        return list(dict.fromkeys(name for name in names if words_of(name)))

    @cached_property
    def site_keys(self) -> set[str]:
        """The names of the site without spaces, also those that its titles give away."""
        return {"".join(words_of(name)) for name in (*self.site_names, *_implied_names(self))}

    @cached_property
    def domain(self) -> str:
        """The host of the page without dots, to be compared with names."""
        try:
            host = urlsplit(self.url or self.first_meta("og:url") or "").hostname or ""
        except ValueError:
            return ""
        return "".join(words_of(host.removeprefix("www.")))

    def _best(self, types: re.Pattern[str]) -> Thing:
        return _best_thing(self, self.things, types)


def _implied_names(evidence: Evidence) -> list[str]:
    """Take what <title> adds to the other titles of the page for the name of the site."""
    names = []
    for title in evidence.meta.get("og:title", ())[:1]:
        before, same, behind = evidence.title.partition(title)
        if same and (cut := SEPARATOR.match(behind)):
            names.append(behind[cut.end() :])
        if same and (cut := _SEPARATOR_AT_END.search(before)):
            names.append(before[: cut.start()])
    return names


def _as_thing(item: Any, depth: int = 0) -> Thing:
    """Read an item of microdata as if it were JSON-LD."""
    thing: dict[str, Any] = {"@type": item.type or "", "@id": item.id}
    if depth < 4:
        for name, values in item.properties.items():
            thing[name] = [
                value if isinstance(value, str) else _as_thing(value, depth + 1)
                for value in values[:MAX_ELEMENTS]
            ]
    return thing


def _is_of(types: re.Pattern[str], thing: Thing) -> bool:
    return "@type" in thing and any(map(types.search, types_of(thing)))


def _best_thing(evidence: Evidence, things: Sequence[Thing], types: re.Pattern[str]) -> Thing:
    """Choose among the things of a type the one that is about this page, not a teaser on it."""
    fitting = [thing for thing in things if _is_of(types, thing)]
    if len(fitting) < 2:
        return fitting[0] if fitting else {}
    own = _own_paths(evidence)
    titles = [evidence.title, *map(text_of, evidence.headlines[:3])]
    scores = [_aboutness(thing, own, titles) for thing in fitting[:_MAX_FITTING]]
    best = max(range(len(scores)), key=lambda place: (scores[place], -place))
    # One article on a page is most likely its own; of several, one has to look like it.
    return fitting[best] if scores[best] > _ABOUT else {}


def _own_paths(evidence: Evidence) -> set[str]:
    addresses = (evidence.url, *evidence.links.get("canonical", ()))
    return {_path(address) for address in addresses if address}


def _aboutness(thing: Thing, own: set[str], titles: Sequence[str]) -> float:
    """Measure by address and headline how surely a thing is this page."""
    keys = ("url", "mainEntityOfPage", "@id")
    addresses = texts_of([thing.get(key) for key in keys], {}, key="@id")
    score = float(any(_path(address) in own for address in addresses))
    names = texts_of([thing.get("headline"), thing.get("name")], {})
    alike = max((likeness(name, title) for name in names for title in titles), default=0.0)
    # Of equals, the one that says more.
    return score + (alike if alike > _ALIKE else 0.0) + min(len(thing), 99) / 1e4


def _path(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    return (parts.netloc.removeprefix("www.") + parts.path).rstrip("/")


def read_evidence(html: str, *, url: str | None) -> Evidence:
    """Parse a page near its headline, and read its head."""
    cut = cut_page(html)
    tree = parse(html[: cut.head] + html[cut.begin : cut.end])
    meta: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}
    headlines: list[Element] = []
    scripts: list[str] = []
    base, language, title = url, "", None
    for element in tree.select(_HEAD):
        tag = element.tag
        if tag == "meta":
            _note_meta(element, meta)
        elif tag == "h1":
            headlines.append(element)
        elif tag == "script":
            scripts.append(element.text)
        elif tag == "link":
            for relation in (element.attr("rel") or "").lower().split():
                links.setdefault(relation, []).append(element.attr("href") or "")
        elif tag == "title":
            # An image has titles too, behind that of the page.
            title = " ".join(element.text[:MAX_VALUE].split()) if title is None else title
        elif tag == "html":
            language = element.attr("lang") or element.attr("xml:lang") or ""
        elif tag == "base" and element.attr("href"):
            base = _joined(url, element.attr("href"))
    things = read_things(scripts)
    if not any(_is_of(_ARTICLE, thing) for thing in things):
        things += read_things(scripts_outside(html, cut))
    return Evidence(
        html,
        tree,
        url,
        base,
        language,
        title or "",
        meta,
        links,
        headlines[:MAX_ELEMENTS],
        things,
    )


def _joined(url: str | None, link: str | None) -> str | None:
    try:
        return urljoin(url or "", link or "")
    except ValueError:
        return url


def _note_meta(element: Element, meta: dict[str, list[str]]) -> None:
    attr = element.attr
    content = attr("content")
    if content and (content := " ".join(content[:MAX_VALUE].split())):
        name = attr("property") or attr("name") or attr("itemprop") or attr("http-equiv")
        if name:
            meta.setdefault(name.strip().lower(), []).append(content)
