"""The headline of a page, without the name of its site."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turbohtml import Element

from scrapy_cetr.extraction.html.json_ld import texts_of
from scrapy_cetr.extraction.metadata.parsed_page import ParsedPage
from scrapy_cetr.extraction.metadata.sources import LAYOUT, TITLE_TAG, Found, meta_source
from scrapy_cetr.extraction.metadata.texts import (
    SEPARATOR,
    element_text,
    similarity,
    title_words,
)

# The lowest similarity of a visible headline to a declared title. The first headline that is not
# the site name needs less.
_MIN_SIMILARITY, _MIN_SIMILARITY_OF_FIRST = 0.2, 0.15
_HIGH_SIMILARITY = 0.6
_MAX_HEADLINE = 400
_MAX_HEADLINES = 20
# Titles of fewer words are not searched for inside of others.
_MIN_WORDS = 3
# Additions before a title: a column, a number or a date. After it: a source, a date, a count.
_ADDITION_BEFORE = re.compile(r"[:\d]\s*$")
_ADDITION_AFTER = re.compile(r"(?<!\s)\s++[(/\d]")


def find_title(page: ParsedPage, headline: str = "") -> Found | None:
    """Return the visible headline that is most similar to the declared titles, or one of these.

    ``headline`` is the one above the article, if it is known. Then no other is considered.
    """
    headline = headline if len(headline) <= _MAX_HEADLINE else ""
    visible = [headline] if headline else _short_texts(page.headlines)
    declared = [
        Found(title, found.source)
        for found in _declared_titles(page)
        if not is_site_name(title := strip_site_name(found.value, page, visible), page)
    ]
    headlines = [text for text in visible if not is_site_name(text, page)]
    if headline and headlines and _is_longer(headline, declared):
        return Found(_without_additions(headline, declared, page), LAYOUT)
    best, similar = _most_similar(headlines, declared)
    if similar < _MIN_SIMILARITY and not headline:
        # On some pages the <h1> is the name of a column, and the headline is an <h2>.
        second, second_similar = _most_similar(_short_texts(page.tree.select("h2")), declared)
        if second_similar > _HIGH_SIMILARITY:
            return Found(_without_additions(second, declared, page), LAYOUT)
    if best:
        is_first = best == headlines[0]
        if not declared or similar >= (_MIN_SIMILARITY_OF_FIRST if is_first else _MIN_SIMILARITY):
            return Found(_without_additions(best, declared, page), LAYOUT)
    return _first_completed(declared)


def _is_longer(headline: str, declared: Sequence[Found]) -> bool:
    """Tell whether a headline has several words, and all declared titles are short names."""
    lengths = [len(title_words(found.value)) for found in declared]
    return max(lengths, default=0) < _MIN_WORDS <= len(title_words(headline))


def _short_texts(elements: Sequence[Element]) -> list[str]:
    texts = dict.fromkeys(element_text(element) for element in elements[:_MAX_HEADLINES])
    return [text for text in texts if text and len(text) <= _MAX_HEADLINE]


def _most_similar(headlines: Sequence[str], declared: Sequence[Found]) -> tuple[str, float]:
    """Return the first headline of the highest similarity to any declared title, and that."""
    best, highest = "", -1.0
    for text in headlines:
        similar = max((similarity(text, found.value) for found in declared), default=0.0)
        if similar > highest:
            best, highest = text, similar
    return best, highest


def _without_additions(headline: str, declared: Sequence[Found], page: ParsedPage) -> str:
    """Remove a date, a column or the site name, which declared titles do not have."""
    for found in declared:
        before, title, after = _partition(headline, found.value)
        if _ADDITION_BEFORE.search(before) or _ADDITION_AFTER.match(after):
            return title
    return strip_site_name(headline, page)


def _partition(headline: str, title: str) -> tuple[str, str, str]:
    """Split a headline at a title inside of it, ignoring case."""
    begin = headline.lower().find(title.lower())
    if begin < 0 or len(title_words(title)) < _MIN_WORDS:
        return "", headline, ""
    end = begin + len(title)
    return headline[:begin], headline[begin:end], headline[end:]


def _first_completed(declared: Sequence[Found]) -> Found | None:
    """Return the first title, or a later one if the first is a truncated form of it."""
    best = declared[0] if declared else None
    for found in declared:
        if best and found.value.startswith(best.value.rstrip(" .…")):
            best = found
    return best


def _declared_titles(page: ParsedPage) -> list[Found]:
    """Return the titles in JSON-LD, microdata, meta tags and <title>, without duplicates."""
    main_object, source = page.main_object
    names = texts_of([main_object.get("headline"), main_object.get("name")], {})
    titles = [Found(name, source) for name in names]
    for name in ("og:title", "twitter:title", "dc.title"):
        titles += [Found(text, meta_source(name)) for text in page.meta.get(name, ())[:1]]
    if page.title:
        titles.append(Found(page.title, TITLE_TAG))
    first = {found.value: found for found in reversed(titles)}
    return [
        found
        for found in titles
        if found is first[found.value] and len(found.value) <= _MAX_HEADLINE
    ]


def is_site_name(text: str, page: ParsedPage) -> bool:
    """Return whether a text is a declared name of the site, the start of its domain, or empty."""
    compact = "".join(title_words(text))
    if not compact:
        return True
    return compact in page.site_keys or (len(compact) > 3 and page.domain.startswith(compact))


def _contains_site_name(part: str, page: ParsedPage) -> bool:
    """Return whether a part of a title is the site name, perhaps with a few more words."""
    compact = "".join(title_words(part))
    names = [name for name in page.site_keys if len(name) > 3]
    return (
        is_site_name(part, page)
        or any(compact.startswith(name) for name in names)
        or (len(compact) > 4 and compact in page.domain)
    )


def strip_site_name(title: str, page: ParsedPage, headlines: Sequence[str] = ()) -> str:
    """Remove the site name from a title.

    The title ends where one of the visible headlines ends, or before a separator with the site
    name or the domain after it. A vertical bar always separates, because sentences have none.
    """
    for headline in headlines:
        if len(title_words(headline)) > 1 and title.lower().startswith(headline.lower()):
            title = title[: len(headline)]
            break
    separators = list(SEPARATOR.finditer(title))
    for separator in reversed(separators):
        if is_site_name(title[: separator.start()], page):
            return title[separator.end() :].strip()
    for separator in separators:
        before, after = title[: separator.start()], title[separator.end() :]
        is_bar = "|" in separator[0] and len(title_words(before)) >= _MIN_WORDS
        if is_bar or _contains_site_name(after, page):
            return before.strip()
    return title


def headline_element(page: ParsedPage, title: str | None) -> Element | None:
    """Return the element of the headline: the one with the words of the title, or the first h1."""
    wanted = title_words(title or "")
    for element in page.headlines[:_MAX_HEADLINES]:
        words = title_words(element_text(element))
        if words and (
            words == wanted or similarity(" ".join(words), title or "") > _HIGH_SIMILARITY
        ):
            return element
    for element in page.tree.select("h2, h3")[:_MAX_HEADLINES]:
        if title_words(element_text(element)) == wanted:
            return element
    return page.headlines[0] if page.headlines else None
