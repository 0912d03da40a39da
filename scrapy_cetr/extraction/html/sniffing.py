"""Recognises HTML by its first bytes, because the headers of servers are often wrong."""

from __future__ import annotations

import codecs
import re

_NAMES = (
    rb"(?:html|head|body|title|meta|link|script|style|base|div|p|h[1-6]|table|article|section|main"
    rb"|header|nav|span|a|b|br|font|iframe|ul|ol|form|center|img)[\s>/]"
)
# Atomic, so that the time does not grow with the number of ways to divide comments.
_BEGINNING = re.compile(
    rb"\A(?>\s+|<!--.*?-->|<\?xml[^>]*>)*+<(?:!doctype\s+html|" + _NAMES + rb")",
    re.IGNORECASE | re.DOTALL,
)
_ANYWHERE = re.compile(rb"<(?:!doctype\s+html|" + _NAMES + rb")", re.IGNORECASE)
_OTHER = re.compile(
    rb"\A\s*(?:[{\[]|<\?xml|<(?:rss|feed|svg|urlset|sitemapindex)\b)", re.IGNORECASE
)
# Bytes that are looked at.
LENGTH = 4096


def begins_as_html(data: bytes) -> bool:
    r"""Return whether data begin as HTML pages do, whatever their declared type is.

    >>> begins_as_html(b"\n<!DOCTYPE html>"), begins_as_html(b"<?xml version='1.0'?><rss>")
    (True, False)
    """
    return _BEGINNING.match(_begin(data)) is not None


def may_be_html(data: bytes) -> bool:
    """Return whether data without a declared type have tags of HTML near their beginning.

    >>> may_be_html(b"Warning: line 3 <br>"), may_be_html(b'{"html": "<p>One"}')
    (True, False)
    """
    begin = _begin(data)
    if _BEGINNING.match(begin):
        return True
    return _ANYWHERE.search(begin) is not None and _OTHER.match(begin) is None


def _begin(data: bytes) -> bytes:
    begin = data[:LENGTH].removeprefix(codecs.BOM_UTF8)
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return begin[2:].replace(b"\0", b"")
    return begin
