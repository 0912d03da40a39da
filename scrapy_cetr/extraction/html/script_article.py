"""Find the article in the data of a page's scripts, and write it as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape, unescape
from typing import Any, NamedTuple

from scrapy_cetr.extraction.html.script_values import script_values
from scrapy_cetr.extraction.page.characters import count_words
from scrapy_cetr.extraction.page.words import words_of

# A shorter text is a summary, and a longer one no article.
_MIN_WORDS, _MAX_CHARS = 50, 500_000
# The bounds of a search: values that are looked at, and the nesting of blocks in an article.
_MAX_VALUES, _MAX_NESTING, _MAX_BLOCKS = 200_000, 8, 5000
# Without a title to tell, a text is the article if it is this many times as long as any other.
_FAR_LONGER = 2
_SAME_TITLE = 0.6

# The keys of texts and of lists of blocks, and those that never hold the article.
_BODY_KEY = re.compile(
    r"body|content|html|text|story|article|rendered|markup|blocks|paragraphs|elements|document"
    r"|components|nodes|sections|children",
    re.IGNORECASE,
)
_OTHER_KEY = re.compile(
    r"comment|related|recommend|footer|header|cookie|consent|legal|terms|policy|privacy|bio|author"
    r"|caption|seo|teaser|excerpt|summary|nav|menu|style|css|script|i18n|locale|message|translation"
    r"|newsletter|config|feature|experiment|advert|sidebar|trending|latest|popular",
    re.IGNORECASE,
)
_TITLE_KEYS = ("headline", "title", "name", "heading")
_TEXT_KEYS = (
    "html",
    "text",
    "value",
    "content",
    "children",
    "body",
    "markup",
    "paragraph",
    "data",
    "items",
    "nodes",
    "blocks",
    "elements",
)
_TYPE_KEYS = ("type", "nodeType", "_type", "name", "__typename", "tag", "tagName", "kind")
_INLINE_TYPES = frozenset(
    ("text", "span", "leaf", "link", "hyperlink", "a", "b", "i", "em", "strong", "bold", "italic")
)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]{0,20}[^<>]{0,2000}>")
_ESCAPED_TAG = re.compile(r"&lt;/?(?:p|div|br|h[1-6]|a|b|strong|em|ul|li)\b", re.IGNORECASE)
_NO_PROSE = re.compile(r"[{};=]")


class _Candidate(NamedTuple):
    html: str
    words: int
    is_titled: bool


def find_article(html: str, title: str) -> str:
    """Return the article in a page's script data as HTML; "" if there is none, or no telling which.

    >>> text = "It was a long day, and nobody went home before the bridge was open again. " * 6
    >>> data = f'<script type="application/json">{{"post": {{"body": "{text}"}}}}</script>'
    >>> find_article(data, "Bridge") == f"<p>{text.strip()}</p>"
    True
    """
    wanted = frozenset(words_of(title))
    found: dict[str, _Candidate] = {}
    for value in script_values(html):
        for candidate in _candidates(value, wanted):
            known = found.get(candidate.html)
            found[candidate.html] = candidate if known is None or candidate.is_titled else known
    titled = [one for one in found.values() if one.is_titled]
    longest = sorted(titled or found.values(), key=lambda one: -one.words)
    if not longest or (
        not titled and len(longest) > 1 and longest[0].words < _FAR_LONGER * longest[1].words
    ):
        return ""
    return longest[0].html


def _candidates(value: Any, wanted: frozenset[str]) -> Iterator[_Candidate]:
    """Yield the texts inside of a value that may be an article."""
    root = value if isinstance(value, dict) else {}
    stack: list[tuple[Any, bool]] = [(value, False)] if isinstance(value, dict | list) else []
    for _ in range(_MAX_VALUES):
        if not stack:
            return
        one, is_titled = stack.pop()
        if isinstance(one, list):
            stack += [(inner, is_titled) for inner in one if isinstance(inner, dict | list)]
            continue
        is_titled = is_titled or _has_title(one, wanted)
        for key, inner in one.items():
            if isinstance(inner, str):
                # Most strings are too short to look at.
                if len(inner) < _MIN_WORDS or inner[0] in "{[":
                    continue
            elif not isinstance(inner, dict | list) or not inner:
                continue
            kind = _key_kind(key)
            if kind == "other":
                continue
            if kind == "body":
                body = _body(inner, root)
                if body:
                    yield _Candidate(body, count_words(_TAG.sub(" ", body)), is_titled)
            if isinstance(inner, dict | list):
                stack.append((inner, is_titled))


@lru_cache(4096)
def _key_kind(key: str) -> str:
    """Tell whether a key is that of a "body", never holds the article ("other"), or neither."""
    key = key[:100]
    return "other" if _OTHER_KEY.search(key) else "body" if _BODY_KEY.search(key) else ""


def _has_title(one: Mapping[str, Any], wanted: frozenset[str]) -> bool:
    """Tell whether an object has the title of the page."""
    for key in _TITLE_KEYS:
        title = one.get(key)
        title = title.get("rendered") if isinstance(title, dict) else title
        if isinstance(title, str) and wanted:
            words = frozenset(words_of(title[:400]))
            if (
                words
                and len(words & wanted) >= _SAME_TITLE * min(len(words), len(wanted))
                and (len(words & wanted) > 1)
            ):
                return True
    return False


def _body(value: Any, root: Mapping[str, Any]) -> str:
    """Write a text or a list of blocks as HTML; "" if it is not prose, or too short."""
    if isinstance(value, str):
        body = paragraphs(value) if len(value) <= _MAX_CHARS else ""
        return body if _is_prose(body) else ""
    blocks = list(value.values())[:1] if isinstance(value, dict) and len(value) == 1 else value
    if not isinstance(blocks, list) or not 1 < len(blocks) <= _MAX_BLOCKS:
        return ""
    if _are_links(blocks):
        return ""
    writer = _BlockWriter(root)
    body = writer.write(blocks, 0)
    return body if _is_prose(body) else ""


def _are_links(blocks: list[Any]) -> bool:
    """Tell whether most of some blocks are teasers: objects with a title and a URL."""
    links = sum(
        isinstance(one, dict)
        and any(key in one for key in ("url", "slug", "href", "permalink", "uri", "link"))
        and any(isinstance(one.get(key), str) for key in ("title", "headline", "name"))
        for one in blocks
    )
    return links * 2 > len(blocks)


def _is_prose(text: str) -> bool:
    """Tell whether a text is long enough for an article, and neither code nor data."""
    if len(text) < _MIN_WORDS:
        return False
    plain = unescape(_TAG.sub(" ", text))
    words = count_words(plain)
    return (
        words >= _MIN_WORDS
        and len(_NO_PROSE.findall(plain)) * 20 < words
        and len(plain) < 20 * words
    )


def paragraphs(text: str) -> str:
    r"""Write a string as HTML: it may be HTML, escaped HTML, or text with line breaks.

    >>> paragraphs("One &lt; two\n\nThree"), paragraphs("&lt;p&gt;One&lt;/p&gt;")
    ('<p>One &lt; two</p><p>Three</p>', '<p>One</p>')
    """
    if _ESCAPED_TAG.search(text) and not _TAG.search(text):
        text = unescape(text)
    if _TAG.search(text):
        return text
    return escaped_paragraphs(unescape(text))


def escaped_paragraphs(text: str) -> str:
    """Write each line of a text as a paragraph of HTML."""
    lines = (line.strip() for line in text.split("\n"))
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines if line)


class _BlockWriter:
    """Writes lists of blocks, as editors and content systems store them, as HTML."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = _MAX_BLOCKS

    def write(self, value: Any, depth: int) -> str:
        """Write a value: a string, a list, or an object with a text and a type."""
        self._left -= 1
        if depth > _MAX_NESTING or self._left < 0:
            return ""
        if isinstance(value, str):
            return paragraphs(value) if _reads_like_text(value) else ""
        if isinstance(value, list):
            if any(map(_is_inline, value)) and all(_is_inline(one) for one in value if one):
                return f"<p>{''.join(map(_inline, value))}</p>"
            return "".join(self.write(one, depth + 1) for one in value)
        return self._block(value, depth) if isinstance(value, dict) else ""

    def _block(self, block: Mapping[str, Any], depth: int) -> str:
        reference = block.get("__ref")
        if isinstance(reference, str) and isinstance(self._root.get(reference), dict):
            block = self._root[reference]
        kind = next(
            (str(block[key]).lower() for key in _TYPE_KEYS if isinstance(block.get(key), str)), ""
        )
        texts = (block.get(key) for key in _TEXT_KEYS)
        text = next((one for one in texts if isinstance(one, str | list | dict) and one), None)
        if text is None or (
            any(word in kind for word in ("image", "video", "ad", "related", "embed"))
            and "head" not in kind
        ):
            return ""
        inside = self.write(text, depth + 1)
        if inside.startswith("<p>") and inside.count("<p>") == 1:
            for word, name in (("head", "h2"), ("h2", "h2"), ("h3", "h3"), ("quote", "blockquote")):
                if word in kind:
                    return f"<{name}>{inside[3:].removesuffix('</p>')}</{name}>"
        if "list" in kind and "item" not in kind:
            return f"<ul>{inside}</ul>"
        if "item" in kind:
            return f"<li>{inside}</li>"
        return inside


def _reads_like_text(text: str) -> bool:
    """Leave out ids, dates, URLs and the like."""
    return (
        " " in text.strip()
        or bool(_TAG.search(text))
        or (bool(text) and not text.isascii() and len(text) > 1)
    )


def _is_inline(one: Any) -> bool:
    """Tell whether a value is a part of a paragraph."""
    if not isinstance(one, dict):
        return False
    kinds = [str(one[key]).lower() for key in _TYPE_KEYS if isinstance(one.get(key), str)]
    has_text = isinstance(one.get("text", one.get("value")), str)
    return (has_text and not kinds) or any(kind in _INLINE_TYPES for kind in kinds)


def _inline(one: Any, depth: int = 0) -> str:
    if isinstance(one, str):
        return escape(one, quote=False)
    if isinstance(one, list):
        return "".join(_inline(inner, depth + 1) for inner in one) if depth < _MAX_NESTING else ""
    if not isinstance(one, dict):
        return ""
    texts = (one.get(key) for key in ("text", "value", "content", "children"))
    return _inline(next((text for text in texts if text), ""), depth + 1)
