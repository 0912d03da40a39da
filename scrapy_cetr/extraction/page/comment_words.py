"""Words around the comments of readers: dates, controls, and requests to write one."""

from __future__ import annotations

import re

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Ints, UInt8s

# A day, a time of day, or how long ago something was.
_TIME_OF_DAY = (
    r"\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?[ap]\.?m\b\.?)?(?: (?:[A-Z]{1,2}[SD]T|UTC|GMT|CET|Uhr)\b)?"
)
WRITTEN_DATE = re.compile(
    r"(?:\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?"
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? [^\W\d_]{3,12}\.?,? \d{4}"
    r"|[^\W\d_]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|[^\W\d_]{3,9} \d{1,2}(?:st|nd|rd|th)\b"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일])"
    rf"(?:(?:[ ,T]| at | um | à | - ){{1,3}}{_TIME_OF_DAY})?|{_TIME_OF_DAY}"
    r"|\d{1,3} ?(?:min|hour|day|week|month|year|std|stunde|tag|jour|heure|hora|día|dia|час"
    r"|минут|дн|день|"
    r"小时|分钟|天|時間|分|日|시간|분|일|saat|gün)[^\W\d_]{0,6}(?: ago)?",
    re.IGNORECASE,
)
# A whole row like "4d" or "12 Oct".
_SHORT_DATE = re.compile(
    r"\d{1,2} ?(?:[smhdwy]|mo|min|hr)s?|\d{1,2}\.? [^\W\d_]{3,9}\.?|[^\W\d_]{3,9}\.? \d{1,2}",
    re.IGNORECASE,
)
# Texts that ask readers for comments, tell the rules, or that there are none.
_ASKING = re.compile(
    r"log ?in|sign (?:in|up)|register|be the first|no comments|leave a (?:comment|reply)|"
    r"respond to|using the form|form below|"
    r"(?:post|add|write|submit) (?:a|your|new)?\s?comment|your (?:e-?mail|name|comment)|javascript"
    r"|powered by|moderat|guidelines|house rules|not (?:necessarily )?(?:endorse|reflect)"
    r"|terms (?:of|and)|anmelden|einloggen|kommentar (?:schreiben|verfassen)|keine kommentare"
    r"|netiquette|connecte[zr]|soyez le premier|laisse[zr] un commentaire|inicia(?:r)? sesión"
    r"|sé el primero|deja un comentario|accedi|zaloguj|skomentuj|dodaj komentarz|regulamin"
    r"|войти|войдите|авторизуй|авторизован|зарегистрир|комментариев пока|модератор|ваш коммент"
    r"|написать коммент|добавить коммент|правила комментирования|σύνδεση|συνδεθείτε"
    r"|γράψτε το σχόλιο|υποχρεωτικά|sponsored|subscrib|captcha|spam|please try again"
    r"|popular in the community|giriş yap|登录|登陆|发表评论|暂无评论|网友意见|文明上网"
    # The label of a required field.
    r"|ログイン|로그인|\s\*$",
    re.IGNORECASE,
)
# Each of these texts has at least one of these. They are quicker to find.
_ASKING_STEMS = (
    *("login", "log in", "sign ", "respond to", "the form", "form below"),
    *("register", "first", "no comm", "leave a", "comment", "your "),
    *("*", "javascript", "powered", "moderat", "guideline", "house", "endorse", "reflect"),
    *("terms ", "anmelden", "einloggen", "kommentar", "netiquette", "connecte", "premier"),
    *("laisse", "inicia", "primero", "deja", "accedi", "zaloguj", "skomentuj", "komentarz"),
    *("regulamin", "войти", "войдите", "авторизуй", "авторизован", "зарегистрир", "коммент"),
    *("модератор", "σύνδεση", "συνδεθείτε", "σχόλιο", "υποχρεωτικά", "sponsored", "subscrib"),
    *(
        "captcha",
        "spam",
        "please",
        "popular",
        "giriş",
        "登录",
        "登陆",
        "评论",
        "网友意见",
        "文明上网",
        "ログイン",
    ),
    *("로그인"),
)
# The title of a thread has one of these.
_HEADING_STEMS = (
    *("comment", "komment", "coment", "koment", "коммент", "комент", "обсужден", "отзыв", "评论"),
    *("評論", "留言", "コメント", "댓글", "yorum", "σχόλι", "opini", "reacti", "response"),
    *("replies", "thoughts", "discussion", "diskussion"),
)
# What readers can do with a comment. A row of nothing but these words and of digits is no text.
_CONTROLS = (
    "reply report flag like dislike vote upvote downvote quote permalink abuse antworten melden"
    " zitieren gefällt"
    " répondre signaler responder denunciar rispondi segnala odpowiedz zgłoś cytuj ответить"
    " пожаловаться цитировать απάντηση 回复 回覆 举报 支持 反对 赞 踩 顶 返信 通報 답글 신고 공감"
    " yanıtla şikayet beantwoorden svara svar"
)
_ACTIONS = frozenset(
    f"{_CONTROLS} replies share likes up down link edit delete say says said wrote writes posted"
    " commented on at by am pm um uhr ago translate show hide more less view all sagt schrieb"
    " schreibt teilen mir odpowiedzi tweet поделиться partager dit compartir dice dijo pisze пишет"
    " comments comment add to rate"
    " комментарии kommentare komentarze commentaires comentarios oceń".split()
)
# Words that are also in controls, but are no controls alone.
_WITH_ACTIONS = frozenset(["this", "number", "unsuitable", "inappropriate", "offensive"])
# A count or a rating with its label.
_COUNTED = re.compile(r"[^\W\d_]{2,15}: ?[+-]?\d[\d\s()\[\]/+.,-]{0,20}")
_CONTROL_WORDS = frozenset(_CONTROLS.split())
# The bits of texts that may have a control, or be the title of a thread.
MAY_HAVE_CONTROL, MAY_BE_HEADING = np.array((1, 2), np.uint8)
_HINTS = loops.Strings((*sorted(_CONTROL_WORDS), *_HEADING_STEMS))
_HINT_BITS = np.repeat(
    (MAY_HAVE_CONTROL, MAY_BE_HEADING), (len(_CONTROL_WORDS), len(_HEADING_STEMS))
)
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”»)]*$")
_SPOKEN = re.compile(
    r"\w\W*\s(?:says?|said|wrote|writes|sagt|schrieb|schreibt|dit|dice|dijo|disse|pisze|пишет"
    r"|(?:napisał|powiedział)(?:/a)?)(?:[:…]|\.{2,}|$)",
    re.IGNORECASE,
)
_MAX_SPOKEN = 60
_MAX_NAME, _MAX_NAME_WORDS = 40, 4


