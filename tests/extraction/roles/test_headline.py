"""The headline is the row that is most like the titles of the page, and is there once."""

from __future__ import annotations

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.options import DEFAULT_PARTS

BODY = "".join(
    f"<p>The {place} was closed on Monday, and the council said that it would stay so, because the"
    f" water had not fallen as fast as everyone had hoped.</p>"
    for place in ("bridge", "harbour", "market", "station")
)
WITH_HEADLINE = ("headline", *DEFAULT_PARTS)


def both_texts(html: str) -> tuple[str, str]:
    """Return the default text, and the text with the headline."""
    return extract(html).text, extract(html, parts=WITH_HEADLINE).text


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Flood closes the bridge", "<h1>Flood closes the bridge</h1>"),
        ("Flood closes the bridge | Daily Courier", "<h1>Flood closes the bridge</h1>"),
        ("Daily Courier: Flood closes the bridge", "<h2>Flood closes the bridge</h2>"),
        ("Flood closes the bridge", "<div class=title>Flood closes the bridge</div>"),
        ("Flood closes the “bridge”", "<h1>Flood closes the 'bridge'</h1>"),
        ("Daily Courier", "<h1>Flood closes the bridge</h1>"),
        ("", "<h1>Flood closes the bridge</h1>"),
        ("洪水过后大桥关闭 - 日报", "<h1>洪水过后大桥关闭</h1>"),
        ("Паводок закрыл мост — Курьер", "<h1>Паводок закрыл мост</h1>"),
        ("الفيضان يغلق الجسر", "<h1>الفيضان يغلق الجسر</h1>"),
    ],
)
def test_headline_is_in_the_text_only_if_it_is_among_the_parts(title: str, headline: str) -> None:
    without, with_headline = both_texts(f"<title>{title}</title><main>{headline}{BODY}</main>")
    assert without.startswith("The bridge was closed")
    assert with_headline.partition("\n\n")[2] == without
    wanted = headline.partition(">")[2].rpartition("<")[0]
    assert with_headline.startswith(wanted)


def test_og_title_tells_the_headline_if_the_title_tag_does_not() -> None:
    html = (
        '<title>Courier</title><meta property="og:title" content="Flood closes the bridge">'
        f"<main><h1>News from the county</h1><h2>Flood closes the bridge</h2>{BODY}</main>"
    )
    headlines = [block.text for block in extract(html).blocks if block.role == "headline"]
    assert headlines == ["Flood closes the bridge"]


def test_repeated_headline_is_there_once() -> None:
    headline = "Flood closes the bridge"
    html = (
        f"<title>{headline}</title><p>{headline}</p><main><h1>{headline}</h1>{BODY}"
        f"<h3>{headline}</h3></main>"
    )
    without, with_headline = both_texts(html)
    assert headline not in without
    assert with_headline.count(headline) == 1


def test_headline_that_the_method_drops_can_be_added() -> None:
    html = (
        "<title>Flood closes the bridge</title><header><nav><a href=/>Home</a></nav>"
        f"<h1>Flood closes the bridge</h1></header><article>{BODY}</article>"
    )
    assert both_texts(html)[1].startswith("Flood closes the bridge\n\nThe bridge was closed")


def test_sentence_of_the_article_that_begins_like_the_title_stays() -> None:
    first = (
        "<p>Flood closes the bridge, the council said on Monday, and nobody knows when it will be"
        " open again for the traffic of the harbour.</p>"
    )
    html = f"<title>Flood closes the bridge</title><h1>Flood closes the bridge</h1>{first}{BODY}"
    assert extract(html).text.startswith("Flood closes the bridge, the council said")


def test_headings_inside_of_the_article_are_no_headlines() -> None:
    html = f"<title>Flood</title><h1>Flood</h1>{BODY}<h2>What comes next</h2>{BODY}"
    roles = [(block.role, block.text) for block in extract(html).blocks if block.level]
    assert roles == [("headline", "Flood"), ("heading", "What comes next")]
