"""Days that stand anywhere in the source of a page, for pages without one where most have it.

Any page has other days too, of teasers and comments. So a day counts only if it is the only one
of its kind on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from scrapy_cetr.extraction.metadata.calendar import is_date

_MAX_FOUND = 300
_MAX_DATE, _MAX_TAG, _MAX_SCRIPT, _NEARBY = 40, 1000, 100_000, 200

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
_BEHIND_TAG = re.compile(r">\s{0,99}<[^<>]*+>\s{0,99}$")
# What the classes of comments, teasers and boxes have in them.
_OF_OTHERS = re.compile(
    r"comment|related|recommend|popular|teaser|trending|recirc|sidebar|footer|event", re.I
)
_END_OF_DATE = re.compile(r"20\d\d(?:[-/.]\d\d?[-/.]\d\d?)?(?=\s{0,20}<)")

Read = Callable[[str], str | None]


def day_in_data(source: str, read: Read) -> str | None:
    """Find the only day that the data of a page calls one of publication."""
    return _only((found[1] for found in islice(_IN_DATA.finditer(source), _MAX_FOUND)), read)


def day_in_text(source: str, read: Read) -> str | None:
    """Find the only day that is called one of publication, or else the only one by itself."""
    named = islice(chain(_PUBLISHED.finditer(source), _POSTED.finditer(source)), _MAX_FOUND)
    called = (found[1] for found in named if not _in_script(source, found.start()))
    if day := _only(called, read):
        return day
    alone = list(_alone(source))
    return _only((text for text, _ in alone), read) if any(own for _, own in alone) else None


def _alone(source: str) -> Iterator[tuple[str, bool]]:
    """Give the texts between tags that are dates and nothing else, and not part of a sentence.

    Each comes with whether it is likely the article's own.
    """
    for found in islice(_END_OF_DATE.finditer(source), _MAX_FOUND):
        begin = source.rfind(">", max(found.end() - _MAX_DATE, 0), found.end()) + 1
        text = source[begin : found.end()].strip()
        if begin and is_date(text) and not _in_script(source, begin):
            tag = source.rfind("<", max(begin - _MAX_TAG, 0), begin)
            # Some programs put empty comments between the parts of a sentence.
            apart = not source.startswith("<!", tag)
            before = source[max(tag - _NEARBY, 0) : begin]
            if apart and _BEHIND_TAG.search(before):
                yield text, not _OF_OTHERS.search(before)


def _in_script(source: str, place: int) -> bool:
    script = source.rfind("<script", max(place - _MAX_SCRIPT, 0), place)
    return script >= 0 and source.find("</script", script, place) < 0


def _only(written: Iterable[str], read: Read) -> str | None:
    days = {day[:10]: raw for raw in written if (day := read(raw))}
    return next(iter(days.values())) if len(days) == 1 else None
