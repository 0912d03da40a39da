"""The text that some pages state for programs, as JSON-LD articleBody, and hide from readers."""

from __future__ import annotations

import re

from scrapy_cetr.extraction.characters import INVISIBLES, count_words
from scrapy_cetr.extraction.metadata.evidence import read_evidence

# Fewer words are a summary.
_MIN_WORDS = 50
# A page that shows more of the words than this hides no text.
_MAX_SHOWN = 0.5
_SAMPLE_WORDS = 400
# A page of which more is kept hides nothing.
_LITTLE = 1500

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_WORDS = re.compile(r"\w+")


def hidden_body(html: str, *, visible: str, kept: str) -> str | None:
    """Give the text that a page states and does not show, where little else was found on it."""
    if len(kept) > _LITTLE:
        return None
    body = stated_body(html)
    return body if body and len(body) > len(kept) and is_hidden(body, visible) else None


def stated_body(html: str) -> str | None:
    """Give the text of a page's JSON-LD as paragraphs, if it has one."""
    if "articleBody" not in html:
        return None
    body = read_evidence(html, url=None).article.get("articleBody")
    if not isinstance(body, str) or count_words(body) < _MIN_WORDS:
        return None
    lines = INVISIBLES.sub("", _TAG.sub("\n", body)).split("\n")
    return "\n\n".join(" ".join(line.split()) for line in lines if line.strip())


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether a page does not show the text that it states."""
    words = _WORDS.findall(body.lower())[:_SAMPLE_WORDS]
    shown = set(_WORDS.findall(visible.lower()))
    return sum(word in shown for word in words) < _MAX_SHOWN * len(words)
