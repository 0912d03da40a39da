"""Read image tags: the best URL that a tag offers, also on pages that load their images late."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import NamedTuple

from turbohtml import Token, TokenType, tokenize

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Ints

# Attributes with one URL on pages that load their images late, the largest version first.
_LAZY_URLS = (
    *("data-full-src", "data-hi-res-src", "data-large-file", "data-original", "data-original-src"),
    *("data-lazy-src", "data-src", "data-lazy", "data-lazyload", "data-image-src", "data-url"),
    *(
        "data-srclarge",
        "data-defer-src",
        "data-actualsrc",
        "data-img-src",
        "data-img",
        "nitro-lazy-src",
    ),
)
_ARE_LAZY = frozenset(_LAZY_URLS)
_SRCSETS = ("data-srcset", "data-lazy-srcset", "srcset")
# Files that are shown until the image is loaded, in lower case. The patterns begin with few
# characters, and know no other case, so that they are found fast.
_PLACEHOLDER = re.compile(
    r"[/_.-](?:blank|spacer|space|placeholder|pixel|loading|loader|lazy|lazyload|dummy|empty|"
    r"transparent|trans|clear|shim|grey|gray|white|1x1|0)(?:[_.-]?(?:\d+x\d+|image|img|bg))?"
    r"\.(?:gif|png|svg|jpe?g|webp)"
)
_NAMED_PLACEHOLDER = re.compile(
    r"(?:placeholder|transparent|spacer|lazyload)[\w-]{0,60}\.(?:gif|png|svg)"
)
_NOT_WEB = ("data:", "about:", "javascript:", "blob:", "#", "[", "(", "<", '"')
_DESCRIPTOR = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx](?:,|$)")
_SIZE = re.compile(r"\s{0,9}(\d{1,5})(?:\.\d{0,9})?\s{0,9}(?:px)?\s{0,9}$", re.IGNORECASE)
_STYLED_SIZE = re.compile(r"(?:^|[;\s])(width|height)\s{0,9}:\s{0,9}(\d{1,5})px", re.IGNORECASE)
_UNSHOWN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
# A longer attribute is no URL, and no list of URLs.
_MAX_URL, _MAX_SRCSET, _MAX_NAMES = 4000, 20_000, 500
_MAX_NOSCRIPT = 20_000
_NOSCRIPT_END = re.compile(r"</noscript[\s/>]", re.IGNORECASE)
# Tags and texts between an image and its copy in <noscript>. Lines that are further apart can be
# read without each other, but for a <source>.
MAX_TOKENS_BETWEEN = 4
# Smaller images only report that a page is read.
_MIN_PIXELS = 3
# Larger numbers in a srcset are widths in pixels, not densities.
_MAX_DENSITY = 10


class ImageTag(NamedTuple):
    """An image of a page: its URL as written, and what its tag says about it.

    ``names`` are its class names and its id. ``width`` and ``height`` are None if they are not
    given in pixels.
    """

    url: str
    alt: str
    names: str
    width: int | None
    height: int | None


class Candidate(NamedTuple):
    """A URL that a tag offers; ``width`` is 0 if it is not given."""

    url: str
    width: float = 0


class _ImageReader:
    """Collects the images of a page from its tokens, by the index of the token.

    An image without a usable URL gets that of its copy in the ``<noscript>`` after it.
    """

    def __init__(self) -> None:
        self.images: dict[int, ImageTag] = {}
        self._sources: list[Candidate] = []

    def see(self, token: Token, index: int) -> None:
        """Read a start tag of PICTURE_TAGS."""
        if token.tag == "source":
            self._sources += _srcset_candidates(token)
        elif token.tag == "picture":
            self._sources = []
        else:
            image = read_image(token, self._sources)
            self._sources = []
            if image:
                self.images[index] = image

    def see_noscript(self, markup: str, index: int) -> None:
        """Read the inside of a <noscript>."""
        copy = _first_image(markup)
        if copy is None:
            return
        last = next(reversed(self.images), None)
        if last is None or index - last > MAX_TOKENS_BETWEEN:
            self.images[index] = copy
        elif not self.images[last].url:
            self.images[last] = self.images[last]._replace(url=copy.url)


def read_images(html: str, pictures: Ints) -> dict[int, ImageTag]:
    """Read the images of a page, by the number of tags before them.

    ``pictures`` are the tags that they are read from; see ``MarkupColumns``.
    """
    reader = _ImageReader()
    tag_of: dict[int, int] = {}
    for tag, index, source in pictures.tolist():
        tag_of[index] = tag
        if source < 0:
            inside = html[-source : _MAX_NOSCRIPT - source]
            end = _NOSCRIPT_END.search(inside)
            reader.see_noscript(inside[: end.start()] if end else inside, index)
        elif token := loops.first_token(html, source):
            reader.see(token, index)
    return {tag_of[index]: image for index, image in reader.images.items()}


def _first_image(markup: str) -> ImageTag | None:
    if "<img" in markup[:_MAX_NOSCRIPT]:
        for token in tokenize(markup[:_MAX_NOSCRIPT], capture_attributes=True):
            if token.type is TokenType.START_TAG and token.tag == "img":
                image = read_image(token, [])
                return image if image and image.url else None
    return None


def read_image(token: Token, sources: list[Candidate]) -> ImageTag | None:
    """Read an image; its URL is empty if none is usable. Return None for an invisible image.

    ``sources`` are the candidates of the <source> elements before it.
    """
    attr = token.attr
    style = attr("style") or ""
    width, height = _size(attr("width")), _size(attr("height"))
    if style:
        styled = {name.lower(): int(size) for name, size in _STYLED_SIZE.findall(style[:_MAX_URL])}
        width, height = styled.get("width", width), styled.get("height", height)
    if any(size is not None and size < _MIN_PIXELS for size in (width, height)):
        return None
    url = best_url(token, sources)
    if style and _UNSHOWN.search(style[:_MAX_URL]) and url == (attr("src") or "").strip():
        return None
    return ImageTag(
        url=url,
        alt=" ".join((attr("alt") or "").split()),
        names=f"{attr('class') or ''} {attr('id') or ''}"[:_MAX_NAMES],
        width=width,
        height=height,
    )


def best_url(token: Token, sources: list[Candidate]) -> str:
    """Return the URL of the largest version that a tag offers, or "" if there is none.

    Of several versions whose widths are given, the widest is the best. Otherwise, an attribute of
    a page that loads its images late comes before the highest density, and ``src`` is the last.
    """
    best = _widest([*_srcset_candidates(token), *sources])
    if best and best.width > _MAX_DENSITY:
        return best.url
    attributes = token.attrs or ()
    if not _ARE_LAZY.isdisjoint([name for name, _ in attributes]):
        given = {name: value for name, value in reversed(attributes) if value}
        for name in _LAZY_URLS:
            if name in given and (url := _usable(given[name])):
                return url
    source = _usable(token.attr("src"))
    return best.url if best and (best.width > 1 or not source) else source


def _widest(offered: list[Candidate]) -> Candidate | None:
    """Return the first of the widest usable candidates, with few looks at their URLs."""
    for candidate in sorted(offered, key=attrgetter("width"), reverse=True):
        if url := _usable(candidate.url):
            return Candidate(url, candidate.width)
    return None


def _srcset_candidates(token: Token) -> list[Candidate]:
    found: list[Candidate] = []
    for name in _SRCSETS:
        value = token.attr(name)
        if value:
            found += read_srcset(value)
    return found


def read_srcset(value: str) -> list[Candidate]:
    """Return the URLs of a srcset, each with its width in pixels or its density.

    >>> [tuple(found) for found in read_srcset("a,b.jpg 300w, c.jpg 600w,d.jpg")]
    [('a,b.jpg', 300.0), ('c.jpg', 600.0), ('d.jpg', 1.0)]
    """
    found: list[Candidate] = []
    words = value[:_MAX_SRCSET].split()
    index = 0
    while index < len(words):
        url, width = words[index], 1.0
        index += 1
        descriptor = _DESCRIPTOR.match(words[index]) if index < len(words) else None
        if descriptor and not url.endswith(","):
            width = float(descriptor[1])
            # The next URL may follow the comma without a space.
            words[index] = words[index][descriptor.end() :]
            index += not words[index]
        if url := url.strip(","):
            found.append(Candidate(url, width))
    return found


def _usable(url: str | None) -> str:
    """Return a URL without spaces around it, or "" for placeholders and templates."""
    url = (url or "")[: _MAX_URL + 1].strip()
    if not url or len(url) > _MAX_URL or url.startswith(_NOT_WEB) or "{" in url:
        return ""
    lowered = f"/{url.lower()}"
    is_placeholder = _PLACEHOLDER.search(lowered) or _NAMED_PLACEHOLDER.search(lowered)
    return "" if is_placeholder else url


def _size(written: str | None) -> int | None:
    found = _SIZE.match(written) if written else None
    return int(found[1]) if found else None
