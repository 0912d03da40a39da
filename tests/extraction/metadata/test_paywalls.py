"""Paywalls: declared by a page, or shown by it."""

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.metadata.paywalls import shows_paywall

LEAD = "<h1>The flood</h1><p>It rained all day, and by night the river stood in the town.</p>"
BOXES = {
    "en": "Subscribe to continue reading",
    "en members": "This story is for subscribers only. <a href=/in>Log in</a>",
    "de": "Dieser Artikel ist <b>nur für Abonnenten</b>",
    "de 2": "Sie möchten weiterlesen? Jetzt testen und Premium lesen",
    "fr": "La suite de cet article est réservée aux abonnés",
    "es": "Suscríbete para seguir leyendo",
    "pt": "Conteúdo exclusivo para assinantes",
    "it": "Contenuto riservato agli abbonati",
    "nl": "Dit artikel is alleen voor abonnees",
    "pl": "Pozostało 80% treści. Tylko dla prenumeratorów",
    "ru": "Материал доступен только подписчикам",
    "ja": "この記事は有料会員限定です",
    "zh": "付费内容，订阅后阅读全文",
    "ko": "이 기사는 유료 회원 전용입니다",
}


@pytest.mark.parametrize("language", BOXES)
def test_paywall_is_recognised_by_its_box(language: str) -> None:
    article = extract(f"{LEAD}<div class=box><p>{BOXES[language]}</p></div>")
    assert article.paywalled is True
    assert article.sources["paywalled"] == "page"


@pytest.mark.parametrize("language", BOXES)
def test_whole_article_with_an_offer_is_not_paywalled(language: str) -> None:
    html = f"{LEAD}<div><p>{BOXES[language]}</p></div>"
    assert shows_paywall(html, "It rained all day.")
    assert not shows_paywall(html, "It rained all day. " * 200)


def test_long_article_that_ends_with_an_ellipsis_is_paywalled() -> None:
    html = f"{LEAD}<div><p>{BOXES['en']}</p></div>"
    text = "It rained all day. " * 200 + "Then the mayor said that the …"
    assert shows_paywall(html, text)
    assert shows_paywall(html, f"{text}\n\n{BOXES['en']}")


@pytest.mark.parametrize(
    "other",
    [
        "<p>Subscribe to our newsletter</p>",
        "<script>var text = 'Subscribe to continue reading';</script>",
        "<p>Abonnieren Sie unseren Newsletter</p>",
        "<p>Follow us for more.</p>",
    ],
)
def test_other_offers_and_scripts_are_no_paywall(other: str) -> None:
    assert extract(LEAD + other).paywalled is None


@pytest.mark.parametrize(
    ("value", "paywalled"), [("False", True), ("https://schema.org/False", True), ("true", False)]
)
def test_paywall_is_read_from_microdata(value: str, paywalled: bool) -> None:
    html = (
        "<div itemscope itemtype=https://schema.org/NewsArticle><h1 itemprop=headline>The"
        " flood</h1>"
        f"<meta itemprop=isAccessibleForFree content={value}></div>"
    )
    article = extract(html)
    assert (article.paywalled, article.sources["paywalled"]) == (paywalled, "microdata")


def test_declaration_is_preferred_to_what_is_shown() -> None:
    declared = '{"@type": "Article", "isAccessibleForFree": true}'
    free = f'<script type="application/ld+json">{declared}</script>'
    assert extract(f"{free}{LEAD}<p>{BOXES['en']}</p>").paywalled is False
