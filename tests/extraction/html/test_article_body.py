"""JSON-LD articleBody: the text of pages that hide it, and evidence on pages that show it."""

import json
from importlib import import_module

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods.learned.declared_text import shares_in

SENTENCES = [
    f"It rained for {n} days, and the river stood in the streets of town {n}." for n in range(9)
]
BODY = "\n\n".join(SENTENCES)
MENU = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(20))


def page(body: object, shown: str) -> str:
    declared = {"@type": "Article", "headline": "Flood", "articleBody": body}
    script = f'<script type="application/ld+json">{json.dumps(declared)}</script>'
    return f"<title>Flood</title>{script}<ul>{MENU}</ul><h1>Flood</h1>{shown}<ul>{MENU}</ul>"


def test_declared_text_is_used_if_the_page_hides_it() -> None:
    article = extract(page(BODY, "<p>Subscribe to read on.</p>"))
    assert article.text == BODY
    assert article.sources["text"] == "json-ld"
    assert article.markdown == BODY.replace(".", ".")
    assert article.html.count("<p>") == len(SENTENCES)
    assert article.links == ()


def test_declared_text_is_not_used_if_the_page_shows_it() -> None:
    shown = "".join(
        f"<p>{sentence.replace('rained', '<b>rained</b>')}</p>" for sentence in SENTENCES
    )
    article = extract(page(BODY, shown))
    assert article.text == BODY
    assert article.sources["text"] == "page"
    assert "**rained**" in article.markdown


@pytest.mark.parametrize("body", ["", "A short summary.", 5, None, ["x"], {"text": BODY}])
def test_declared_body_ignores_short_and_malformed_values(body: object) -> None:
    assert read(page(body, ""), rows="blocks", with_class_names=True).declared_body == ""


def test_declared_body_is_empty_if_there_are_several() -> None:
    html = page(BODY, "")
    assert read(html + html, rows="blocks", with_class_names=True).declared_body == BODY
    assert read(html + page(BODY[1:], ""), rows="blocks", with_class_names=True).declared_body == ""


def test_declared_body_is_empty_if_the_scripts_are_too_long() -> None:
    html = page(BODY, "").replace('"@type"', f'"x": "{"y" * 2_000_000}", "@type"')
    assert read(html, rows="blocks", with_class_names=True).declared_body == ""


def test_declared_body_has_paragraphs_for_its_markup() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    assert read(page(body, ""), rows="blocks", with_class_names=True).declared_body == BODY


def test_learned_method_drops_rows_missing_in_the_declared_text() -> None:
    shown = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    shown += "<p><a href=/last>Read more about the flood of last year</a></p>"
    assert "last year" in extract(page(None, shown)).text
    assert extract(page(BODY, shown)).text == BODY


def test_declared_text_is_not_compared_when_recall_is_favored() -> None:
    shown = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    shown += "<p>I lived in one of these towns, and it was worse than that.</p>"
    without = extract(page(None, shown), favor="recall")
    assert extract(page(BODY, shown), favor="recall").text == without.text


def test_declared_text_is_no_evidence_if_most_rows_are_missing_in_it() -> None:
    shown = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    others = [f"A week later, {n} people of the {n}th town had come back to dry." for n in range(9)]
    shown += "".join(f"<p>{sentence}</p>" for sentence in others)
    shown += "<p><a href=/last>Read more about the flood of last year</a></p>"
    assert extract(page(BODY, shown)).text == extract(page(None, shown)).text


def test_declared_text_is_not_compared_with_a_far_longer_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []

    def note(body: str, texts: list[str]) -> list[float]:
        compared.extend(texts)
        return shares_in(body, texts)

    module = import_module("scrapy_cetr.extraction.methods.learned.method")
    monkeypatch.setattr(module, "shares_in", note)
    shown = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    extract(page(BODY, shown * 3))
    assert set(SENTENCES) <= set(compared)
    compared.clear()
    extract(page(BODY, shown * 9))
    assert not compared
