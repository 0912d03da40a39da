"""Image captions and reader comments, which belong to an article but not to its body."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.elements import ELEMENT_CODES, FIRST_NAMED
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.text import write_text

_FIGCAPTION = ELEMENT_CODES["figcaption"]
# Class names of elements with comments in common themes and services.
_COMMENTS = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|comment-?(?:list|thread|section|area|s-area|content|body)"
    r"|disqus(?:_thread|-thread)?|discussion|replies|responses)(?:$|[\s_-])",
    re.IGNORECASE,
)
# Class names of elements that count comments, link to them, or ask for them.
_NO_COMMENTS = re.compile(
    r"count|link|form|respond|button|meta|number|share|no-comments|has-|-open|closed", re.IGNORECASE
)


def find_captions(page: DetailedPage, span: tuple[int, int]) -> tuple[str, ...]:
    """Return the image captions between the beginning and the end of the article."""
    nodes = page.nodes
    inside = (nodes.start >= span[0]) & (nodes.end <= span[1])
    captions = np.flatnonzero((nodes.tag == _FIGCAPTION) & inside)
    texts = [page.text[nodes.start[node] : nodes.end[node]] for node in captions.tolist()]
    return tuple(filter(None, (" ".join(text.split()) for text in texts)))


def find_comments(page: DetailedPage) -> str:
    """Return the text of all elements whose class name tells that they hold comments."""
    rows = np.zeros(len(page.rows), np.bool_)
    for begin, end in _comment_spans(page):
        rows |= (page.rows.start >= begin) & (page.rows.end <= end) & (page.rows.chars > 0)
    return write_text(page, rows) if rows.any() else ""


def _comment_spans(page: DetailedPage) -> list[tuple[int, int]]:
    """Return where the text of the outermost elements with comments begins and ends."""
    starts = np.flatnonzero(page.tags > 0)
    has_class_name: Bools = page.tags[starts] >= FIRST_NAMED
    of_comments = np.array([_is_of_comments(class_name) for class_name in page.class_names])
    found = starts[has_class_name][of_comments[page.class_name]].tolist()
    spans: list[tuple[int, int]] = []
    for tag in found:
        begin = int(page.tag_offset[tag])
        if spans and begin < spans[-1][1]:
            continue
        spans.append((begin, _end_of(page, tag)))
    return spans


def _is_of_comments(class_name: str) -> bool:
    names = class_name.split()
    return any(_COMMENTS.search(name) and not _NO_COMMENTS.search(name) for name in names)


def _end_of(page: DetailedPage, tag: int) -> int:
    """Return where the text of an element ends: at the end tag that matches its start tag."""
    code = int(page.tags[tag])
    same = np.flatnonzero(np.abs(page.tags[tag:]) == code)
    depth = np.cumsum(np.sign(page.tags[tag:][same]))
    closed = np.flatnonzero(depth == 0)
    if not len(closed):
        return len(page.text)
    return int(page.tag_offset[tag + same[closed[0]]])
