"""When a page was published, and when it was last changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import texts_of
from scrapy_cetr.extraction.metadata.anywhere import day_in_data, day_in_text
from scrapy_cetr.extraction.metadata.calendar import parse_date
from scrapy_cetr.extraction.metadata.evidence import Evidence
from scrapy_cetr.extraction.metadata.layout import (
    HAS_DIGIT,
    Layout,
    Neighbourhood,
    is_elsewhere,
    spaced_text,
)

_PUBLISHED_META = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished"),
    *("article.published", "published_time", "publish_date", "publish-date", "publishdate"),
    *(
        "published-date",
        "published_date",
        "pubdate",
        "publication_date",
        "publication-date",
        "parsely-pub-date",
        "sailthru.date",
    ),
    *("cxenseparse:publishtime", "cxenseparse:recs:publishtime", "rnews:datepublished"),
    *("dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", "dc.date"),
    *("citation_publication_date", "citation_online_date", "citation_date", "displaydate"),
    *("article_date_original", "article:post_date", "originalpublicationdate", "ptime", "date"),
)
_MODIFIED_META = (
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified"),
    *("last-modified", "lastmod", "modified_time", "dcterms.modified", "dc.date.modified"),
    *("article:updated", "updated_time", "revised", "last-updated"),
)
_MARKED = (
    'time, [class*="date" i], [class*="publish" i], [class*="posted" i], [class*="meta" i],'
    ' [class*="byline" i]'
)
_UPDATED = re.compile(
    r"\b(?:up-?\s?dated?|modified|revised|edited|reviewed|last change|changed|aktualisiert|"
    r"mis à jour|modifié|actualizad[oa]|aggiornat[oa]|atualizad[oa]|bijgewerkt|обновлено)\b|更新",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:publish|posted|post date|created|written|first|veröffentlicht|publié|publicad[oa]|"
    r"pubblicat[oa]|опубликовано)|发布|發布|公開",
    re.IGNORECASE,
)
# A day that is over or to come: of an event, an offer, a copyright.
_OTHER_DAY = re.compile(
    r"\b(?:until|expires?|deadline|event|copyright|since|join|register)\b|©", re.I
)
_ANY_META = re.compile(r"^published$|publish.*(?:date|time)|(?:date|time).*publish|pub[-_]?date")
_URL_DAY = re.compile(
    r"/(?P<day>(?:19|20)\d\d[/\-_](?:0?[1-9]|1[0-2])[/\-_](?:[0-2]?\d|3[01]))(?=[/\-_.]|$)"
)
_MAX_TEXT, _MAX_PART, _MAX_MONTH = 100, 8, 20
_AMERICAN = re.compile(r"^en(?:[-_]us)?$|^$", re.IGNORECASE)


class Day(NamedTuple):
    """A date as ISO 8601, as it was written, and where."""

    iso: str
    raw: str
    source: str


def find_dates(evidence: Evidence, layout: Layout) -> tuple[Day | None, Day | None]:
    """Find the dates of publication and of the last change."""
    published = _first(evidence, _stated(evidence, "datePublished", _PUBLISHED_META, _ANY_META))
    modified = _first(evidence, _stated(evidence, "dateModified", _MODIFIED_META))
    if published is None or (modified and published.iso[:10] >= modified.iso[:10]):
        shown, change = _shown(evidence, layout)
        # What was published when it was last changed was written down by the site's machinery, if
        # the page itself tells its readers of an earlier day.
        if published is None or (shown and shown.iso < published.iso[:10]):
            published = shown
        elif change and _utc_day(change) < published.iso[:10]:
            published = _for_want(change)
        modified = modified or change
    published = published or _first(evidence, _elsewhere(evidence, modified))
    return published or _for_want(modified), modified


def _utc_day(day: Day) -> str:
    moment = datetime.fromisoformat(day.iso)
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


def _for_want(change: Day | None) -> Day | None:
    """Take the day of a change for want of another, if readers are told of it, or by the article.

    A page that has a meta tag for its change and none for its publication keeps that to itself.
    """
    told = change is not None and change.source != "meta"
    return change._replace(source="date_modified") if change and told else None


def _elsewhere(evidence: Evidence, modified: Day | None) -> Iterator[tuple[str, str]]:
    """Give days from less sure places, the surest first."""
    yield from _in_url(evidence)

    def read(raw: str) -> str | None:
        day = _first(evidence, [(raw, "")])
        return day.iso if day else None

    if raw := day_in_data(evidence.source, read):
        yield raw, "data"
    if not modified and (raw := day_in_text(evidence.source, read)):
        yield raw, "layout"


def _in_url(evidence: Evidence) -> Iterator[tuple[str, str]]:
    if found := _URL_DAY.search(evidence.url or ""):
        yield re.sub(r"[/_]", "-", found["day"]), "url"


def _first(evidence: Evidence, written: Iterable[tuple[str, str]]) -> Day | None:
    """Take the first that is a date."""
    month_first = bool(_AMERICAN.match(evidence.language))
    for raw, source in written:
        if iso := parse_date(raw, month_first=month_first):
            return Day(iso, raw, source)
    return None


def _stated(
    evidence: Evidence, key: str, names: Iterable[str], like: re.Pattern[str] | None = None
) -> Iterator[tuple[str, str]]:
    """Give what the page says to programs, the surest first."""
    thing, source = evidence.own
    for raw in texts_of(thing.get(key), {}):
        yield raw, source
    for name in names:
        for raw in evidence.meta.get(name, ())[:1]:
            yield raw, "meta"
    for raw in texts_of(evidence.page.get(key), {}):
        yield raw, "json-ld"
    for name, values in evidence.meta.items() if like else ():
        if like and like.search(name):
            yield values[0], "meta"


def _shown(evidence: Evidence, layout: Layout) -> tuple[Day | None, Day | None]:
    """Read the dates that the page shows: near its headline, or far from it if there is but one."""
    dates: dict[bool, Day | None] = {False: None, True: None}
    for label, raw in map(_before_change, _near(layout.near)):
        day = _first(evidence, [(raw, "layout")])
        if day is not None and not _OTHER_DAY.search(label):
            changed = _is_of_change(label)
            dates[changed] = dates[changed] or day
    published, changed_on = dates[False], dates[True]
    if published and changed_on and published.iso[:10] == changed_on.iso[:10]:
        # Shown twice, and called a change once.
        dates[False] = None
    if not published and not changed_on:
        far = _marked(layout)
        said = [entry for entry in far if _PUBLISHED.search(entry[0])]
        for label, day in _only(evidence, said) or _only(evidence, far):
            dates[_is_of_change(label)] = day
    return dates[False], dates[True]


def _before_change(entry: tuple[str, str]) -> tuple[str, str]:
    """Of a text with both dates, such as "March 1, 2025, updated March 9", take the first."""
    label, raw = entry
    change = _UPDATED.search(raw)
    if change and parse_date(raw[: change.start()]):
        return label[: len(label) - len(raw) + change.start()], raw[: change.start()].strip(" |,·-")
    return entry


def _only(evidence: Evidence, far: Iterable[tuple[str, str]]) -> list[tuple[str, Day]]:
    """Give the only day that some texts name, or none."""
    days = {
        day.iso[:10]: (label, day)
        for label, raw in far
        if (day := _first(evidence, [(raw, "layout")]))
    }
    return list(days.values()) if len(days) == 1 else []


def _is_of_change(label: str) -> bool:
    """Tell by the last word about it whether a date is one of change or of publication."""
    changes = [match.start() for match in _UPDATED.finditer(label)]
    return bool(changes) and not _PUBLISHED.search(label, changes[-1])


def _marked(layout: Layout) -> list[tuple[str, str]]:
    """Collect what is marked as a date anywhere, each with what is said of it."""
    found = []
    for element in layout.find(_MARKED):
        raw = element.attr("datetime") or element.attr("content") or spaced_text(element)
        if len(raw) < _MAX_TEXT and HAS_DIGIT(raw) and not is_elsewhere(element):
            found.append((_label(element), raw))
    return found


def _label(element: Element) -> str:
    """Read what is said of a date: by its classes, the text before it, and its own text."""
    own = spaced_text(element)
    parent = element.parent
    around = spaced_text(parent) if isinstance(parent, Element) else ""
    before = around.partition(own)[0][-40:] if own and own in around else ""
    return f"{element.attr('class')} {element.attr('itemprop')} {before} {own}"


def _near(near: Neighbourhood) -> Iterator[tuple[str, str]]:
    """Give the short texts near the headline that may be a date, each with what is said of it."""
    before = ""
    for place, (text, element) in enumerate(zip(*near, strict=True)):
        written = element.attr("datetime") if element.tag == "time" else None
        if not written and not HAS_DIGIT(text):
            before = f"{before} {text}"[-30:]
            continue
        label = f"{element.attr('class')} {element.attr('itemprop')} {before} {text}"
        before = ""
        if written:
            yield label, written
        elif len(text) < _MAX_TEXT:
            yield label, text
            if len(text) < _MAX_PART:
                # The parts of some dates are in elements of their own.
                parts = near.texts[max(place - 1, 0) : place + 2]
                yield label, " ".join(part for part in parts if len(part) < _MAX_MONTH)
