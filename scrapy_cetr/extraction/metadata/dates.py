"""The publication date and the modification date of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import texts_of
from scrapy_cetr.extraction.metadata.date_parsing import parse_date
from scrapy_cetr.extraction.metadata.layout import (
    HAS_DIGIT,
    Layout,
    NearbyTexts,
    is_outside_article,
    short_text,
)
from scrapy_cetr.extraction.metadata.page_source_dates import (
    date_in_page_data,
    date_in_page_text,
)
from scrapy_cetr.extraction.metadata.parsed_page import ParsedPage
from scrapy_cetr.extraction.metadata.sources import (
    JSON_LD,
    LAYOUT,
    PAGE_DATA,
    URL,
    meta_source,
)

# Names of meta tags, the most reliable first.
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
_DATE_SELECTOR = (
    'time, [class*="date" i], [class*="publish" i], [class*="posted" i], [class*="meta" i],'
    ' [class*="byline" i]'
)
_UPDATED = re.compile(
    r"\b(?:up-?\s?dated?|modified|revised|edited|reviewed|last change|changed|aktualisiert|"
    r"mis à jour|modifié|actualizad[oa]|aggiornat[oa]|atualizad[oa]|bijgewerkt|обновлен[оа]"
    r"|изменено|"
    r"оновлено|zaktualizowano|aktualizacja|oppdatert|uppdaterad|opdateret|päivitetty"
    r"|güncelle\w{0,8}|"
    r"ενημερώθηκε|ενημέρωση|diperbarui|cập nhật)\b|更新|수정|تحديث",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:publish|posted|post date|created|written|first|veröffentlicht|publié|publicad[oa]|"
    r"pubblicat[oa]|опубликовано)|发布|發布|公開",
    re.IGNORECASE,
)
# Labels of other dates: of an event, an offer, a copyright.
_OTHER_DATE = re.compile(
    r"\b(?:until|expires?|deadline|event|copyright|since|join|register)\b|©", re.I
)
_PUBLISHED_META_PATTERN = re.compile(
    r"^published$|publish.*(?:date|time)|(?:date|time).*publish|pub[-_]?date"
)
_MODIFIED_NAME = re.compile(r"modif|updat|last|revis")
_URL_DATE = re.compile(
    r"/(?P<date>(?:19|20)\d\d[/\-_](?:0?[1-9]|1[0-2])[/\-_](?:[0-2]?\d|3[01]))(?=[/\-_.]|$)"
)
# Lengths in characters: of a text with a date, and of day and month in separate elements.
_MAX_TEXT, _MAX_DAY, _MAX_MONTH = 100, 8, 20
_MAX_LABEL, _MAX_LABEL_IN_PARENT = 30, 40
# Languages of pages that write the month first; also without a language.
_AMERICAN = re.compile(r"^en(?:[-_]us)?$|^$", re.IGNORECASE)


class FoundDate(NamedTuple):
    """A date in ISO 8601, the date as written, and the name of its source."""

    iso: str
    raw: str
    source: str

    @property
    def day(self) -> str:
        """The date without time, as YYYY-MM-DD."""
        return self.iso[:10]


def find_dates(page: ParsedPage, layout: Layout) -> tuple[FoundDate | None, FoundDate | None]:
    """Return the publication date and the modification date, each None if it is not found."""
    published = _first_date(page, _declared_published(page))
    modified = _first_date(page, _declared_modified(page))
    if published is None or (modified and published.day >= modified.day):
        visible, visible_modified = _visible_dates(page, layout)
        # Some systems set both declared dates to the last modification. An earlier visible date is
        # more reliable then.
        if published is None or (visible and visible.iso < published.day):
            published = visible
        modified = modified or visible_modified
    return published or _first_date(page, _fallback_dates(page, modified)), modified


def _first_date(page: ParsedPage, candidates: Iterable[tuple[str, str]]) -> FoundDate | None:
    """Return the first candidate that is a date; candidates are texts with their sources."""
    month_first = bool(_AMERICAN.match(page.language))
    for raw, source in candidates:
        if iso := parse_date(raw, month_first=month_first):
            return FoundDate(iso, raw, source)
    return None


def _declared_published(page: ParsedPage) -> Iterator[tuple[str, str]]:
    yield from _declared_dates(page, "datePublished", _PUBLISHED_META)
    for name, values in page.meta.items():
        if _PUBLISHED_META_PATTERN.search(name) and not _MODIFIED_NAME.search(name):
            yield values[0], meta_source(name)


def _declared_modified(page: ParsedPage) -> Iterator[tuple[str, str]]:
    return _declared_dates(page, "dateModified", _MODIFIED_META)


def _declared_dates(
    page: ParsedPage, key: str, meta_names: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield texts from JSON-LD, microdata and meta tags, the most reliable first."""
    main_object, source = page.main_object
    for raw in texts_of(main_object.get(key), {}):
        yield raw, source
    for name in meta_names:
        for raw in page.meta.get(name, ())[:1]:
            yield raw, meta_source(name)
    for raw in texts_of(page.webpage_object.get(key), {}):
        yield raw, JSON_LD