def is_asking(text: str) -> bool:
    """Tell whether a text asks readers for comments.

    >>> is_asking("Log in to leave a reply"), is_asking("We left the port at noon.")
    (True, False)
    """
    lowered = text.lower()
    return any(stem in lowered for stem in _ASKING_STEMS) and bool(_ASKING.search(text))


def is_action(text: str) -> bool:
    """Tell whether a text has only words of controls, or no words.

    >>> is_action("Reply · 12"), is_action("Reply to this"), is_action("Score: +8 [9]")
    (True, True, True)
    >>> is_action("This"), is_action("Reply to Ann")
    (False, False)
    """
    if _COUNTED.fullmatch(text):
        return True
    found = [word.lower() for word in _WORD.findall(text)]
    return all(word in _ACTIONS or word in _WITH_ACTIONS for word in found) and not (
        found and _ACTIONS.isdisjoint(found)
    )


def date_in(text: str) -> str:
    """Return the date in a short text, "" for none.

    >>> date_in("Ann Lee, 3 May 2024 at 10:15"), date_in("4d"), date_in("in 4d")
    ('3 May 2024 at 10:15', '4d', '')
    """
    # A search for a digit is quicker than one for a date.
    if not _DIGIT.search(text):
        return ""
    found = WRITTEN_DATE.search(text) or _SHORT_DATE.fullmatch(text)
    return found[0] if found else ""


def is_heading(text: str) -> bool:
    """Tell whether a text has a word of the title of a thread."""
    lowered = text.lower()
    return any(stem in lowered for stem in _HEADING_STEMS)


def has_control(text: str) -> bool:
    """Tell whether a short text has the word of a control."""
    return not _CONTROL_WORDS.isdisjoint(_WORD.findall(text.lower()))


def hints_in_parts(text: str, begins: Ints, ends: Ints) -> UInt8s:
    """Return for parts of a text the bits of what they may be, which takes little time."""
    return loops.bits_in_parts(text, begins, ends, _HINTS, _HINT_BITS)


def without_dates(text: str) -> str:
    """Remove the dates from a text.

    >>> without_dates("Ann Lee, 12.03.2024 10:15")
    'Ann Lee,'
    """
    if not _DIGIT.search(text):
        return " ".join(text.split())
    return "" if _SHORT_DATE.fullmatch(text) else " ".join(WRITTEN_DATE.sub(" ", text).split())


def is_spoken(text: str) -> bool:
    """Tell whether a row names who wrote what follows.

    >>> is_spoken("Ann Lee said..."), is_spoken("That is what Ann Lee and all of the others said.")
    (True, False)
    """
    return len(text) <= _MAX_SPOKEN and len(text.split()) <= 6 and bool(_SPOKEN.search(text))


def may_be_name(text: str) -> bool:
    """Tell whether a text can be the name of a person.

    >>> may_be_name("Ann Lee"), may_be_name("We went by boat.")
    (True, False)
    """
    return (
        1 < len(text) <= _MAX_NAME
        and 0 < len(text.split()) <= _MAX_NAME_WORDS
        and not _SENTENCE_END.search(text)
        and not text.endswith(",")
        and not is_action(text)
        and not is_heading(text)
        and "{" not in text
    )
