"""Recognise a paywall by what a page shows: a box that asks to subscribe, and little text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

# Parts of words near which the texts of paywalls are searched, because that is fast.
_STEMS = (
    *(
        "ubscri",
        "bonn",
        "bbonat",
        "ssinant",
        "uscript",
        "uscrí",
        "renumer",
        "одпис",
        "会員",
        "订阅",
    ),
    *("訂閱", "付费", "付費", "구독", "유료", "abone", "συνδρομ", "eiterlesen"),
)
# Plain texts in lower case: a regular expression with so many alternatives would be slow.
_TEXTS = (
    *("subscribe to continue reading", "subscribe to keep reading", "subscribe now to continue"),
    *(
        "to continue reading, subscribe",
        "to continue reading, please subscribe",
        "subscribe to unlock",
    ),
    *("subscribe to read", "is for subscribers", "for subscribers only", "only for subscribers"),
    *("available to subscribers", "exclusive to subscribers", "reserved for subscribers"),
    *("nur für abonnent", "exklusiv für abonnent", "sie möchten weiterlesen", "jetzt weiterlesen"),
    *("um weiterzulesen", "weiterlesen mit", "mit abo weiterlesen", "im abo weiterlesen"),
    *(
        "réservé aux abonnés",
        "réservée aux abonnés",
        "réservé à nos abonnés",
        "réservée à nos abonnés",
    ),
    *("abonnez-vous pour lire", "abonnez-vous pour continuer", "abonnez-vous pour accéder"),
    *("exclusivo para suscriptores", "solo para suscriptores", "suscríbete para seguir"),
    *("suscríbete para continuar", "suscríbete para leer", "suscríbase para seguir"),
    *("exclusivo para assinantes", "apenas para assinantes", "assinantes podem ler"),
    *("riservato agli abbonati", "riservata agli abbonati", "abbonati per continuare"),
    *("alleen voor abonnees", "exclusief voor abonnees", "kun for abonnent", "bare for abonnent"),
    *("forbeholdt abonnent", "endast för prenumerant", "bara för prenumerant"),
    *("tylko dla prenumerator", "wyłącznie dla prenumerator", "только для подписчик"),
    *("только подписчик", "доступен по подписке", "подписку, чтобы", "лише для передплатник"),
    *("μόνο για συνδρομητές", "okumak için abone", "sadece abone"),
    *("订阅后阅读", "付费阅读", "付费内容", "訂閱後閱讀", "付費內容", "会員限定", "有料会員"),
    *("구독자 전용", "유료 회원", "유료 기사"),
)
_TAG = re.compile(r"<[^<>]{0,400}>")
_AROUND = 120
_MAX_PLACES, _MAX_SCRIPTS = 8, 2000
# A longer text is a whole article, whatever the page offers.
_MAX_CUT_OFF = 2500
_CUT_OFF = ("…", "...", "[…]", "[...]")
_LAST_CHARS = 600


def shows_paywall(html: str, text: str) -> bool:
    """Tell whether a page shows a paywall in place of the rest of its text.

    A box that asks to subscribe is not enough, as many pages have one below a whole article: the
    text has to be short, or to end with an ellipsis.
    """
    if len(text) > _MAX_CUT_OFF and not _is_cut_off(text[-_LAST_CHARS:]):
        return False
    return any(_asks_to_subscribe(_plain(html, place)) for place in _places(html))


def _asks_to_subscribe(text: str) -> bool:
    text = text.lower()
    return any(phrase in text for phrase in _TEXTS)


def _is_cut_off(end: str) -> bool:
    """Tell whether the last paragraph before the box, which may be in the text, has no end."""
    paragraphs = [part for part in end.split("\n\n") if not _asks_to_subscribe(part)]
    return bool(paragraphs) and paragraphs[-1].rstrip().endswith(_CUT_OFF)


def _places(html: str) -> Iterator[int]:
    """Yield the offsets of the first few of each stem outside of scripts."""
    begins, ends = _scripts(html)
    for stem in _STEMS:
        offset = found = 0
        while found < _MAX_PLACES and (offset := html.find(stem, offset)) >= 0:
            script = bisect_right(begins, offset) - 1
            if script >= 0 and offset < ends[script]:
                offset = ends[script]
            else:
                yield offset
                offset += _AROUND // 2
                found += 1


def _scripts(html: str) -> tuple[list[int], list[int]]:
    """Return where scripts begin and end."""
    begins: list[int] = []
    ends: list[int] = []
    end = 0
    while len(begins) < _MAX_SCRIPTS and (begin := html.find("<script", end)) >= 0:
        end = html.find("</script", begin)
        end = len(html) if end < 0 else end
        begins.append(begin)
        ends.append(end)
    return begins, ends


def _plain(html: str, place: int) -> str:
    """Return the text around an offset without tags, on one line."""
    around = _TAG.sub(" ", html[max(place - _AROUND, 0) : place + _AROUND])
    return " ".join(around.replace("&nbsp;", " ").split())
