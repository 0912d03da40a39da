"""Publication dates anywhere in the page source, as a fallback for other sources.

Most pages also have dates of teasers and comments. So a date counts only if it is the only date
of its kind on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from scrapy_cetr.extraction.metadata.date_parsing import is_date

_MAX_MATCHES = 300
_MAX_DATE, _MAX_TAG, _MAX_SCRIPT, _NEARBY = 40, 1000, 100_000, 200

# Expressions start with a literal, which the regex engine searches fast. They leave out the first
# letter, which may be upper or lower case.
# A key such as "publishedAt" in JSON, inside of scripts and attributes.
_PUBLISHED_KEY = re.compile(
    r"ublish(?:ed)?_?(?:[aA]t|[oO]n|[dD]ate|[tT]ime)?(?:\\?\"|&quot;|&#34;)\s{0,9}:"
    r"\s{0,9}(?:\\?\"|&quot;|&#34;)?((?:19|20)\d\d-\d\d-\d\d|1\d{9}(?:\d{3})?(?=\W))"
)
_DATE_AFTER = (
    r"(?:\s(?:on|at|date|time|the)){0,2}(?:\s|&nbsp;|[:|,]|<[^<>]{0,200}>){1,12}"
    r"([^<>\d]{0,22}\d{1,2}[^<>\d]{1,15}(?:\d{1,2}[/.-])?20\d\d(?!\d)|20\d\d[-/.]\d\d?[-/.]\d\d?)"
)
# "Last published" is a modification date.
_PUBLISHED = re.compile(f"ublish(?<![lL]ast [pP]ublish)(?:ed)?{_DATE_AFTER}")
_POSTED = re.compile(f"osted{_DATE_AFTER}")
_AFTER_TAGS = re.compile(r">\s{0,99}<[^<>]*+>\s{0,99}$")
# Parts of class names of comments, teasers and boxes.
_OTHER_CONTENT = re.compile(
    r"comment|related|recommend|popular|teaser|trending|recirc|sidebar|footer|event", re.I
)
_END_OF_DATE = re.compile(r"20\d\d(?:[-/.]\d\d?[-/.]\d\d?)?(?=\s{0,20}<)")

# Converts a date as written to ISO 8601, or to None.
ToIso = Callable[[str], str | None]


def date_in_page_data(html: str, to_iso: ToIso) -> str | None:
    """Return the only publication date in the JSON data of a page, as written."""
    matches = islice(_PUBLISHED_KEY.finditer(html), _MAX_MATCHES)
    return _single_date((match[1] for match in matches), to_iso)


def date_in_page_text(html: str, to_iso: ToIso) -> str | None:
    """Return the only date after "published" or "posted", or else the only separate date.

    A separate date is the whole text between two tags. The date is returned as written.
    """
    matches = islice(chain(_PUBLISHED.finditer(html), _POSTED.finditer(html)), _MAX_MATCHES)
    labelled = (match[1] for match in matches if not _in_script(html, match.start()))
    if found := _single_date(labelled, to_iso):
        return found
    separate = list(_separate_dates(html))
    if not any(of_article for _, of_article in separate):
        return None
    return _single_date((text for text, _ in separate), to_iso)


def _separate_dates(html: str) -> Iterator[tuple[str, bool]]:
    """Yield texts between tags that are dates and not part of a sentence.

    Each comes with whether it likely belongs to the article.
    """
    for match in islice(_END_OF_DATE.finditer(html), _MAX_MATCHES):
        begin = html.rfind(">", max(match.end() - _MAX_DATE, 0), match.end()) + 1
        text = html[begin : match.end()].strip()
        if begin and is_date(text) and not _in_script(html, begin):
            tag = html.rfind("<", max(begin - _MAX_TAG, 0), begin)
            # Some frameworks put empty comments between the parts of a sentence.
            after_comment = html.startswith("<!", tag)
            before = html[max(tag - _NEARBY, 0) : begin]
            if not after_comment and _AFTER_TAGS.search(before):
                yield text, not _OTHER_CONTENT.search(before)


def _in_script(html: str, offset: int) -> bool:
    script = html.rfind("<script", max(offset - _MAX_SCRIPT, 0), offset)
    return script >= 0 and html.find("</script", script, offset) < 0


def _single_date(written: Iterable[str], to_iso: ToIso) -> str | None:
    """Return a date as written if all dates are of the same day."""
    by_day = {iso[:10]: raw for raw in written if (iso := to_iso(raw))}
    return next(iter(by_day.values())) if len(by_day) == 1 else None
