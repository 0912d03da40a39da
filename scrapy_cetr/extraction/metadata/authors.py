"""The names of the people who wrote a page, and nothing that is no name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import Thing, resolve, texts_of, types_of
from scrapy_cetr.extraction.metadata.evidence import (
    Evidence,
    Found,
    words_of,
)
from scrapy_cetr.extraction.metadata.layout import Byline, Layout, is_behind
from scrapy_cetr.extraction.metadata.titles import is_site_name

MAX_AUTHORS = 50
_MAX_NAME, _MAX_LOGIN = 80, 30

_META = (
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
_BY_INSIDE = re.compile(
    r"(?:^|[\s\W])(?:by|authors?)(?::\s*|\s+)(?=\S)|" + _BY.pattern, re.IGNORECASE
)
_BY_BEHIND_DATE = re.compile(r"\d{4}\W+by\s", re.IGNORECASE)
_ROLE = re.compile(
    r"\b(?:editor|writer|reporter|journalist|correspondent|columnist|contributor|attorney|analyst|"
    r"manager|director|coordinator|specialist|strategist|founder|ceo|president|professor|expert)\b",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"^(?:and|&|und|et|with|,)(?:\s|$)|(?:\s|^)(?:and|&|und|et|with)$|,$", re.I
)
# What is between two names, and what ends them: a role, a place, a date.
_BETWEEN = re.compile(
    r"(?:[;|•·]|,\s+(?:and|und|et|y|e|en)\s+|,\s*|(?<!\s)\s++(?:and|&|und|et|y|with)\s+)\s*", re.I
)
_END = re.compile(
    r"(?<!\s)\s++[|–—·•]\s|\s-\s|(?<!\s)\s++(?:on|in|at|for|from|updated|published|posted|is|was|last|reviewed)\s"
    r"|\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|[(\[@]|\d+ min",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"[<>{}\[\]=\\]|\d{3}|[?!…]|^(?:admin|administrator|root|user|guest|unknown|none|"
    r"null|undefined|author|authors|anonymous|editor|staff|by|view all posts|read more|share|"
    r"website|default|webmaster|superuser|(?:written|posted|published)(?: by)?|"
    r"n/a|the|contributor|contributors|about the author|follow|comments?)$",
    re.IGNORECASE,
)
_NO_LOGIN = re.compile(
    r"\b(?:views?|profile|pages?|posts?|articles?|stories|blog|more|about|all|follow|subscribe|"
    r"contact|e-?mail|rss|log ?in|comments?|bio|website)\b",
    re.IGNORECASE,
)
# Behind a comma, they belong to the name before them.
_ADDRESS = re.compile(r"https?:|www\.|@|\w/\w")
_GROUP = re.compile(r"\b(?:team|staff|editors?|editorial|desk|newsroom|admin|inc|llc|ltd)\b", re.I)
_PARTICLES = frozenset(
    re.findall(
        r"\w+", "de da di du del der den des van von zu la le el al bin ibn y e and dos af av"
    )
)
_SUFFIX = re.compile(
    r"^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|mba|esq|cpa|rn|rd|rdn|ms|ma|msc|mph|dds|dvm|lcsw|np|cfp|"
    r"cfa|jd|psyd|edd|llc|inc|ltd|facs|faap|cpt|cscs|ldn|lmft|lpc|pe|pharmd|do|od|mfa|bsc|ba|bs|"
    r"cissp|pmp|cdn|cn)\b\.?",
    re.IGNORECASE,
)


def find_authors(evidence: Evidence, layout: Layout) -> Found | None:
    """Find the authors where a page names them most surely.

    What is no name of a person, such as that of the site or a login, is taken only if there is
    nothing better.
    """
    second: Found | None = None
    for names, source in _candidates(evidence, layout):
        if not names:
            continue
        found = Found(tuple(names), source)
        if any(_is_personal(name, evidence) for name in names):
            return found
        second = second or found
    return second or _login(layout)


def _is_personal(name: str, evidence: Evidence) -> bool:
    return " " in name and not is_site_name(name, evidence) and not _GROUP.search(name)


def _candidates(evidence: Evidence, layout: Layout) -> Iterator[tuple[list[str], str]]:
    yield clean_names(_people(evidence.article, evidence)), "json-ld"
    yield clean_names(_people(evidence.microdata, evidence)), "microdata"
    yield clean_names(_people(evidence.page, evidence)), "json-ld"
    yield clean_names(name for key in _META for name in evidence.meta.get(key, ())), "meta"
    yield clean_names(_labelled(evidence)), "meta"
    yield _marked(layout, layout.bylines, _looks_personal), "layout"
    yield _written_by(layout.near.texts), "layout"


def _people(thing: Thing, evidence: Evidence) -> list[str]:
    """Read the authors of a thing: the people among them, or else the organisations."""
    listed = thing.get("author") or thing.get("creator")
    values = listed if isinstance(listed, list) else [listed]
    values = [resolve(value, evidence.known) for value in values[:MAX_AUTHORS]]
    people = [
        value for value in values if not isinstance(value, dict) or "Person" in types_of(value)
    ]
    return texts_of(people, evidence.known) or texts_of(values, evidence.known)


def _labelled(evidence: Evidence) -> Iterator[str]:
    """Read cards such as twitter:label1 "Written by" with twitter:data1 "Ann Lee"."""
    for number in "1234":
        label = evidence.first_meta(f"twitter:label{number}") or ""
        if words_of(label) in (("written", "by"), ("author",), ("by",), ("verfasst", "von")):
            yield from evidence.meta.get(f"twitter:data{number}", ())


def _login(layout: Layout) -> Found | None:
    """Read the name of a team or a login from what is marked as the author most surely."""
    surest = [byline for byline in layout.bylines if byline.rank == 0]
    names = _marked(layout, surest, _looks_like_login)
    return Found(tuple(names), "layout") if names else None


def _looks_like_login(name: str) -> bool:
    return len(name) <= _MAX_LOGIN and len(name.split()) <= 4 and not _NO_LOGIN.search(name)


def _marked(layout: Layout, bylines: Iterable[Byline], likely: Callable[[str], bool]) -> list[str]:
    """Read the elements that are marked as a byline, the surest and the first of them."""
    best: tuple[tuple[bool, int], Element, list[str]] | None = None
    for rank, element, text in bylines:
        names = clean_names([cut_byline(text)])
        if not names or not all(map(likely, names)):
            continue
        key = (not is_behind(element, layout.headline), rank)
        if best is None or key < best[0]:
            best = (key, element, names)
        elif key == best[0] and element.parent == best[1].parent:
            best[2].extend(name for name in names if name not in best[2])
    return best[2] if best else []


def _written_by(texts: Sequence[str]) -> list[str]:
    """Read "By Ann Lee" from the text near the headline, also if the name is a text of its own."""
    for place, text in enumerate(texts):
        if _BY.match(f"{text} ") or _BY_BEHIND_DATE.search(f"{text} "):
            names = clean_names([cut_byline("\n".join(texts[place : place + 6]))])
            if names and all(map(_looks_personal, names)):
                return names
    return []


def _looks_personal(name: str) -> bool:
    """Tell a name from a sentence by its capitals, where a script has them."""
    words = [word for word in name.split() if word.lower() not in _PARTICLES]
    return 1 < len(words) <= 5 and all(
        word[0].isupper() or not word[0].isascii() or word[0] in "(\"'“" for word in words
    )


def cut_byline(text: str) -> str:
    r"""Take the names out of a byline, whose parts are on lines of their own.

    >>> cut_byline("Mar 27, 2024, by\nAnn Lee\nand\nBo Chen\nTravel Editor")
    'Ann Lee and Bo Chen'
    """
    opening = _BY_INSIDE.search(text + " ")
    text = text[opening.end() :] if opening else text
    line, *others = [part.strip() for part in text.split("\n") if part.strip()] or [""]
    for other in others:
        if not (_CONNECTIVE.search(line) or _CONNECTIVE.match(other)):
            break
        line = f"{line} {other}"
    end = _END.search(line, 2)
    return line[: end.start()] if end else line


def clean_names(written: Iterable[str]) -> list[str]:
    """Make a list of names out of what pages write where names should be.

    >>> clean_names(["By Ann Lee and Bo Chen, Ph.D.", "Ann Lee", "http://example.com/ann"])
    ['Ann Lee', 'Bo Chen, Ph.D.']
    """
    names: list[str] = []
    for text in written:
        text = _BY.sub("", text.strip()[: 10 * _MAX_NAME])
        if _ADDRESS.search(text):
            continue
        for part in _split_names(text):
            part = " ".join(part.split()).strip(' ,;:-–—|*"“”')
            part = part if _SUFFIX.match(part.rpartition(", ")[2]) else part.rstrip(".")
            if 1 < len(part) <= _MAX_NAME and not _NO_NAME.search(part):
                names.append(part)
    unique: dict[tuple[str, ...], str] = {}
    for name in names:
        unique.setdefault(words_of(name), name)
    return list(unique.values())[:MAX_AUTHORS]


def _split_names(text: str) -> list[str]:
    """Part a list of names, unless its parts are no whole names, as in "Research and Design"."""
    parts: list[str] = []
    for part in _BETWEEN.split(text):
        if parts and _SUFFIX.match(part.strip()):
            parts[-1] = f"{parts[-1]}, {part.strip()}"
        elif part.strip() and not (parts and _ROLE.search(part)):
            parts.append(part.strip())
    whole = all(len(part.split()) in (2, 3, 4) or part.isupper() for part in parts)
    return parts if whole else [text]
