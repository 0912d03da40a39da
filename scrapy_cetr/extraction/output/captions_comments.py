"""What belongs to an article without being its body: captions of pictures, comments of readers."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_CONTAINER
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.text import render_text

_FIGCAPTION = ELEMENT_CODES["figcaption"]
# As themes and services for comments name what holds them, but not what counts them or links there.
_COMMENTS = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|comment-?(?:list|thread|section|area|s-area|content|body)"
    r"|disqus(?:_thread|-thread)?|discussion|replies|responses)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NO_COMMENTS = re.compile(
    r"count|link|form|respond|button|meta|number|share|no-comments|has-|-open|closed", re.IGNORECASE
)


def find_captions(page: DetailedPage, span: tuple[int, int]) -> tuple[str, ...]:
    """List the captions of pictures between the beginning and the end of the article."""
    nodes = page.nodes
    inside = (nodes.start >= span[0]) & (nodes.end <= span[1])
    at = np.flatnonzero((nodes.tag == _FIGCAPTION) & inside)
    texts = [page.text[nodes.start[node] : nodes.end[node]] for node in at.tolist()]
    return tuple(filter(None, (" ".join(text.split()) for text in texts)))


def find_comments(page: DetailedPage) -> str:
    """Read the text in all elements whose class or id says that they hold comments."""
    rows = np.zeros(len(page.rows), np.bool_)
    for begin, end in _comment_places(page):
        rows |= (page.rows.start >= begin) & (page.rows.end <= end) & (page.rows.chars > 0)
    return render_text(page, rows) if rows.any() else ""


def _comment_places(page: DetailedPage) -> list[tuple[int, int]]:
    """Find the outermost elements with comments, each by where its text begins and ends."""
    starts = np.flatnonzero(page.tags > 0)
    labelled: Bools = page.tags[starts] >= FIRST_CONTAINER
    of_comments = np.array([_is_of_comments(label) for label in page.class_names])
    found = starts[labelled][of_comments[page.class_name]].tolist()
    places: list[tuple[int, int]] = []
    for place in found:
        begin = int(page.tag_offset[place])
        if places and begin < places[-1][1]:
            continue
        places.append((begin, _end_of(page, place)))
    return places


def _is_of_comments(label: str) -> bool:
    return any(_COMMENTS.search(word) and not _NO_COMMENTS.search(word) for word in label.split())


def _end_of(page: DetailedPage, place: int) -> int:
    """Find where the text of an element ends: at the end tag that fits its start tag."""
    code = int(page.tags[place])
    same = np.flatnonzero(np.abs(page.tags[place:]) == code)
    depth = np.cumsum(np.sign(page.tags[place:][same]))
    closed = np.flatnonzero(depth == 0)
    if not len(closed):
        return len(page.text)
    return int(page.tag_offset[place + same[closed[0]]])
