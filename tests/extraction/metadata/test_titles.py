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
def test_the_name_of_the_site_is_taken_off(title: str) -> None:
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
def test_signs_inside_of_a_headline_stay(title: str) -> None:
    assert title_of(f"{SITE}<title>{title} | The Harbour Courier</title>") == title
    assert title_of(f"<title>{title}</title><h1>{title}</h1>") == title


def test_the_headline_on_the_page_is_better_than_what_the_head_says() -> None:
    html = (
        "<title>Bridge closed for repair works, city says</title><h1>City says bridge closed</h1>"
    )
    assert title_of(html) == "City says bridge closed"


def test_of_several_headlines_the_one_of_the_article_counts() -> None:
    html = (
        f"{SITE}<title>Bridge closed until May | The Harbour Courier</title>"
        "<h1>The Harbour Courier</h1><h1>Most read</h1><h1>Bridge closed until May</h1>"
    )
    assert title_of(html) == "Bridge closed until May"


def test_the_name_of_the_site_as_headline_is_none() -> None:
    html = f"{SITE}<h1>The Harbour Courier</h1><h2>Bridge closed until May</h2>"
    assert title_of(f"<title>Bridge closed until May</title>{html}") == "Bridge closed until May"


def test_a_headline_that_has_nothing_to_do_with_the_title_is_that_of_a_column() -> None:
    html = "<title>Bridge closed until May</title><h1>Opinion</h1><p>It was a long day.</p>"
    assert title_of(html) == "Bridge closed until May"


def test_a_date_before_the_headline_is_taken_off() -> None:
    html = "<title>Bridge closed until May</title><h1>Dec 18 2025 Bridge closed until May</h1>"
    assert title_of(html) == "Bridge closed until May"


def test_a_headline_that_was_cut_off_is_completed() -> None:
    script = '{"@type": "Article", "headline": "Bridge closed until …"}'
    html = (
        f"<script type='application/ld+json'>{script}</script>"
        "<title>Bridge closed until the middle of May</title>"
    )
    assert title_of(html) == "Bridge closed until the middle of May"


def test_words_of_a_headline_are_neither_joined_nor_split() -> None:
    assert (
        title_of("<h1>Bridge<br>closed <b>un</b>til\n May&nbsp;5</h1>")
        == "Bridge closed until May 5"
    )


def test_a_script_in_a_headline_is_not_read() -> None:
    assert (
        title_of("<h1>Bridge closed<script>x()</script><style>a{}</style></h1>") == "Bridge closed"
    )


def test_titles_of_pictures_are_not_that_of_the_page() -> None:
    html = "<svg><title>Menu</title></svg><title>Bridge closed</title>"
    assert title_of(f"<title>Bridge closed</title>{html}") == "Bridge closed"
