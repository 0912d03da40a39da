"""The headline is the row that is most like the titles of the page, and is there once."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.elements import ELEMENT_CODES
from scrapy_cetr.extraction.options import DEFAULT_PARTS
from scrapy_cetr.extraction.roles.headline import HeadlineRows, find_headline

BODY = "".join(
    f"<p>The {place} was closed on Monday, and the council said that it would stay so, because the"
    f" water had not fallen as fast as everyone had hoped.</p>"
    for place in ("bridge", "harbour", "market", "station")
)
SENTENCES = "The bridge was closed on Monday, because the water had not fallen. " * 3
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


@pytest.mark.parametrize(
    "repetition",
    [
        "<h2>Flood closes - the bridge</h2>",
        "<h5>FLOOD CLOSES THE BRIDGE:</h5>",
        "<p>“Flood closes the bridge”</p>",
    ],
)
def test_heading_that_repeats_the_headline_in_other_punctuation_is_left_out(
    repetition: str,
) -> None:
    html = (
        "<title>Flood closes the bridge</title><main><h1>Flood closes the bridge</h1>"
        f"{BODY}{repetition}{BODY}</main>"
    )
    without, with_headline = both_texts(html)
    assert "closes" not in without.lower()
    assert with_headline.lower().count("closes") == 1


def headline_of(html: str) -> list[str]:
    return [block.text for block in extract(html).blocks if block.role == "headline"]


def test_entry_of_a_breadcrumb_is_no_headline() -> None:
    html = (
        "<title>Flood closes the bridge</title><ol><li><a href=/>Home</a><li><a href=/n>News</a>"
        "<li>Flood closes the bridge</ol><main><h3>Flood closes the bridge</h3>"
        f"{BODY}</main>"
    )
    assert both_texts(html)[1].startswith("Flood closes the bridge\n\nThe bridge was closed")


def test_main_heading_is_preferred_to_a_heading_of_a_part_that_is_like_the_title() -> None:
    html = (
        "<title>How the flood closed the bridge - Courier</title>"
        f"<main><h1>How the bridge was closed by the flood</h1>{BODY}"
        f"<h2>How the flood closed the bridge</h2>{BODY}</main>"
    )
    assert headline_of(html) == ["How the bridge was closed by the flood"]


def test_site_name_in_a_main_heading_is_no_headline() -> None:
    html = (
        "<title>Flood closes the bridge | Daily Courier</title><h1>Daily Courier</h1>"
        f"<main><h2>Flood closes the bridge</h2>{BODY}</main>"
    )
    assert headline_of(html) == ["Flood closes the bridge"]
    assert extract(html).title == "Flood closes the bridge"


def test_hidden_main_heading_is_no_headline() -> None:
    html = (
        "<title>Flood closes the bridge | Courier</title>"
        '<h1 style="display:none">Flood closes the bridge | Courier</h1>'
        f"<main><h2>Flood closes the bridge</h2>{BODY}</main>"
    )
    assert both_texts(html)[1].startswith("Flood closes the bridge\n\nThe bridge was closed")


def test_title_is_that_of_the_headline_above_the_article() -> None:
    html = (
        f"<title>Courier</title><main><h2>Flood closes the bridge</h2>{BODY}</main>"
        "<aside><h1>Flood in the county of Courier</h1></aside>"
    )
    title = extract(html.replace("<h2>", "<h1>").replace("</h2>", "</h1>")).title
    assert title == "Flood closes the bridge"


def test_line_breaks_in_a_headline_are_spaces_in_the_title() -> None:
    html = f"<title>Flood closes the bridge</title><h1>Flood<br>closes<br>the bridge</h1>{BODY}"
    assert extract(html).title == "Flood closes the bridge"


def found_row(rows: list[tuple[str, str, bool]], title: str) -> int:
    """Return the row of the headline among rows with an element, a text, and whether it is kept."""
    texts = [text for _, text, _ in rows]
    candidates = HeadlineRows(
        texts=texts,
        code=np.array([ELEMENT_CODES[element] for element, _, _ in rows], np.int8),
        chars=np.array([len(text) for text in texts], np.int32),
        keep=np.array([is_kept for _, _, is_kept in rows]),
        is_item=np.zeros(len(rows), np.bool_),
    )
    return find_headline(candidates, titles=[title]).row


def test_main_heading_below_a_caption_is_found_if_the_title_differs_slightly() -> None:
    caption = (
        "p",
        "The bridge over the river was closed on Monday, after the water rose " * 2,
        True,
    )
    heading = ("h1", "Flood closes the bridge to town", False)
    text = ("p", SENTENCES, True)
    assert found_row([caption, heading, text], "Flood closes the bridges to town | Courier") == 1


def test_headline_in_a_table_above_the_text_is_found() -> None:
    fields = [("td", f"Field {field}", True) for field in range(14)]
    subject = ("td", "Flood closes the bridge", True)
    assert found_row([*fields, subject, ("p", SENTENCES, True)], "Flood closes the bridge") == 14


def test_headline_can_be_longer_than_the_titles() -> None:
    long = (
        "Flood closes the bridge: what we know about the water, the people who were brought to the"
        " other bank by boat, the school that stays closed, and the repairs that the town has"
        " planned"
    )
    html = f"<title>Flood closes the bridge to the town | Courier</title><h1>{long}</h1>{BODY}"
    default, asked = both_texts(html)
    assert default.startswith("The bridge was closed")
    assert asked.startswith(f"{long}\n\nThe bridge was closed")


def test_copy_of_the_headline_without_its_source_is_left_out() -> None:
    html = (
        "<title>Flood closes the bridge (From Courier)</title>"
        '<meta property="og:title" content="Flood closes the bridge">'
        "<h1>Flood closes the bridge (From Courier)</h1>"
        f"<article><h3>Flood closes the bridge</h3>{BODY}</article>"
    )
    default, asked = both_texts(html)
    assert "Flood closes" not in default
    assert asked.count("Flood closes") == 1
