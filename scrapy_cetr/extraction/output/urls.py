"""The URLs of links and images: absolute, and of harmless schemes only."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from scrapy_cetr.extraction.html.details import DetailedPage

_WEB = frozenset(("http", "https"))
_LINKED = _WEB | {"mailto"}
_HOST = r"https?://[a-z0-9.-]+"
# The path of most URLs, which stays as it is: without dots for a folder, and without empty parts.
_PATH = r"(?:/[\w~%=&+,@:!-][\w~%=&+,@:!.-]*+)*+/?(?:\?[\w~%=&+,@:!./-]++)?(?:#[\w=&-]++)?"
_PLAIN_HOST = re.compile(_HOST, re.ASCII)
_PLAIN_URL = re.compile(f"{_HOST}(?=/){_PATH}", re.ASCII)
_PLAIN_PATH = re.compile(f"(?=/[^/]){_PATH}", re.ASCII)


class UrlResolver:
    """Resolves URLs against the URL of a page and its <base>."""

    def __init__(self, page: DetailedPage, url: str | None) -> None:
        self._base = _joined(url, page.base) if page.base else url
        root = (_joined(self._base, "/") or "").removesuffix("/")
        # With any other base, URLs are not joined in the usual way.
        self._root = root if _PLAIN_HOST.fullmatch(root) else ""

    def link(self, href: str) -> str | None:
        """Return the absolute URL of a link; None unless it is of the web or a mail address."""
        return self._resolved(href, _LINKED)

    def image(self, src: str) -> str | None:
        """Return the absolute URL of an image; None unless it is of the web."""
        return self._resolved(src, _WEB)

    def _resolved(self, href: str, schemes: frozenset[str]) -> str | None:
        if self._root:
            # Most URLs need no parser.
            if _PLAIN_URL.fullmatch(href):
                return href
            if _PLAIN_PATH.fullmatch(href):
                return self._root + href
        # Browsers ignore control characters, as in "java\nscript:".
        if not href.isprintable():
            href = "".join(filter(str.isprintable, href))
        href = href.strip()
        whole = _joined(self._base, href)
        try:
            parts = urlsplit(whole or "")
        except ValueError:
            return None
        if parts.scheme not in schemes or (parts.scheme in _WEB and not parts.netloc):
            return None
        return whole


def _joined(url: str | None, link: str | None) -> str | None:
    try:
        return urljoin(url or "", link or "")
    except ValueError:
        return url
