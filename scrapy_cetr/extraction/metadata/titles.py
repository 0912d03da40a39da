"""The headline of a page, without the name of its site."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import texts_of
from scrapy_cetr.extraction.metadata.evidence import (
    SEPARATOR,
    Evidence,
    Found,
    likeness,
    text_of,
    words_of,
)

# A headline on the page that shares fewer of its words with what the head says is another one;
# of one that nothing else on the page contests, less is asked.
_ALIKE, _HARDLY_ALIKE = 0.2, 0.15
_MAX_HEADLINE = 400
_MAX_SHOWN = 20
_SURELY_ALIKE = 0.6
_FEW_WORDS = 3
# Before a title: a column, a number or a date. Behind it: a source, a date, a count of comments.
_ADDED_BEFORE = re.compile(r"[:\d]\s*$")
_ADDED_BEHIND = re.compile(r"(?<!\s)\s++[(/\d]")


def find_title(evidence: Evidence) -> Found | None:
    """Find the headline: the one on the page that the head of the page agrees with."""
    shown = _texts(evidence.headlines)
    named = [
        Found(title, found.source)
        for found in _named_titles(evidence)
        if not is_site_name(title := strip_site(found.value, evidence, shown), evidence)
    ]
    own = [text for text in shown if not is_site_name(text, evidence)]
    best, alike = _most_alike(own, named)
    if alike < _ALIKE:
        # The headline of some pages is the second in rank, below the name of a column.
        lower, lower_alike = _most_alike(_texts(evidence.tree.select("h2")), named)
        if lower_alike > _SURELY_ALIKE:
            return Found(_without_additions(lower, named, evidence), "layout")
    if best and (alike >= (_HARDLY_ALIKE if best == own[0] else _ALIKE) or not named):
        return Found(_without_additions(best, named, evidence), "layout")
    return _longest_of_alike(named)


def _texts(elements: Sequence[Element]) -> list[str]:
    texts = dict.fromkeys(text_of(element) for element in elements[:_MAX_SHOWN])
    return [text for text in texts if text and len(text) <= _MAX_HEADLINE]


def _most_alike(shown: Sequence[str], named: Sequence[Found]) -> tuple[str, float]:
    """Find the headline with the most words of what the page is called, the first of equals."""
    best, alike = "", -1.0
    for text in shown:
        now = max((likeness(text, found.value) for found in named), default=0.0)
        if now > alike:
            best, alike = text, now
    return best, alike


def _without_additions(headline: str, named: Sequence[Found], evidence: Evidence) -> str:
    """Take off a headline what was put into it beside the title: a date, a column, the site."""
    for found in named:
        before, title, behind = _parted(headline, found.value)
        if _ADDED_BEFORE.search(before) or _ADDED_BEHIND.match(behind):
            return title
    return strip_site(headline, evidence)


def _parted(headline: str, title: str) -> tuple[str, str, str]:
    place = headline.lower().find(title.lower())
    if place < 0 or len(words_of(title)) < _FEW_WORDS:
        return "", headline, ""
    end = place + len(title)
    return headline[:place], headline[place:end], headline[end:]


def _longest_of_alike(named: Sequence[Found]) -> Found | None:
    """Take the first title, or a later one of which it is the cut-off beginning."""
    best = named[0] if named else None
    for found in named:
        if best and found.value.startswith(best.value.rstrip(" .…")):
            best = found
    return best


def _named_titles(evidence: Evidence) -> list[Found]:
    """Collect what the head of the page calls it, the most careful first."""
    thing, source = evidence.own
    names = texts_of([thing.get("headline"), thing.get("name")], {})
    named = [Found(name, source) for name in names]
    for name in ("og:title", "twitter:title", "dc.title"):
        place = "opengraph" if name == "og:title" else "meta"
        named += [Found(text, place) for text in evidence.meta.get(name, ())[:1]]
    if evidence.title:
        named.append(Found(evidence.title, "title"))
    first = {found.value: found for found in reversed(named)}
    return [
        found
        for found in named
        if found is first[found.value] and len(found.value) <= _MAX_HEADLINE
    ]


def is_site_name(text: str, evidence: Evidence) -> bool:
    """Tell whether a text is the name of the site, by what the site says, or by its domain."""
    compact = "".join(words_of(text))
    if not compact:
        return True
    return compact in evidence.site_keys or (
        len(compact) > 3 and evidence.domain.startswith(compact)
    )


def _belongs_to_site(part: str, evidence: Evidence) -> bool:
    """Tell whether a part of a title names the site, perhaps with a few words more."""
    compact = "".join(words_of(part))
    names = [name for name in evidence.site_keys if len(name) > 3]
    return (
        is_site_name(part, evidence)
        or any(compact.startswith(name) for name in names)
        or (len(compact) > 4 and compact in evidence.domain)
    )


def strip_site(title: str, evidence: Evidence, shown: Sequence[str] = ()) -> str:
    """Take the name of the site off a title.

    The page's own headline tells how long the title is, else the name or the domain of the site;
    a vertical bar stands in no sentence.
    """
    for text in shown:
        if len(words_of(text)) > 1 and title.lower().startswith(text.lower()):
            title = title[: len(text)]
            break
    cuts = list(SEPARATOR.finditer(title))
    for cut in reversed(cuts):
        if is_site_name(title[: cut.start()], evidence):
            return title[cut.end() :].strip()
    for cut in cuts:
        bar = "|" in cut[0] and len(words_of(title[: cut.start()])) >= _FEW_WORDS
        if bar or _belongs_to_site(title[cut.end() :], evidence):
            return title[: cut.start()].strip()
    return title


def headline_element(evidence: Evidence, title: str | None) -> Element | None:
    """Find where on the page the headline stands."""
    wanted = words_of(title or "")
    for element in evidence.headlines[:_MAX_SHOWN]:
        words = words_of(text_of(element))
        if words and (words == wanted or likeness(" ".join(words), title or "") > _SURELY_ALIKE):
            return element
    for element in evidence.tree.select("h2, h3")[:_MAX_SHOWN]:
        if words_of(text_of(element)) == wanted:
            return element
    return evidence.headlines[0] if evidence.headlines else None
