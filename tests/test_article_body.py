"""JSON-LD articleBody: evidence of what the body is, and the text where a page hides it."""

import json

import numpy as np
import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.article_body import agree_with_body, is_hidden, stated_body
from scrapy_cetr.extraction.reader import read

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
    assert article.text == f"Flood\n\n{BODY}"
    assert article.sources["text"] == "page"
    assert "**rained**" in article.markdown


def test_rows_of_the_body_are_kept_and_what_surrounds_it_is_not() -> None:
    html = f"<p>{'Read our newsletter every day of the week. ' * 5}</p>" + "".join(
        f"<p>{sentence}</p>" for sentence in SENTENCES
    )
    read_page = read(f"<title>Flood</title>{html}<p>Imprint and privacy</p>", rows="blocks")
    none = np.zeros(len(read_page.rows), np.bool_)
    agreed = agree_with_body(read_page, ~none, BODY)
    filled = agreed[read_page.rows.chars > 0]
    assert filled.tolist() == [False] + [True] * len(SENTENCES) + [False]
    assert agree_with_body(read_page, none, BODY).sum() == len(SENTENCES)


def test_a_body_that_is_only_a_part_of_the_text_drops_nothing() -> None:
    html = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    read_page = read(html, rows="blocks")
    everything = np.ones(len(read_page.rows), np.bool_)
    assert agree_with_body(read_page, everything, SENTENCES[0]).all()


@pytest.mark.parametrize("body", ["", "A short summary.", 5, None, ["x"], {"text": BODY}])
def test_what_is_no_body(body: object) -> None:
    assert stated_body(page(body, "")) is None


def test_markup_in_a_body_becomes_paragraphs() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    assert stated_body(page(body, "")) == BODY


def test_whether_a_text_is_shown() -> None:
    assert is_hidden(BODY, "Subscribe to read on")
    assert not is_hidden(BODY, BODY.upper())
