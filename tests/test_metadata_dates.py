"""When a page was published and changed, and that the two are not mixed up."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction.metadata import Metadata, read_metadata
from scrapy_cetr.extraction.metadata.calendar import parse_date

URL = "https://courier.example/news/1"
STORY = "<p>The bridge was closed on Monday, and nobody could say for how long.</p>" * 3


def read(html: str, url: str = URL) -> Metadata:
    return read_metadata(f"<h1>Bridge closed</h1>{html}{STORY}", url=url)


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2025-12-19", "2025-12-19"),
        ("2025-12-19T10:30:00Z", "2025-12-19T10:30:00+00:00"),
        ("2025-12-19T10:30:00.123+01:00", "2025-12-19T10:30:00+01:00"),
        ("2025-12-19T10:30:00-0500", "2025-12-19T10:30:00-05:00"),
        ("2025-12-19 10:30", "2025-12-19T10:30:00"),
        ("20251219", "2025-12-19"),
        ("1766138400", "2025-12-19T10:00:00+00:00"),
        ("Fri, 19 Dec 2025 10:30:00 +0100", "2025-12-19"),
        ("December 19, 2025", "2025-12-19"),
        ("Dec. 19th, 2025", "2025-12-19"),
        ("19 December 2025", "2025-12-19"),
        ("19. Dezember 2025", "2025-12-19"),
        ("19 décembre 2025", "2025-12-19"),
        ("19 de diciembre de 2025", "2025-12-19"),
        ("19 декабря 2025", "2025-12-19"),
        ("2025年12月19日", "2025-12-19"),
        ("2025년 12월 19일", "2025-12-19"),
        ("19.12.2025", "2025-12-19"),
        ("12/19/2025", "2025-12-19"),
        ("Published on May 4, 2024 at noon", "2024-05-04"),
        # Nothing.
        ("2025-13-45", None),
        ("1888-01-01", None),
        ("February 30, 2024", None),
        ("Bridge 5, 2024", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_as_they_are_written(written: str, iso: str | None) -> None:
    assert (parse_date(written) or "")[: len(iso or "")] == (iso or "")
    assert (parse_date(written) is None) == (iso is None)


def test_only_americans_write_the_month_first() -> None:
    assert parse_date("03/04/2025") == "2025-03-04"
    assert parse_date("03/04/2025", month_first=False) == "2025-04-03"
    assert parse_date("03.04.2025") == "2025-04-03"
    british = "<html lang=en-GB><h1>Bridge closed</h1><p>03/04/2025</p>"
    assert read_metadata(british).date_published == "2025-04-03"


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2099, 12, 31)))
def test_iso_dates_are_kept(moment: datetime) -> None:
    written = moment.replace(microsecond=0).isoformat()
    assert parse_date(written) == written


@given(st.text(max_size=60))
def test_any_text_has_a_date_or_none(text: str) -> None:
    found = parse_date(text)
    assert found is None or datetime.fromisoformat(found)


# Publication and change


@pytest.mark.parametrize(
    "html",
    [
        '<time datetime="2025-03-01">x</time> <p>Updated <time datetime="2025-03-09">x</time>',
        '<p>Updated <time datetime="2025-03-09">x</time></p><time datetime="2025-03-01">x</time>',
        '<p class="date">Published March 1, 2025</p><p class="date">Last updated March 9, 2025</p>',
        "<p>March 1, 2025 | Updated: March 9, 2025</p>",
        '<meta name="date" content="2025-03-01"><meta name="last-modified" content="2025-03-09">',
    ],
)
def test_the_last_change_is_not_the_publication(html: str) -> None:
    found = read(html)
    assert found.date_published == "2025-03-01"
    assert (found.date_modified or "")[:10] in ("2025-03-09", "")


def test_a_page_that_tells_only_its_last_change_has_no_date_of_publication() -> None:
    found = read('<p class="date">Updated March 9, 2025</p>')
    assert (found.date_published, found.date_modified) == (None, "2025-03-09")
    assert found.date_modified_raw == "Updated March 9, 2025"


def test_what_the_machinery_of_a_site_calls_published_on_the_day_of_change() -> None:
    thing = {"@type": "Article", "datePublished": "2025-06-24", "dateModified": "2025-06-24"}
    script = f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    assert read(script).date_published == "2025-06-24"
    assert read(f"{script}<p>August 25, 2024</p>").date_published == "2024-08-25"


@pytest.mark.parametrize(
    "html",
    [
        '<div class="comments"><time datetime="2025-05-05">x</time> Nice!</div>',
        '<div class="related"><span class="date">May 5, 2025</span></div>',
        "<p>Register until May 5, 2025</p>",
        "<p>© 2025</p>",
        f"{STORY * 8}<p>On May 5, 2025, the bridge was opened.</p>",
    ],
)
def test_other_days_are_not_that_of_publication(html: str) -> None:
    assert read(html).date_published is None


def test_teasers_with_several_dates_are_not_the_article() -> None:
    teasers = "".join(f'<p class="date">May {n}, 2025</p>' for n in range(1, 6))
    assert read(f"{STORY * 8}{teasers}").date_published is None


def test_the_address_may_tell_the_day() -> None:
    found = read("", url="https://courier.example/2025/03/01/bridge-closed")
    assert found.date_published == "2025-03-01"
    assert found.sources["date_published"] == "url"
    assert read("", url="https://courier.example/2025/bridge").date_published is None
