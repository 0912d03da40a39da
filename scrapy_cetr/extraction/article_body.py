"""The text that some pages hold twice, for readers and, as JSON-LD articleBody, for programs.

It shows which rows are the body; and where a page hides its text from readers, it is the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from scrapy_cetr.extraction.characters import INVISIBLES, count_words
from scrapy_cetr.extraction.metadata.evidence import read_evidence
from scrapy_cetr.extraction.page import Bools, Page

# Fewer words are a summary.
_MIN_WORDS = 50
# A page that shows more of the words than this hides no text.
_MAX_SHOWN = 0.5
_SAMPLE_WORDS = 400
# A body with fewer of the words that were kept than this is only a part of the text.
_WHOLE = 0.6
# Shorter rows can be in any text.
_ROW_WORDS = 4

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_PARAGRAPHS = re.compile(r"\s*\n\s*")
_WORDS = re.compile(r"\w+")


def stated_body(html: str) -> str | None:
    """Give the text of a page's JSON-LD as paragraphs, if it has one."""
    if "articleBody" not in html:
        return None
    body = read_evidence(html, url=None).article.get("articleBody")
    if not isinstance(body, str) or count_words(body) < _MIN_WORDS:
        return None
    lines = _PARAGRAPHS.split(INVISIBLES.sub("", _TAG.sub("\n", body)).strip())
    return "\n\n".join(" ".join(line.split()) for line in lines if line.strip())


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether a page does not show the text that it states."""
    words = _WORDS.findall(body.lower())[:_SAMPLE_WORDS]
    shown = set(_WORDS.findall(visible.lower()))
    return sum(word in shown for word in words) < _MAX_SHOWN * len(words)


def agree_with_body(page: Page, keep: Bools, body: str) -> Bools:
    """Keep the rows that are in the body, and of those before and behind it only the headline."""
    words = _WORDS.findall(body.lower())
    known = set(_sequences(words))
    title = set(_WORDS.findall(page.title.lower()))
    spans = zip(page.rows.start.tolist(), page.rows.end.tolist(), strict=True)
    rows = [_WORDS.findall(page.text[start:end].lower()) for start, end in spans]
    inside = np.array([len(row) >= _ROW_WORDS and known >= set(_sequences(row)) for row in rows])
    kept_words = sum(len(row) for row, kept in zip(rows, keep.tolist(), strict=True) if kept)
    agreed: Bools = keep | inside
    at = np.flatnonzero(inside)
    if len(at) and len(words) >= _WHOLE * kept_words:
        heads = [title >= set(row) and (len(row) > 1 or len(title) == 1) for row in rows[: at[0]]]
        agreed[: at[0]] &= np.array(heads, np.bool_)
        agreed[at[-1] + 1 :] = False
    return agreed


def _sequences(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give all runs of so many words; a row is in a text if all of its runs are."""
    return zip(*(words[first:] for first in range(_ROW_WORDS)), strict=False)
