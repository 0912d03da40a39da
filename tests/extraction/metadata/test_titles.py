"""The headline of a page, without the name of its site."""

import pytest

from scrapy_cetr.extraction.metadata import read_metadata

URL = "https://www.harbourcourier.example/news/1"
SITE = '<meta property="og:site_name" content="The Harbour Courier">'


def title_of(html: str) -> str | None:
    return read_metadata(html, url=URL).title


@pytest.mark.parametrize(
    "title",
    [
        "Bridge closed | The Harbour Courier",
        "Bridge closed - The Harbour Courier",
        "Bridge closed – The Harbour Courier",
        "Bridge closed — The Harbour Courier",
        "Bridge closed :: The Harbour Courier",
        "The Harbour Courier: Bridge closed",
        "The Harbour Courier | Bridge closed",
        "Bridge closed » The Harbour Courier",
        "Bridge closed - The Harbour Courier News",
        "Bridge closed - Harbour Courier",
    ],
)
def test_title_excludes_the_site_name(title: str) -> None:
    assert title_of(f"{SITE}<title>{title}</title>") == "Bridge closed"


@pytest.mark.parametrize(
    "title",
    [
        "Bridge closed - for how long?",
        "Ferry: no boats until Monday",
        "Re-opening of the well-known bridge",
        "C/O the harbour master",
    ],
)
def test_title_keeps_separators_inside_of_a_headline(title: str) -> None:
    assert title_of(f"{SITE}<title>{title} | The Harbour Courier</title>") == title
    assert title_of(f"<title>{title}</title><h1>{title}</h1>") == title


def test_title_prefers_the_visible_headline_to_the_title_tag() -> None:
    html = (
        "<title>Bridge closed for repair works, city says</title><h1>City says bridge closed</h1>"
    )
    assert title_of(html) == "City says bridge closed"


def test_title_is_the_h1_most_similar_to_the_title_tag() -> None:
    html = (
        f"{SITE}<title>Bridge closed until May | The Harbour Courier</title>"
        "<h1>The Harbour Courier</h1><h1>Most read</h1><h1>Bridge closed until May</h1>"
    )
    assert title_of(html) == "Bridge closed until May"


def test_title_is_an_h2_if_the_h1_is_the_site_name() -> None:
    html = f"{SITE}<h1>The Harbour Courier</h1><h2>Bridge closed until May</h2>"
    assert title_of(f"<title>Bridge closed until May</title>{html}") == "Bridge closed until May"


def test_title_is_not_an_h1_without_words_of_the_title_tag() -> None:
    html = "<title>Bridge closed until May</title><h1>Opinion</h1><p>It was a long day.</p>"
    assert title_of(html) == "Bridge closed until May"


def test_title_excludes_a_date_before_the_headline() -> None:
    html = "<title>Bridge closed until May</title><h1>Dec 18 2025 Bridge closed until May</h1>"
    assert title_of(html) == "Bridge closed until May"


def test_title_completes_a_truncated_headline() -> None:
    script = '{"@type": "Article", "headline": "Bridge closed until …"}'
    html = (
        f"<script type='application/ld+json'>{script}</script>"
        "<title>Bridge closed until the middle of May</title>"
    )
    assert title_of(html) == "Bridge closed until the middle of May"


def test_title_has_the_words_of_the_headline_as_rendered() -> None:
    assert (
        title_of("<h1>Bridge<br>closed <b>un</b>til\n May&nbsp;5</h1>")
        == "Bridge closed until May 5"
    )


def test_title_excludes_scripts_and_styles_in_the_headline() -> None:
    assert (
        title_of("<h1>Bridge closed<script>x()</script><style>a{}</style></h1>") == "Bridge closed"
    )


def test_title_is_not_the_title_of_an_svg_image() -> None:
    html = "<svg><title>Menu</title></svg><title>Bridge closed</title>"
    assert title_of(f"<title>Bridge closed</title>{html}") == "Bridge closed"
