"""The regions of the page source that metadata is parsed from: the head, and around headlines.

Parsing or copying a whole page takes longer than all other work on its metadata.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

# Characters before the first headline and after the last one that are parsed: a byline is there.
_CHARS_BEFORE, _CHARS_AFTER = 10_000, 40_000
# The longest distance between headlines. The first may be the site name, above a long menu.
_MAX_DISTANCE = 100_000
_MAX_SCRIPTS, _MAX_TAG = 300, 1000


class Regions(NamedTuple):
    """Offsets in the page source: the end of the head, and the region around the headlines."""

    head_end: int
    begin: int
    end: int


def find_regions(html: str) -> Regions:
    """Return the regions to parse; the whole page if it has no ``<h1>``.

    >>> find_regions("<title>One</title><body><h1>Two</h1>")
    Regions(head_end=24, begin=24, end=36)
    """
    body = html.find("<body")
    first = html.find("<h1", max(body, 0))
    if first < 0:
        return Regions(0, 0, len(html))
    last = html.rfind("<h1", first, first + _MAX_DISTANCE)
    end = _before_script(html, last, min(last + _CHARS_AFTER, len(html)))
    head_end = html.find(">", body, first) + 1 if body >= 0 else 0
    begin = max(html.find("<", max(first - _CHARS_BEFORE, 0)), head_end)
    # Some pages have their meta tags in the body.
    if body < 0 or html.find("<meta", head_end, begin) >= 0:
        return Regions(head_end, head_end, end)
    return Regions(head_end, _before_script(html, head_end, begin), end)


def _before_script(html: str, begin: int, offset: int) -> int:
    """Return the start of the script that contains an offset, or the offset outside of scripts."""
    script = html.rfind("<script", begin, offset)
    return script if script >= 0 and html.find("</script", script, offset) < 0 else offset


def json_ld_outside(html: str, regions: Regions) -> Iterator[str]:
    """Yield the JSON-LD scripts outside of the parsed regions."""
    for begin, end in ((regions.head_end, regions.begin), (regions.end, len(html))):
        yield from islice(_json_ld_scripts(html, begin, end), _MAX_SCRIPTS)


def _json_ld_scripts(html: str, begin: int, end: int) -> Iterator[str]:
    while (begin := html.find("ld+json", begin, end)) >= 0:
        tag = html.rfind("<", max(begin - _MAX_TAG, 0), begin)
        content = html.find(">", begin) + 1
        begin = html.find("</script", begin)
        if not content or begin < 0:
            return
        if html.startswith("<script", tag):
            yield html[content:begin]
