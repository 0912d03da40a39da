"""The title in the og:title tag, read without parsing the page."""

from __future__ import annotations

from turbohtml import TokenType, tokenize

_PROPERTY = "og:title"
# The tag is somewhere in the head, and not longer than this.
_LONGEST_HEAD, _LONGEST_TAG = 200_000, 2000


def meta_title(html: str) -> str:
    """Return the title in the first og:title tag of a page, "" if it has none.

    >>> meta_title('<meta property="og:title" content="Flood &amp; storm">')
    'Flood & storm'
    """
    found = html.find(_PROPERTY, 0, _LONGEST_HEAD)
    if found < 0:
        return ""
    begin = html.rfind("<", max(found - _LONGEST_TAG, 0), found)
    end = html.find(">", found, found + _LONGEST_TAG)
    if begin < 0 or end < 0:
        return ""
    for token in tokenize(html[begin : end + 1]):
        if token.type is TokenType.START_TAG and token.tag == "meta":
            return " ".join((token.attr("content") or "").split())
    return ""
