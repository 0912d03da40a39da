"""The pictures of an article: which images of a page belong to it, and their captions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Indices, Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.html.details import DetailedPage, Image
from scrapy_cetr.extraction.html.image_tags import ImageTag
from scrapy_cetr.extraction.html.picture_urls import (
    is_junk_url,
    is_site_picture,
    longest_word,
    may_have_word,
    picture_key,
)
from scrapy_cetr.extraction.output.captions import MAX_CAPTION, caption_nodes, caption_rows
from scrapy_cetr.extraction.output.passages import Passages, in_passages
from scrapy_cetr.extraction.output.tree import Tree, any_name, one_line
from scrapy_cetr.extraction.output.urls import UrlResolver

_FIGURE, _HEADLINE, _ASIDE = codes_of("figure"), codes_of("h1"), codes_of("nav footer menu")
# Class names of images and of the elements around them that are no part of an article.
_JUNK = re.compile(
    r"(?:^|[-_])(?:avatar|gravatar|author|byline|bio|profile|userpic|headshot|share|sharing|social|logo|"
    r"icon|emoji|smiley|sprite|badge|button|btn|related|recommend|recommended|recommendation|teaser|promo|"
    r"newsletter|subscribe|subscription|advert|advertisement|ads?|sponsor|sponsored|sidebar|footer|nav|"
    r"navbar|navigation|menu|comment|commentlist|masthead|breadcrumb|popular|trending|outbrain|taboola|"
    r"readmore|read-more|more-(?:news|stories|articles)|latest|pixel|paywall|modal|cookie|writer|"
    r"contributor|toolbar|donate|signup)s?(?:$|[-_\d])|^wp-smiley|[a-z](?:Avatar|Author|Byline|Share|Social|Logo|"
    r"Icon|Related|Teaser|Promo|Newsletter|Sidebar|Footer|Comments?|Sponsor(?:ed)?|Recommend\w{0,8})(?:$|[A-Z_-])",
)
_JUNK_IMAGE = any_name(
    re.compile(
        r"(?:^|[-_])(?:avatar|gravatar|author|byline|userpic|headshot|logo|icon|emoji|smiley|sprite|"
        r"badge|button|btn|pixel)s?(?:$|[-_\d])|^wp-smiley|[a-z](?:Avatar|Author|Logo|Icon|Emoji)",
        re.IGNORECASE,
    )
)
_JUNK_FLAGS = any_name(re.compile(_JUNK.pattern, re.IGNORECASE))
# An element with a larger share of the article is around it, whatever its name.
_MAX_SHARE_IN_JUNK = 0.2
# Characters of text that is not kept between an image and the nearest text that is.
_MAX_DROPPED_CHARS = 80
_MAX_UNMARKED_CAPTION = 200
# Images that are smaller in both directions are icons and portraits of authors.
_MIN_SIDE = 100
_LARGE_SIDE = 400
# Figures are searched in this number of elements around an image, captions in fewer.
_MAX_LEVELS, _CAPTION_LEVELS = 6, 4
_MIN_HEADLINE = 8
# The captions in an element that are examined.
_MAX_CAPTIONS = 20
# A page with more images of the article is no page for people.
_MAX_IMAGES = 2000


class Placed(NamedTuple):
    """An image of an article, its offset in the text, and the node of its figure, -1 for none."""

    offset: int
    image: Image
    figure: int


def find_pictures(page: DetailedPage, kept: Passages, resolver: UrlResolver) -> list[Placed]:
    """Return the images that belong to the article, in the order of the page.

    An image belongs to the article if it is near kept text, inside of an element with kept text,
    or between the headline and the text. Logos, avatars, icons and the like do not.
    """
    tags = page.page_images.tags
    # An image in a <noscript> at the end of the page has no tag.
    tags = tags[tags < len(page.tags)]
    if not len(tags) or not len(kept.begin):
        return []
    return _Finder(page, kept).pictures(tags, resolver)


class _Finder:
    """Finds the pictures of one page."""

    def __init__(self, page: DetailedPage, kept: Passages) -> None:
        self._page = page
        self._tree = Tree(page)
        self._captions = caption_nodes(self._tree)
        rows = page.rows
        is_kept = (rows.chars > 0) & in_passages(rows.start, kept)
        is_caption = caption_rows(self._tree, self._captions)
        self._kept_rows = np.flatnonzero(is_kept)
        dropped = ~is_kept & ~is_caption
        # The number of characters before each row: kept, and neither kept nor in captions.
        self._kept = _before(np.where(is_kept, rows.chars, 0))
        self._dropped = _before(np.where(dropped, rows.chars, 0))
        self._links = _before(np.where(dropped, page.link_chars, 0))
        self._headline = self._find_headline()
        self._junk: dict[int, bool] = {}  # by element, as far as it is known

    def pictures(self, tags: Ints, resolver: UrlResolver) -> list[Placed]:
        page = self._page
        offsets = page.tag_offset[tags]
        around = self._tree.tagged.around(tags)
        belongs = self._are_near(offsets) & self._are_among_kept(around)
        for index in np.flatnonzero(belongs).tolist():
            belongs[index] = not self._is_in_junk(int(around[index]))
        may_be_main = np.zeros(len(tags), np.bool_)
        may_be_main[~belongs] = self._may_be_main(tags[~belongs], offsets[~belongs])
        images = page.page_images.read(tags[belongs | may_be_main])
        images = {tag: image for tag, image in images.items() if image.url}
        wanted = [
            index
            for index in np.flatnonzero(belongs | may_be_main).tolist()
            if (image := images.get(int(tags[index])))
            and (belongs[index] or picture_key(image.url) == self._main_key)
        ]
        found: list[Placed] = []
        for index in wanted[:_MAX_IMAGES]:
            tag = images[int(tags[index])]
            url = resolver.image(tag.url)
            if not url:
                continue
            offset = int(offsets[index])
            caption, figure = self._caption(int(around[index]), offset)
            if not _is_junk(tag, url, has_caption=bool(caption)):
                found.append(Placed(offset, Image(url, tag.alt, caption), figure))
        return _without_copies(found)

    def _are_near(self, offsets: Ints) -> Bools:
        """Tell which offsets are near kept text, or between the headline and kept text."""
        rows = np.maximum(np.searchsorted(self._page.rows.start, offsets, side="right") - 1, 0)
        kept = self._kept_rows
        if not len(kept):
            return np.zeros(len(offsets), np.bool_)
        following = np.searchsorted(kept, rows)
        before = kept[np.maximum(np.searchsorted(kept, rows, side="right") - 1, 0)]
        after = kept[np.minimum(following, len(kept) - 1)]
        since = self._dropped[rows + 1] - self._dropped[np.minimum(before, rows) + 1]
        until = self._dropped[np.maximum(after, rows)] - self._dropped[rows]
        near = (before <= rows) & (since <= _MAX_DROPPED_CHARS)
        near |= (after >= rows) & (until <= _MAX_DROPPED_CHARS)
        if self._headline >= 0:
            begin = self._tree.nodes.start[self._headline]
            later = self._page.rows.start[kept]
            later = later[later >= self._tree.nodes.end[self._headline]]
            if len(later):
                near |= (offsets >= begin) & (offsets <= later[0])
        result: Bools = near
        return result

    @cached_property
    def _rows_inside(self) -> tuple[Indices, Indices]:
        """The first row of each element, and the one after its last."""
        nodes, rows = self._tree.nodes, self._page.rows
        first = np.searchsorted(rows.start, nodes.start)
        return first, np.maximum(np.searchsorted(rows.end, nodes.end, side="right"), first)

    @cached_property
    def _kept_inside(self) -> Indices:
        """The number of characters of kept rows in each element."""
        first, last = self._rows_inside
        return self._kept[last] - self._kept[first]

    def _are_among_kept(self, around: Ints) -> Bools:
        """Tell of which elements the text around is kept: that of the innermost one with text."""
        nodes = self._tree.nodes
        first, last = self._rows_inside
        kept = self._kept_inside
        # A short text without links may be a caption that is not marked as one.
        unlinked = self._links[last] == self._links[first]
        short = self._dropped[last] - self._dropped[first] <= _MAX_UNMARKED_CAPTION * unlinked
        empty = (kept == 0) & short
        if self._headline >= 0:
            # The headline may not be a part of the text, but what is with it is of the article.
            holds = np.arange(len(nodes)) <= self._headline
            holds &= nodes.last > self._headline
            kept = kept + holds
        # Outside of all elements, everything is around; -1 is the last index of these columns.
        kept, empty = np.append(kept, 1), np.append(empty, False)
        found = around.copy()
        while len(climbing := np.flatnonzero(empty[found])):
            found[climbing] = nodes.parent[found[climbing]]
        among: Bools = kept[found] > 0
        return among

    @cached_property
    def _main_key(self) -> str:
        """The key of the image that the page declares, "" for none."""
        main = self._page.main_image
        return picture_key(main) if main and not is_site_picture(main) else ""

    def _may_be_main(self, tags: Ints, offsets: Ints) -> Bools:
        """Tell which images may be the declared one, and are before the end of the text."""
        found = np.zeros(len(tags), np.bool_)
        if self._main_key and len(self._kept_rows):
            may_be = partial(may_have_word, longest_word(self._main_key))
            before = offsets < self._page.rows.end[self._kept_rows[-1]]
            found[before] = self._page.page_images.are_written_as(tags[before], may_be)
        return found

    def _is_in_junk(self, node: int) -> bool:
        """Tell whether an element is in navigation, an author box, related articles or the like."""
        # What is around an element has no less of the article than that.
        most = _MAX_SHARE_IN_JUNK * self._kept[-1]
        while node >= 0 and self._kept_inside[node] <= most:
            if node not in self._junk:
                self._junk[node] = self._is_junk(node)
            if self._junk[node]:
                return True
            node = int(self._tree.nodes.parent[node])
        return False

    def _is_junk(self, node: int) -> bool:
        if int(self._tree.nodes.tag[node]) in _ASIDE:
            return True
        return any(map(_JUNK_FLAGS, self._tree.own_names(node)))

    def _find_headline(self) -> int:
        """Return the last <h1> before the text that has the words of <title>, or -1."""
        tree = self._tree
        title = one_line(self._page.title).casefold()
        end = self._page.rows.start[self._kept_rows[0]] if len(self._kept_rows) else 0
        for node in tree.tagged_as(_HEADLINE).tolist()[:9][::-1]:
            text = tree.text(node)[:MAX_CAPTION].casefold()
            if len(text) >= _MIN_HEADLINE and text in title and tree.nodes.start[node] <= end:
                return int(node)
        return -1

    def _caption(self, node: int, offset: int) -> tuple[str, int]:
        """Return the caption of an image, in its figure or else right after it, and the figure."""
        nodes, captions = self._tree.nodes, self._captions
        for level in range(_MAX_LEVELS):
            if node < 0:
                break
            is_figure = int(nodes.tag[node]) in _FIGURE
            if is_figure or level < _CAPTION_LEVELS:
                first, last = np.searchsorted(captions, (node, nodes.last[node])).tolist()
                for caption in captions[first:last][:_MAX_CAPTIONS].tolist():
                    if is_figure or self._follows(caption, offset):
                        return self._tree.text(caption)[:MAX_CAPTION], node if is_figure else -1
            if is_figure:
                return "", node
            node = int(nodes.parent[node])
        return "", -1

    def _follows(self, caption: int, offset: int) -> bool:
        """Tell whether a caption comes after an image, with no other text between them."""
        start = int(self._tree.nodes.start[caption])
        return start >= offset and not self._page.text[offset : min(start, offset + 99)].strip()


def _before(counts: Ints) -> Indices:
    """Return the sum of the counts before each index, and that of all at the end."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def _is_junk(tag: ImageTag, url: str, *, has_caption: bool) -> bool:
    """Tell by its own tag whether an image is an icon, a logo, an avatar or the like."""
    sides = [side for side in (tag.width, tag.height) if side]
    if sides and max(sides) < _MIN_SIDE and (len(sides) == 2 or sides[0] < _MIN_SIDE // 2):
        return True
    if _JUNK_IMAGE(tag.names):
        return True
    is_large = bool(sides) and max(sides) >= _LARGE_SIDE and max(sides) < 3 * min(sides)
    if has_caption or (is_large and not url.lower().endswith(".svg")):
        return False
    # Most of these are bullets and lines of a layout.
    is_decoration = not sides and not tag.alt and tag.url.lower().endswith(".gif")
    return is_decoration or is_junk_url(url)


def _without_copies(found: Sequence[Placed]) -> list[Placed]:
    """Leave out repeated pictures: those with the same URL, or the same name in another size."""
    seen: set[str] = set()
    kept: list[Placed] = []
    for placed in found:
        key = picture_key(placed.image.url)
        if key not in seen and placed.image.url not in seen:
            kept.append(placed)
        seen.update((key, placed.image.url))
    return kept


def with_main_image(images: Sequence[Image], main: str | None) -> tuple[Image, ...]:
    """Put the main image that a page declares first; add it if it is not among the images."""
    if not main:
        return tuple(images)
    key = picture_key(main)
    same = next(
        (image for image in images if image.url == main or picture_key(image.url) == key), None
    )
    first = same or Image(main, "")
    return (first, *(image for image in images if image is not same))
