"""The next page of an article that is divided into several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import parse_qsl, urldefrag, urlsplit

from scrapy.http import Response, TextResponse

# The words before a page number in URLs: ?page=2, /seite-2, _p2.html. With rel="next", any other
# word is accepted, too, except for the pages of comments.
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "page pages paged pageno pagenum pagenumber p pg part seite s pagina página strona sida",
    )
)
_COMMENTS = re.compile("comment|cpage|reply|replies|review|kommentar", re.IGNORECASE)
# At the end of a path: a number, and a word before it that the number belongs to.
_NUMBER = re.compile(r"[/_,;.=-]?(\d{1,3})$")
_WORD = re.compile(r"[/_,;.-]([^\W\d_]{1,12})$")
_SUFFIX = re.compile(r"(?:/index)?(?:\.[a-z]{2,5})?$", re.IGNORECASE)
_MAX_LINKS = 5000


def next_page(response: Response, *, number: int = 2) -> str | None:
    """Return the URL of page ``number`` of an article, as linked on the page before; else None.

    The URL is one on the same host that differs from that of the response in its page number only.
    Links with ``rel="next"`` come first. So a link to the next article or to the next page of
    comments is not taken for the next page, and pages that link to each other are no endless loop.
    """
    if not isinstance(response, TextResponse):
        return None
    links = list(_links(response))
    # Some sites count from 0. If both numbers are linked, the first page is page 1.
    for first in (1, 0):
        for url, is_rel_next in links:
            if _is_page(url, of=response.url, number=number, first=first, any_word=is_rel_next):
                return url
    return None


def _links(response: TextResponse) -> Iterator[tuple[str, bool]]:
    """Yield the URLs of links, those with rel=next first, and whether they have it."""
    try:
        found = response.xpath("//link[@href] | //a[@href]")[:_MAX_LINKS]
    except ValueError:
        return  # the response has no HTML
    rel_next = [link for link in found if "next" in link.attrib.get("rel", "").lower().split()]
    anchors = [link for link in found if link.root.tag == "a"]
    for number, link in enumerate((*rel_next, *anchors)):
        # urljoin() and urlsplit() refuse what is not a URL, such as http://[
        with suppress(ValueError):
            url = urldefrag(response.urljoin(link.attrib["href"].strip())).url
            urlsplit(url)
            yield url, number < len(rel_next)


def _is_page(url: str, *, of: str, number: int, first: int, any_word: bool) -> bool:
    """Return whether a URL is that of page ``number`` of the article at another URL."""
    new, old = urlsplit(url), urlsplit(of)
    if (new.scheme, new.netloc) != (old.scheme, old.netloc) or new.scheme not in ("http", "https"):
        return False
    new_query, old_query = (dict(parse_qsl(parts.query)) for parts in (new, old))
    added = {key: value for key, value in new_query.items() if old_query.get(key) != value}
    new_path, old_path = (_SUFFIX.sub("", parts.path.rstrip("/")) for parts in (new, old))
    if not added:
        # /story to /story/2, or /story-2 to /story-3
        before = {old_path, *_stems(old_path, number - 1, any_word=any_word)}
        return new_path != old_path and not before.isdisjoint(
            _stems(new_path, number, any_word=any_word)
        )
    if new_path != old_path or len(added) > 1:
        return False
    # /story to /story?page=2, or /story?page=2 to /story?page=3
    ((key, value),) = added.items()
    wanted = number - 1 + first
    is_next = value == str(wanted) and old_query.get(key) in (None, str(wanted - 1))
    return is_next and _is_word(key, any_word=any_word)


def _stems(path: str, number: int, *, any_word: bool) -> list[str]:
    """Return what a path can be without its page number; nothing if it has another or none.

    >>> _stems("/story/page/2", 2, any_word=False)
    ['/story/page', '/story']
    """
    found = _NUMBER.search(path)
    if found is None or int(found[1]) != number:
        return []
    stem = path[: found.start()]
    word = _WORD.search(stem)
    if word is None:
        return [stem]
    if _COMMENTS.search(word[1]):
        return []
    return [stem, stem[: word.start()]] if _is_word(word[1], any_word=any_word) else [stem]


def _is_word(word: str, *, any_word: bool) -> bool:
    """Return whether a word can stand before a page number."""
    if _COMMENTS.search(word):
        return False
    return any_word or word.lower().strip("_-") in _WORDS
