"""The parts of a page that its metadata is read from: its head, and what is near its headline.

To parse all of a page, or only to copy it, takes longer than everything else that is done here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

# So many characters before the first headline, and behind the last, can hold a byline.
_BEFORE, _BEHIND = 10_000, 40_000
# So many lie between them: the first may be the name of the site, above a long menu.
_BETWEEN = 100_000
_MAX_SCRIPTS, _MAX_TAG = 300, 1000


class Cut(NamedTuple):
    """Where the head of a page ends, and where what is near its headline begins and ends."""

    head: int
    begin: int
    end: int


def cut_page(source: str) -> Cut:
    """Choose the parts of a page; all of it, if it has no headline.

    >>> cut_page("<title>One</title><body><h1>Two</h1>")
    Cut(head=24, begin=24, end=36)
    """
    body = source.find("<body")
    first = source.find("<h1", max(body, 0))
    if first < 0:
        return Cut(0, 0, len(source))
    last = source.rfind("<h1", first, first + _BETWEEN)
    end = _outside_script(source, last, min(last + _BEHIND, len(source)))
    head = source.find(">", body, first) + 1 if body >= 0 else 0
    begin = max(source.find("<", max(first - _BEFORE, 0)), head)
    # Some pages have their meta tags in the body.
    if body < 0 or source.find("<meta", head, begin) >= 0:
        return Cut(head, head, end)
    return Cut(head, _outside_script(source, head, begin), end)


def _outside_script(source: str, begin: int, place: int) -> int:
    """Give where the script begins that a place is in, or else the place."""
    script = source.rfind("<script", begin, place)
    return script if script >= 0 and source.find("</script", script, place) < 0 else place


def scripts_outside(source: str, cut: Cut) -> Iterator[str]:
    """Give the JSON-LD in the parts of a page that were left out."""
    for begin, end in ((cut.head, cut.begin), (cut.end, len(source))):
        yield from islice(_scripts(source, begin, end), _MAX_SCRIPTS)


def _scripts(source: str, begin: int, end: int) -> Iterator[str]:
    while (begin := source.find("ld+json", begin, end)) >= 0:
        tag = source.rfind("<", max(begin - _MAX_TAG, 0), begin)
        inside = source.find(">", begin) + 1
        begin = source.find("</script", begin)
        if not inside or begin < 0:
            return
        if source.startswith("<script", tag):
            yield source[inside:begin]