def _fallback_dates(page: ParsedPage, modified: FoundDate | None) -> Iterator[tuple[str, str]]:
    """Yield publication dates from the URL and the page source, the most reliable first."""
    if match := _URL_DATE.search(page.url or ""):
        yield re.sub(r"[/_]", "-", match["date"]), URL

    def to_iso(raw: str) -> str | None:
        date = _first_date(page, [(raw, "")])
        return date.iso if date else None

    if raw := date_in_page_data(page.html, to_iso):
        yield raw, PAGE_DATA
    if not modified and (raw := date_in_page_text(page.html, to_iso)):
        yield raw, LAYOUT


def _visible_dates(page: ParsedPage, layout: Layout) -> tuple[FoundDate | None, FoundDate | None]:
    """Return the visible publication and modification dates.

    Dates near the headline count. Without any, a date marked by its element or class counts, if
    all such dates are of the same day.
    """
    published: FoundDate | None = None
    modified: FoundDate | None = None
    for label, raw in map(_before_update, _dates_near_headline(layout.nearby)):
        date = _first_date(page, [(raw, LAYOUT)])
        if date is None or _OTHER_DATE.search(label):
            continue
        if _is_modification(label):
            modified = modified or date
        else:
            published = published or date
    if published and modified and published.day == modified.day:
        # The same date twice, and only once labelled as a modification.
        return None, modified
    if published or modified:
        return published, modified
    marked = _marked_dates(layout)
    labelled = [(label, raw) for label, raw in marked if _PUBLISHED.search(label)]
    for label, date in _single_date(page, labelled) or _single_date(page, marked):
        return (None, date) if _is_modification(label) else (date, None)
    return None, None


def _before_update(labelled: tuple[str, str]) -> tuple[str, str]:
    """Reduce "March 1, 2025, updated March 9" to its first date, in the label and the text."""
    label, raw = labelled
    update = _UPDATED.search(raw)
    if update and parse_date(raw[: update.start()]):
        return label[: len(label) - len(raw) + update.start()], raw[: update.start()].strip(" |,·-")
    return labelled


def _single_date(
    page: ParsedPage, labelled: Iterable[tuple[str, str]]
) -> list[tuple[str, FoundDate]]:
    """Return a date with its label if all dates are of the same day, or an empty list."""
    by_day = {
        date.day: (label, date)
        for label, raw in labelled
        if (date := _first_date(page, [(raw, LAYOUT)]))
    }
    return list(by_day.values()) if len(by_day) == 1 else []


def _is_modification(label: str) -> bool:
    """Return whether the last word for an update in a label has no "published" after it."""
    updates = [match.start() for match in _UPDATED.finditer(label)]
    return bool(updates) and not _PUBLISHED.search(label, updates[-1])


def _marked_dates(layout: Layout) -> list[tuple[str, str]]:
    """Return labels and texts of the elements that are marked as dates, anywhere on the page."""
    found = []
    for element in layout.find(_DATE_SELECTOR):
        raw = element.attr("datetime") or element.attr("content") or short_text(element)
        if len(raw) < _MAX_TEXT and HAS_DIGIT(raw) and not is_outside_article(element):
            found.append((_label(element), raw))
    return found


def _label(element: Element) -> str:
    """Return the label of a date: its class names, the text before it, and its own text."""
    text = short_text(element)
    parent = element.parent
    parent_text = short_text(parent) if isinstance(parent, Element) else ""
    before = ""
    if text and text in parent_text:
        before = parent_text.partition(text)[0][-_MAX_LABEL_IN_PARENT:]
    return f"{element.attr('class')} {element.attr('itemprop')} {before} {text}"


def _dates_near_headline(nearby: NearbyTexts) -> Iterator[tuple[str, str]]:
    """Yield labels and texts of the short texts near the headline that may be dates."""
    before = ""
    for index, (text, element) in enumerate(zip(*nearby, strict=True)):
        attribute = element.attr("datetime") if element.tag == "time" else None
        if not attribute and not HAS_DIGIT(text):
            before = f"{before} {text}"[-_MAX_LABEL:]
            continue
        label = f"{element.attr('class')} {element.attr('itemprop')} {before} {text}"
        before = ""
        if attribute:
            yield label, attribute
        elif len(text) < _MAX_TEXT:
            yield label, text
            if len(text) < _MAX_DAY:
                # Some pages have day, month and year in separate elements.
                parts = nearby.texts[max(index - 1, 0) : index + 2]
                yield label, " ".join(part for part in parts if len(part) < _MAX_MONTH)
