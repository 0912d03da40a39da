"""The keys of rules: a domain, which stands for its subdomains too, and a pattern of paths."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

_DOMAIN = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_IPV4 = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){3}")
# What is encoded in a path before a request is sent; what is encoded already stays as it is.
_SAFE_IN_PATHS = "%/:=&?~#+!$,;'@()*[]|"


@dataclass(frozen=True, slots=True)
class SiteKey:
    """A domain, and the parts of a path pattern between its stars, or None for all paths."""

    domain: str
    path: tuple[str, ...] | None

    def is_of_host(self, host: str) -> bool:
        """Tell whether a host, as ``ascii_host`` returns it, is of the domain."""
        if host == self.domain:
            return True
        return host.endswith(f".{self.domain}") and not _is_address(host)

    def has_path(self, path: str) -> bool:
        """Tell whether a path, with the query, is among those of the key, in linear time."""
        if self.path is None:
            return True
        path = ascii_path(path)
        first, *others = self.path
        if not others:
            return path == first
        if not path.startswith(first):
            return False
        begin, last = len(first), others.pop()
        for part in others:
            # The first occurrence leaves the most for the parts that follow.
            begin = path.find(part, begin) + len(part)
            if begin < len(part):
                return False
        return len(path) - begin >= len(last) and path.endswith(last)


def _is_address(host: str) -> bool:
    """Tell whether a host is an address, which has no subdomains."""
    return ":" in host or _IPV4.fullmatch(host) is not None


def parse_key(text: str) -> SiteKey | None:
    """Divide a key, or return None if it has no valid domain.

    >>> parse_key("*.news.example/blog/*")
    SiteKey(domain='news.example', path=('/blog/', ''))
    """
    host, slash, path = text.partition("/")
    domain = ascii_host(host.removeprefix("*."))
    if not _DOMAIN.fullmatch(domain):
        return None
    domain = domain.strip("[]")
    return SiteKey(domain, tuple(ascii_path(slash + path).split("*")) if slash else None)


@lru_cache(maxsize=10_000)
def ascii_host(host: str) -> str:
    """Return a host name as it is in requests: in lower case, with umlauts and the like encoded."""
    host = host.lower().rstrip(".")
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def ascii_path(path: str) -> str:
    """Return a path as it is in requests, with umlauts and the like encoded."""
    return quote(path, safe=_SAFE_IN_PATHS, errors="replace")
