"""The arguments of the spider (``-a``), with checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

WAYS = ("sitemap", "feed", "links")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The site, the ways to find its pages in the order of trial, and the limit of pages."""

    site: str
    ways: tuple[str, ...]
    pages: int

    @classmethod
    def read(
        cls, *, site: str = "", follow: str = "auto", pages: str = "1000", **others: str
    ) -> Self:
        """Check the arguments; a ValueError names the wrong one.

        >>> Arguments.read(site="https://example.org", follow="rss")
        Traceback (most recent call last):
        ValueError: follow must be auto, sitemap, feed or links, not 'rss'
        """
        if others:
            raise ValueError(
                f"unknown argument {min(others)!r}; the arguments are site, follow and pages"
            )
        if not _is_url(site):
            raise ValueError(f"site must be a URL such as https://example.org, not {site!r}")
        if follow not in ("auto", *WAYS):
            raise ValueError(f"follow must be auto, sitemap, feed or links, not {follow!r}")
        if not pages.isdecimal() or int(pages) < 1:
            raise ValueError(f"pages must be a whole number from 1, not {pages!r}")
        ways = WAYS if follow == "auto" else (follow,)
        return cls(site=site, ways=ways, pages=int(pages))

    @property
    def domain(self) -> str:
        """The domain to stay on, with and without www."""
        return (urlsplit(self.site).hostname or "").removeprefix("www.")

    def on_site(self, url: str) -> bool:
        """Return whether a URL belongs to this site."""
        host = urlsplit(url).hostname if _is_url(url) else None
        return host is not None and f".{host}".endswith(f".{self.domain}")


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        # Reading a port that is no number raises ValueError.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
