"""The comments of readers: which rows of a page they are, and each with its author and date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Ints
from scrapy_cetr.extraction.elements import codes_of
from scrapy_cetr.extraction.html.details import DetailedPage
from scrapy_cetr.extraction.output.comment_threads import find_thread, thread_items
from scrapy_cetr.extraction.output.markers import Markers
from scrapy_cetr.extraction.output.tree import Tree, one_line
from scrapy_cetr.extraction.page.characters import count_words

# Class names of elements with comments in common themes and services.
_COMMENTS = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|comment-?(?:list|thread|section|area|s-area|content"
    r"|body)"
    r"|disqus(?:_thread|-thread)?|discussion|replies|responses|kommentare?|commentaires?"
    r"|comentarios?"
    r"|komentarze|yorumlar|pinglun)(?:$|[\s_-])|[a-z]Comments?(?:$|[A-Z_-])",
    re.IGNORECASE,
)
# Class names of elements that count comments, link to them, or ask for them.
_NO_COMMENTS = re.compile(
    r"count|link|form|respond|button|meta|number|share|no-comments|has-|-open|closed|policy|login|"
    r"recent|latest|newest|popular|rules|notice|toggle|icon|header|title|widget",
    re.IGNORECASE,
)
_HEADINGS, _FORM = codes_of("h1 h2 h3 h4 h5 h6"), codes_of("form fieldset")
# Names of the element with the words of a comment, and of those with what to do with it.
_WORDS = re.compile(
    r"(?:^|[_-])(?:content|text|message|entry|description|prose|markdown)(?:$|[_-])|commentText",
    re.I,
)
# Texts that ask readers for comments, or tell that there are none.
_ASKING = re.compile(
    r"log ?in|sign (?:in|up)|register|be the first|no comments|leave a (?:comment|reply)|"
    r"post a comment|your (?:e-?mail|name|comment)|javascript|powered by|moderat|guidelines"
    r"|house rules|"
    r"anmelden|einloggen|kommentar (?:schreiben|verfassen)|keine kommentare|netiquette|"
    r"connecte[zr]|soyez le premier|laisse[zr] un commentaire|inicia(?:r)? sesión|sé el primero|"
    r"deja un comentario|accedi|zaloguj|skomentuj|войти|войдите|авторизуй|зарегистрир"
    r"|комментариев пока|"
    r"σύνδεση|συνδεθείτε|γράψτε το σχόλιο|υποχρεωτικά|правила комментирования|sponsored"
    r"|subscrib|captcha|"
    r"please try again|popular in the community|giriş yap|"
    r"登录|登陆|发表评论|暂无评论|ログイン|로그인",
    re.IGNORECASE,
)
# A row of nothing but these words and of digits is a part of the page around a comment.
_ACTIONS = frozenset(
    re.findall(
        r"\S+",
        "reply replies report flag share like likes dislike up down vote quote permalink link"
        " edit delete say says said wrote writes posted commented on at by am pm um uhr ago"
        " translate abuse show hide more less view all antworten melden sagt schrieb schreibt"
        " zitieren teilen gefällt mir répondre signaler partager dit responder denunciar"
        " compartir dice dijo rispondi segnala odpowiedz zgłoś cytuj pisze ответить"
        " пожаловаться цитировать пишет απάντηση"
        " 回复 回覆 举报 支持 反对 赞 踩 顶 返信 通報 답글 신고 공감 yanıtla"
        " şikayet beantwoorden svara svar",
    )
)
_WORD = re.compile(r"[^\W\d_]+")
_DEPTH = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nesting)[_-]?(\d{1,2})(?:$|\s)", re.I)
# Words of a text that is a comment without the name of an author or a date.
_MIN_WORDS = 8
# Lengths in characters: of a row that may be a name and a date, and of one to log in.
_MAX_SHORT, _MAX_ACTION = 200, 60
MAX_COMMENT_NAMES = 10_000
# More comments than this are not read, and more elements than this are single comments.
_MAX_COMMENTS, _MAX_REGIONS = 5_000, 50


class Comment(NamedTuple):
    """A comment of a reader.

    The author and the date in ISO 8601 are None if they are not known. The depth is 0 for a comment
    on the article, and 1 for a reply to one.
    """

    author: str | None
    date: str | None
    text: str
    depth: int


@lru_cache(maxsize=MAX_COMMENT_NAMES)
def is_of_comments(class_names: str) -> bool:
    """Tell whether the class names or the id of an element say that it holds comments.

    >>> is_of_comments("post-comments wide"), is_of_comments("comments-link")
    (True, False)
    """
    names = class_names.split() if "m" in class_names.lower() or "d" in class_names else ()
    return any(_COMMENTS.search(name) and not _NO_COMMENTS.search(name) for name in names)


def find_comments(page: DetailedPage, kept: Bools) -> tuple[Comment, ...]:
    """Return the comments of a page; their dates are as written.

    ``kept`` are the rows of the article, which are no comments. Comments are in elements with
    such class names, or in repeated elements after the article, each with name, date and text.
    """
    tree = Tree(page)
    reader = _Reader(tree, kept)
    regions = tree.outermost(tree.named(is_of_comments))
    found: list[Comment] = []
    if len(regions) > _MAX_REGIONS:
        # Each is a single comment, without an element around all of them.
        found += reader.comments(regions[:_MAX_COMMENTS])
        regions = regions[:1]
    else:
        for region in regions:
            items = thread_items(tree, region, reader.markers)[:_MAX_COMMENTS]
            found += reader.comments(items) if items else reader.bare(region)
    if not regions and kept.any():
        after = int(page.rows.end[np.flatnonzero(kept)[-1]])
        found += reader.comments(find_thread(tree, after, reader.markers)[:_MAX_COMMENTS])
    lowest = min((comment.depth for comment in found), default=0)
    return tuple(comment._replace(depth=comment.depth - lowest) for comment in found)


class _Reader:
    """Reads the comments of one page."""

    def __init__(self, tree: Tree, kept: Bools) -> None:
        self._tree = tree
        self._page = tree.page
        self.markers = Markers(tree)
        forms = tree.rows_in(tree.outermost(tree.tagged_as(_FORM)))
        headings = tree.rows_in(tree.tagged_as(_HEADINGS).tolist())
        rows = self._page.rows
        linked = 5 * self._page.link_chars >= 4 * rows.chars
        self._words = tree.rows_in(tree.outermost(tree.named(_WORDS.search, labels=True)))
        self._other = kept | forms | headings | (linked & (rows.chars < 80)) | (rows.chars == 0)

    def comments(self, items: Sequence[int]) -> Iterator[Comment]:
        """Yield the comments in the given elements, which may be nested."""
        owner, nesting = self._owners(items)
        order = np.flatnonzero(owner >= 0)
        bounds = np.flatnonzero(np.diff(owner[order], prepend=-1, append=-1))
        by_item: dict[int, list[int]] = {}
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            by_item.setdefault(int(owner[order[first]]), []).extend(order[first:last].tolist())
        for index, item in enumerate(items):
            rows = by_item.get(index, [])
            author, date = self.markers.of(item, rows, self._page)
            text = self._text(rows, author, date)
            known = bool(author or date) or count_words(text) >= _MIN_WORDS
            if text and known and not (not author and _ASKING.search(text)):
                depth = _DEPTH.search(self._tree.name(item))
                yield Comment(
                    author or None, date or None, text, int(depth[1]) if depth else nesting[index]
                )

    def _owners(self, items: Sequence[int]) -> tuple[Ints, list[int]]:
        """Return the innermost item of each row, -1 for none, and how deep each item is in"
        " others.
        """
        nodes, rows = self._tree.nodes, self._page.rows
        owner = np.full(len(rows), -1, np.int32)
        nesting: list[int] = []
        open_ends: list[int] = []
        for index, item in enumerate(items):
            while open_ends and open_ends[-1] <= item:
                open_ends.pop()
            nesting.append(len(open_ends))
            open_ends.append(int(nodes.last[item]))
            first = int(np.searchsorted(rows.start, nodes.start[item]))
            last = int(np.searchsorted(rows.end, nodes.end[item], side="right"))
            owner[first:last] = index
        return owner, nesting

    def _text(self, rows: Sequence[int], author: str, date: str) -> str:
        texts = {row: self._row_text(row) for row in rows if not self._other[row]}
        inner = {row: text for row, text in texts.items() if self._words[row]}
        written = [self._without_marks(text, author, date) for text in (inner or texts).values()]
        return "\n".join(filter(None, written))

    def _row_text(self, row: int) -> str:
        rows = self._page.rows
        return one_line(self._page.text[rows.start[row] : rows.end[row]])

    def _without_marks(self, text: str, author: str, date: str) -> str:
        """Remove the name and the date at the beginning of a text, and a row of nothing else."""
        if len(text) > _MAX_SHORT:
            return text
        if _is_action(text) or (len(text) < _MAX_ACTION and _ASKING.search(text)):
            return ""
        bare = text
        for mark in (author, date):
            bare = bare.replace(mark, " ", 1) if mark else bare
        bare = self.markers.without_dates(bare)
        return (
            text
            if len(_letters(bare)) > 0.5 * len(_letters(text)) + 2 and not _is_action(bare)
            else ""
        )

    def bare(self, region: int) -> list[Comment]:
        """Return the texts in an element of comments that does not tell them apart.

        There are none if it asks for comments: then its texts are those of a form.
        """
        nodes, rows = self._tree.nodes, self._page.rows
        first = int(np.searchsorted(rows.start, nodes.start[region]))
        last = int(np.searchsorted(rows.end, nodes.end[region], side="right"))
        inside = self._tree.nodes.tag[region : nodes.last[region]]
        if np.isin(inside, list(_FORM)).any():
            return []
        texts = [self._row_text(row) for row in range(first, last) if not self._other[row]]
        if any(map(_ASKING.search, texts)):
            return []
        return [Comment(None, None, text, 0) for text in texts if count_words(text) >= _MIN_WORDS]


def _is_action(text: str) -> bool:
    return all(word.lower() in _ACTIONS for word in _WORD.findall(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))
