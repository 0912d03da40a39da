"""JSON-LD articleBody: the text where a page hides it."""

import json

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.article_body import is_hidden, stated_body

SENTENCES = [
    f"It rained for {n} days, and the river stood in the streets of town {n}." for n in range(9)
]
BODY = "\n\n".join(SENTENCES)
MENU = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(20))


def page(body: object, shown: str) -> str:
    thing = {"@type": "Article", "headline": "Flood", "articleBody": body}
    script = f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    return f"<title>Flood</title>{script}<ul>{MENU}</ul><h1>Flood</h1>{shown}<ul>{MENU}</ul>"


def test_where_a_page_hides_its_text_the_stated_one_is_taken() -> None:
    article = extract(page(BODY, "<p>Subscribe to read on.</p>"))
    assert article.text == BODY
    assert article.sources["text"] == "json-ld"
    assert article.markdown == BODY.replace(".", ".")
    assert article.html.count("<p>") == len(SENTENCES)
    assert article.links == ()


def test_where_a_page_shows_its_text_it_is_read_from_there() -> None:
    shown = "".join(
        f"<p>{sentence.replace('rained', '<b>rained</b>')}</p>" for sentence in SENTENCES
    )
    article = extract(page(BODY, shown))
    assert article.text == extract(page(None, shown)).text
    assert article.text.endswith(f"Flood\n\n{BODY}")
    assert article.sources["text"] == "page"
    assert "**rained**" in article.markdown


@pytest.mark.parametrize("body", ["", "A short summary.", 5, None, ["x"], {"text": BODY}])
def test_what_is_no_body(body: object) -> None:
    assert stated_body(page(body, "")) is None


def test_markup_in_a_body_becomes_paragraphs() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    assert stated_body(page(body, "")) == BODY


def test_whether_a_text_is_shown() -> None:
    assert is_hidden(BODY, "Subscribe to read on")
    assert not is_hidden(BODY, BODY.upper())
