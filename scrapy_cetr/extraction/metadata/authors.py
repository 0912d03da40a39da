"""The authors of a page, as a list of clean names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import resolve, texts_of, types_of
from scrapy_cetr.extraction.metadata.byline_places import is_place, without_place_and_date
from scrapy_cetr.extraction.metadata.layout import Byline, Layout, is_after
from scrapy_cetr.extraction.metadata.parsed_page import ParsedPage
from scrapy_cetr.extraction.metadata.schema_objects import SchemaObject
from scrapy_cetr.extraction.metadata.sources import (
    JSON_LD,
    LAYOUT,
    META,
    MICRODATA,
    Found,
    meta_source,
)
from scrapy_cetr.extraction.metadata.texts import title_words
from scrapy_cetr.extraction.metadata.titles import is_site_name

MAX_AUTHORS = 50
_MAX_NAME, _MAX_LOGIN = 80, 30

_META_NAMES = (
    *("author", "article:author", "parsely-author", "sailthru.author", "dc.creator"),
    *("dcterms.creator", "dc.creator.personalname", "citation_author", "byl", "byline"),
    *("og:article:author", "article:author_name", "authors", "rbauthors"),
)
_BY = re.compile(
    r"^\W*(?:(?:(?:more|view|all|articles?|posts?|content)\s+)+(?:by|about|from)|meet"
    r"|(?:(?:written|posted|published|words|story|article|text|report|reviewed|created)\s+)?by"
    r"|author|von|par|por|di|door|af|av|автор|作者|文|撰文|記者|记者)(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)
_BY_ANYWHERE = re.compile(
    r"(?:^|[\s\W])(?:by|authors?)(?::\s*|\s+)(?=\S)|" + _BY.pattern, re.IGNORECASE
)
_BY_AFTER_DATE = re.compile(r"\d{4}\W+by\s", re.IGNORECASE)
_ROLE = re.compile(
    r"\b(?:editor|writer|reporter|journalist|correspondent|columnist|contributor|attorney|analyst|"
    r"manager|director|coordinator|specialist|strategist|founder|ceo|president|professor|expert)\b",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"^(?:and|&|und|et|with|,)(?:\s|$)|(?:\s|^)(?:and|&|und|et|with)$|,$", re.I
)
# Separators between two names.
_NAME_SEPARATOR = re.compile(
    r"(?:[;|•·]|,\s+(?:and|und|et|y|e|en)\s+|,\s*|(?<!\s)\s++(?:and|&|und|et|y|with)\s+)\s*", re.I
)
_PLACE_SEPARATOR = re.compile(r",\s|\s[|·•/–—-]\s")
_MAX_PLACES = 3
# The end of the names in a byline: a role, a location, a date.
_END_OF_NAMES = re.compile(
    r"(?<!\s)\s++[|–—·•]\s|\s-\s|(?<!\s)\s++(?:on|in|at|for|from|updated|published|posted|is|was|last|reviewed)\s"
    r"|\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|[(\[@]|\d+ min",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"[<>{}\[\]=\\]|\d{3}|[?!…]|^(?:admin|administrator|root|user|guest|unknown|none|"
    r"null|undefined|author|authors|anonymous|editor|staff|by|view all posts|read more|share|"
    r"website|default|webmaster|superuser|(?:written|posted|published)(?: by)?|"
    r"n/a|the|contributor|contributors|about the author|follow|comments?)$",
    re.IGNORECASE,
)
_NOT_A_LOGIN = re.compile(
    r"\b(?:views?|profile|pages?|posts?|articles?|stories|blog|more|about|all|follow|subscribe|"
    r"contact|e-?mail|rss|log ?in|comments?|bio|website)\b",
    re.IGNORECASE,
)
_URL_OR_MAIL = re.compile(r"https?:|www\.|@|\w/\w")
_GROUP = re.compile(r"\b(?:team|staff|editors?|editorial|desk|newsroom|admin|inc|llc|ltd)\b", re.I)
_PARTICLES = frozenset(
    re.findall(
        r"\w+", "de da di du del der den des van von zu la le el al bin ibn y e and dos af av"
    )
)
# After a comma, these belong to the name before it.
_SUFFIX = re.compile(
    r"^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|mba|esq|cpa|rn|rd|rdn|ms|ma|msc|mph|dds|dvm|lcsw|np|cfp|"
    r"cfa|jd|psyd|edd|llc|inc|ltd|facs|faap|cpt|cscs|ldn|lmft|lpc|pe|pharmd|do|od|mfa|bsc|ba|bs|"
    r"cissp|pmp|cdn|cn)\b\.?",
    re.IGNORECASE,
)


def find_authors(page: ParsedPage, layout: Layout) -> Found | None:
    """Return the authors from the most reliable source that names a person.

    Names of the site, teams and logins count only if no source names a person.
    """
    fallback: Found | None = None
    for names, source in _candidates(page, layout):
        if not names:
            continue
        found = Found(tuple(names), source)
        if any(_is_person(name, page) for name in names):
            return found
        fallback = fallback or found
    return fallback or _login(layout)


def _is_person(name: str, page: ParsedPage) -> bool:
    return " " in name and not is_site_name(name, page) and not _GROUP.search(name)


def _candidates(page: ParsedPage, layout: Layout) -> Iterator[tuple[list[str], str]]:
    """Yield names and their sources, the most reliable first."""
    yield clean_names(_object_authors(page.article_object, page)), JSON_LD
    yield clean_names(_object_authors(page.microdata_object, page)), MICRODATA
    yield clean_names(_object_authors(page.webpage_object, page)), JSON_LD
    yield _meta_authors(page)
    yield clean_names(_card_authors(page)), META
    yield _byline_authors(layout, layout.bylines, _looks_like_person), LAYOUT
    yield _authors_near_headline(layout.nearby.texts), LAYOUT


def _object_authors(declared: SchemaObject, page: ParsedPage) -> list[str]:
    """Return the authors of an object: the persons, or the organizations if there are none."""
    authors = declared.get("author") or declared.get("creator")
    values = authors if isinstance(authors, list) else [authors]
    values = [resolve(value, page.objects_by_id) for value in values[:MAX_AUTHORS]]
    persons = [
        value for value in values if not isinstance(value, dict) or "Person" in types_of(value)
    ]
    return texts_of(persons, page.objects_by_id) or texts_of(values, page.objects_by_id)


def _meta_authors(page: ParsedPage) -> tuple[list[str], str]:
    """Return the names in all meta tags for authors, and the source of the first name."""
    tags = [(name, page.meta[name]) for name in _META_NAMES if name in page.meta]
    names = clean_names(value for _, values in tags for value in values)
    first = next((name for name, values in tags if clean_names(values)), "")
    return names, meta_source(first)


def _card_authors(page: ParsedPage) -> Iterator[str]:
    """Yield authors in Twitter cards: twitter:label1 "Written by", twitter:data1 "Ann Lee"."""
    for number in "1234":
        label = page.first_meta(f"twitter:label{number}") or ""
        if title_words(label) in (("written", "by"), ("author",), ("by",), ("verfasst", "von")):
            yield from page.meta.get(f"twitter:data{number}", ())


def _login(layout: Layout) -> Found | None:
    """Return a team or a login from the most reliable bylines."""
    reliable = [byline for byline in layout.bylines if byline.rank == 0]
    names = _byline_authors(layout, reliable, _looks_like_login)
    return Found(tuple(names), LAYOUT) if names else None


def _looks_like_login(name: str) -> bool:
    return len(name) <= _MAX_LOGIN and len(name.split()) <= 4 and not _NOT_A_LOGIN.search(name)


def _byline_authors(
    layout: Layout, bylines: Iterable[Byline], accept: Callable[[str], bool]
) -> list[str]:
    """Return the names in the most reliable byline, and in equal bylines beside it.

    A byline after the headline is more reliable than one before it. Bylines count only if
    ``accept`` returns True for all of their names.
    """
    best: tuple[tuple[bool, int], Element, list[str]] | None = None
    for rank, element, text in bylines:
        names = clean_names([names_in_byline(text)])
        if not names or not all(map(accept, names)):
            continue
        key = (not is_after(element, layout.headline), rank)
        if best is None or key < best[0]:
            best = (key, element, names)
        elif key == best[0] and element.parent == best[1].parent:
            best[2].extend(name for name in names if name not in best[2])
    return best[2] if best else []


def _authors_near_headline(texts: Sequence[str]) -> list[str]:
    """Return the names after "By" in the texts near the headline, also if "By" is separate."""
    for index, text in enumerate(texts):
        if _BY.match(f"{text} ") or _BY_AFTER_DATE.search(f"{text} "):
            names = clean_names([names_in_byline("\n".join(texts[index : index + 6]))])
            if names and all(map(_looks_like_person, names)):
                return names
    return []


def _looks_like_person(name: str) -> bool:
    """Distinguish a name from a sentence by its capital letters, in scripts that have them."""
    words = [word for word in name.split() if word.lower() not in _PARTICLES]
    return 1 < len(words) <= 5 and all(
        word[0].isupper() or not word[0].isascii() or word[0] in "(\"'“" for word in words
    )


def names_in_byline(text: str) -> str:
    r"""Return the part of a byline that has the names; each part of a byline is on its own line.

    >>> names_in_byline("Mar 27, 2024, by\nAnn Lee\nand\nBo Chen\nTravel Editor")
    'Ann Lee and Bo Chen'
    """
    opening = _BY_ANYWHERE.search(text + " ")
    text = text[opening.end() :] if opening else text
    names, *lines = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    for line in lines:
        if not (_CONNECTIVE.search(names) or _CONNECTIVE.match(line)):
            break
        names = f"{names} {line}"
    names = without_place_and_date(names)
    end = _END_OF_NAMES.search(names, 2)
    return names[: end.start()] if end else names


def clean_names(written: Iterable[str]) -> list[str]:
    """Return the names in texts that should be names, without duplicates.

    URLs, mail addresses, roles and placeholders such as "admin" are left out.

    >>> clean_names(["By Ann Lee and Bo Chen, Ph.D.", "Ann Lee", "http://example.com/ann"])
    ['Ann Lee', 'Bo Chen, Ph.D.']
    """
    names: list[str] = []
    for text in written:
        text = _BY.sub("", text.strip()[: 10 * _MAX_NAME])
        text = without_place_and_date(text)
        if _URL_OR_MAIL.search(text):
            continue
        text = _without_last_place(text)
        for part in _split_names(text):
            name = " ".join(part.split()).strip(' ,;:-–—|*"“”')
            name = name if _SUFFIX.match(name.rpartition(", ")[2]) else name.rstrip(".")
            if 1 < len(name) <= _MAX_NAME and not _NOT_A_NAME.search(name):
                names.append(name)
    unique: dict[tuple[str, ...], str] = {}
    for name in names:
        unique.setdefault(title_words(name), name)
    return list(unique.values())[:MAX_AUTHORS]


def _without_last_place(text: str) -> str:
    """Remove a place or an agency after the names, as in "Ann Lee, London"."""
    for _ in range(_MAX_PLACES):
        parts = list(_PLACE_SEPARATOR.finditer(text))
        if not parts or len(text[: parts[-1].start()].split()) < 2:
            break
        last = text[parts[-1].end() :].strip()
        if not (last[:1].isupper() and is_place(last)) or _SUFFIX.match(last):
            break
        text = text[: parts[-1].start()]
    return text


def _split_names(text: str) -> list[str]:
    """Split a list of names, unless a part is not a whole name, as in "Research and Design"."""
    parts: list[str] = []
    for part in _NAME_SEPARATOR.split(text):
        if parts and _SUFFIX.match(part.strip()):
            parts[-1] = f"{parts[-1]}, {part.strip()}"
        elif part.strip() and not (parts and _ROLE.search(part)):
            parts.append(part.strip())
    are_names = all(len(part.split()) in (2, 3, 4) or part.isupper() for part in parts)
    return parts if are_names else [text]
