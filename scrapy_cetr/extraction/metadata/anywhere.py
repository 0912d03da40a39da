"""Days that stand anywhere in the source of a page, for pages without one where most have it.

Any page has other days too, of teasers and comments. So a day counts only if it is the only one
of its kind on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from scrapy_cetr.extraction.metadata.calendar import is_date

_MAX_FOUND = 100
_MAX_DATE, _MAX_TAG = 40, 1000

# All expressions begin with letters that are quickly found.
# As programs name it in the data that a page carries along, inside of scripts and attributes.
_IN_DATA = re.compile(
    r"ublish(?:ed)?_?(?:[aA]t|[oO]n|[dD]ate|[tT]ime)?(?:\\?\"|&quot;|&#34;)\s{0,9}:"
    r"\s{0,9}(?:\\?\"|&quot;|&#34;)?((?:19|20)\d\d-\d\d-\d\d|1\d{9}(?:\d{3})?(?=\W))"
)
_DATE_BEHIND = (
    r"(?:\s(?:on|at|date|time|the)){0,2}(?:\s|&nbsp;|[:|,]|<[^<>]{0,200}>){1,12}"
    r"([^<>\d]{0,22}\d{1,2}[^<>\d]{1,15}(?:\d{1,2}[/.-])?20\d\d(?!\d)|20\d\d[-/.]\d\d?[-/.]\d\d?)"
)
# What was last published was changed.
_PUBLISHED = re.compile(f"ublish(?<![lL]ast [pP]ublish)(?:ed)?{_DATE_BEHIND}")
_POSTED = re.compile(f"osted{_DATE_BEHIND}")
_END_OF_DATE = re.compile(r"20\d\d(?:[-/.]\d\d?[-/.]\d\d?)?(?=\s{0,20}<)")

Read = Callable[[str], str | None]


def day_in_data(source: str, read: Read) -> str | None:
    """Find the only day that the data of a page calls one of publication."""
    return _only((found[1] for found in _IN_DATA.finditer(source)), read)


def day_in_text(source: str, read: Read) -> str | None:
    """Find the only day that is called one of publication, or else the only one by itself."""
    # Some programs put empty comments between the parts of a text.
    shown = "".join(_outside_scripts(source)).replace("<!-- -->", "")
    labelled = chain(_PUBLISHED.finditer(shown), _POSTED.finditer(shown))
    return _only((found[1] for found in labelled), read) or _only(_alone(shown), read)


def _alone(shown: str) -> Iterator[str]:
    """Give the texts between tags that are dates and nothing else, and not part of a sentence."""
    for found in _END_OF_DATE.finditer(shown):
        begin = shown.rfind(">", max(found.end() - _MAX_DATE, 0), found.end()) + 1
        text = shown[begin : found.end()].strip()
        if begin and is_date(text):
            tag = shown.rfind("<", max(begin - _MAX_TAG, 0), begin)
            if shown[max(tag - _MAX_DATE, 0) : tag].rstrip().endswith(">"):
                yield text


def _only(written: Iterable[str], read: Read) -> str | None:
    days = {day[:10]: raw for raw in islice(written, _MAX_FOUND) if (day := read(raw))}
    return next(iter(days.values())) if len(days) == 1 else None


def _outside_scripts(source: str) -> Iterator[str]:
    place = 0
    while (start := source.find("<script", place)) >= 0:
        yield source[place:start]
        place = source.find("</script", start)
        if place < 0:
            return
    yield source[place:]
