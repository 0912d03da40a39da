"""Recognise a paywall by what a page shows: a box that asks to subscribe, and little text."""

from __future__ import annotations

import re
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
    *(
        "訂閱",
        "付费",
        "付費",
        "구독",
        "유료",
        "bone ol",
        "συνδρομ",
        "embers only",
        "eiterlesen",
        "remium",
    ),
)
_TEXTS = re.compile(
    r"(?:subscribe|sign up|register|log in|join)(?: now| today)? to (?:continue|keep) reading|"
    r"to (?:continue|keep) reading(?: this (?:article|story))?,? (?:please )?(?:subscribe|log in|sign|register|you)|"
    r"subscribe (?:now )?to (?:read|unlock|view|access)|subscribers? only|only (?:available )?(?:for|to) subscribers|"
    r"(?:exclusive|reserved|available) (?:for|to) (?:our )?(?:paid |premium )?subscribers|members only|"
    r"(?:this|the) (?:article|story|content) is (?:only )?for (?:paid )?(?:subscribers|members)|already a subscriber\?|"
    r"unlock (?:this|the full) (?:article|story)|"
    # German
    r"nur für abonnent|(?:jetzt|sie möchten|sofort|hier) weiterlesen|weiterlesen mit|abonnieren,? um weiterzulesen|"
    r"exklusiv für abonnent|bereits abonnent|mit (?:einem )?abo (?:weiter)?lesen|"
    # French
    r"réservée? (?:à nos|aux) abonnés|la suite (?:de cet article )?est réservée|pour lire la suite|"
    r"abonnez-vous pour (?:lire|continuer|accéder)|déjà abonné|"
    # Spanish, Portuguese, Italian
    r"(?:exclusivo|solo) para suscriptores|suscríbe(?:te|se) para (?:seguir|continuar|leer)|para seguir leyendo|"
    r"(?:exclusivo|apenas) para assinantes|assine para (?:continuar|ler)|já é assinante|"
    r"riservat[oa] agli abbonati|abbonati per (?:continuare|leggere)|"
    # Dutch, Nordic
    r"(?:alleen|exclusief) voor abonnees|(?:kun|bare|forbeholdt) (?:for )?abonnent|(?:endast|bara) för prenumerant|"
    r"for å lese videre|för att läsa vidare|"
    # Polish, Russian, Ukrainian, Greek, Turkish
    r"(?:tylko|wyłącznie) dla prenumerator|pozostało (?:jeszcze )?\d{1,2} ?% treści|"
    r"только (?:для подписчик|подписчик)|по подписке|оформите подписку,? чтобы|лише для передплатник|"
    r"μόνο για συνδρομητές|devamını okumak için abone|sadece aboneler|"
    # Chinese, Japanese, Korean
    r"订阅后(?:阅读|可读)|付费(?:阅读|内容|文章)|訂閱後閱讀|付費內容|会員限定|有料会員|続きを読むには|구독자 전용|유료 (?:회원|기사)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]{0,400}>")
_AROUND = 160
_MAX_PLACES, _MAX_SCRIPT = 12, 200_000
# A longer text is a whole article, whatever the page offers.
_MAX_CUT_OFF = 2500
_CUT_OFF = ("…", "...", "[…]", "[...]", "……")
_LAST_CHARS = 600


def shows_paywall(html: str, text: str) -> bool:
    """Tell whether a page shows a paywall in place of the rest of its text.

    A box that asks to subscribe is not enough, as many pages have one below a whole article: the
    text has to be short, or to end with an ellipsis.
    """
    if len(text) > _MAX_CUT_OFF and not _is_cut_off(text[-_LAST_CHARS:]):
        return False
    return any(_TEXTS.search(_plain(html, place)) for place in _places(html))


def _is_cut_off(end: str) -> bool:
    """Tell whether the last paragraph before the box, which may be in the text, has no end."""
    paragraphs = [part for part in end.split("\n\n") if not _TEXTS.search(part)]
    return bool(paragraphs) and paragraphs[-1].rstrip().endswith(_CUT_OFF)


def _places(html: str) -> Iterator[int]:
    """Yield the offsets of the first few stems outside of scripts."""
    for stem in _STEMS:
        offset = found = 0
        while found < _MAX_PLACES and (offset := html.find(stem, offset)) >= 0:
            script = html.rfind("<script", max(offset - _MAX_SCRIPT, 0), offset)
            if script >= 0 and html.find("</script", script, offset) < 0:
                end = html.find("</script", offset)
                if end < 0:
                    break
                offset = end
            else:
                yield offset
                offset += _AROUND // 2
            found += 1


def _plain(html: str, place: int) -> str:
    """Return the text around an offset without tags, on one line."""
    around = html[max(place - _AROUND, 0) : place + _AROUND]
    if "<" in around or ">" in around:
        around = _TAG.sub(" ", around)
    return " ".join(around.replace("&nbsp;", " ").split())
