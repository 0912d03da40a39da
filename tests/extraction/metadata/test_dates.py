"""The publication date and the modification date of a page, and their parsing."""

import json
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction.metadata import Metadata, read_metadata
from scrapy_cetr.extraction.metadata.date_parsing import parse_date

URL = "https://courier.example/news/1"
# The documented shape: a day, a time with seconds, and a zone.
SHAPE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d)?)?")
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
        ("2025 Dec 19", "2025-12-19"),
        ("2025. december 19.", "2025-12-19"),
        ("19.12.2025", "2025-12-19"),
        ("12/19/2025", "2025-12-19"),
        ("Published on May 4, 2024 at noon", "2024-05-04"),
        # Texts without a valid date.
        ("2025-13-45", None),
        ("1888-01-01", None),
        ("February 30, 2024", None),
        ("Bridge 5, 2024", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_parse_date_reads_common_formats(written: str, iso: str | None) -> None:
    assert (parse_date(written) or "")[: len(iso or "")] == (iso or "")
    assert (parse_date(written) is None) == (iso is None)


def test_parse_date_reads_the_month_first_only_with_slashes_in_american_pages() -> None:
    assert parse_date("03/04/2025") == "2025-03-04"
    assert parse_date("03/04/2025", month_first=False) == "2025-04-03"
    assert parse_date("03.04.2025") == "2025-04-03"
    british = "<html lang=en-GB><h1>Bridge closed</h1><p>03/04/2025</p>"
    assert read_metadata(british).date_published == "2025-04-03"


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2099, 12, 31)))
def test_parse_date_returns_iso_dates_unchanged(moment: datetime) -> None:
    written = moment.replace(microsecond=0).isoformat()
    assert parse_date(written) == written


@given(st.text(max_size=60))
def test_parse_date_returns_iso_or_none_for_any_text(text: str) -> None:
    found = parse_date(text)
    assert found is None or datetime.fromisoformat(found)


# Publication and modification


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
def test_publication_date_is_not_the_modification_date(html: str) -> None:
    found = read(html)
    assert found.date_published == "2025-03-01"
    assert (found.date_modified or "")[:10] in ("2025-03-09", "")


@pytest.mark.parametrize(
    "html",
    [
        '<p class="date">Updated March 9, 2025</p>',
        "<p>Last updated <i>on</i> <b>March 9, 2025</b></p>",
        '<p class="date">Aktualisiert am 9. März 2025</p>',
        '<p class="date">Mis à jour le 9 mars 2025</p>',
        '<p class="date">Actualizado: 9 de marzo de 2025</p>',
        '<p class="date">Обновлено: 09.03.2025</p>',
        '<p class="date">更新 2025年3月9日</p>',
        '<p class="date">수정 2025.03.09</p>',
        '<p class="date">Güncelleme: 09.03.2025</p>',
        '<meta property="article:modified_time" content="2025-03-09">',
        "<meta name=last-publish-date content=2025-03-09><meta name=lastmod content=2025-03-09>",
    ],
)
def test_modification_date_is_not_given_as_publication_date(html: str) -> None:
    found = read(html)
    assert (found.date_published, found.date_modified) == (None, "2025-03-09")


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2025-03-09", "2025-03-09"),
        ("2025-03-09T08:05Z", "2025-03-09T08:05:00+00:00"),
        ("2025-03-09T08:05:06.789+0100", "2025-03-09T08:05:06+01:00"),
        ("2025-03-09 8:05:06 +01:00", "2025-03-09T08:05:06+01:00"),
        ("2025-03-09T08:05:06+01", "2025-03-09T08:05:06+01:00"),
        ("2025-03-09T08:05:06", "2025-03-09T08:05:06"),
        ("2025-03-09T08:05:06+99:00", "2025-03-09T08:05:06"),
        ("Sun, 09 Mar 2025 08:05:06 GMT", "2025-03-09T08:05:06+00:00"),
        ("1741507506", "2025-03-09T08:05:06+00:00"),
        ("9. März 2025, 8.05 Uhr", "2025-03-09"),
    ],
)
def test_dates_have_one_shape(written: str, iso: str) -> None:
    assert (parse_date(written) or "")[:10] == iso[:10]
    assert SHAPE.fullmatch(parse_date(written) or "")
    assert datetime.fromisoformat(parse_date(written) or "")
    if "GMT" not in written:
        assert parse_date(written) == iso


def test_earlier_visible_date_replaces_equal_declared_dates() -> None:
    article = {"@type": "Article", "datePublished": "2025-06-24", "dateModified": "2025-06-24"}
    script = f'<script type="application/ld+json">{json.dumps(article)}</script>'
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
def test_publication_date_is_not_a_date_of_other_content(html: str) -> None:
    assert read(html).date_published is None


def test_publication_date_is_not_read_from_teasers_with_several_dates() -> None:
    teasers = "".join(f'<p class="date">May {n}, 2025</p>' for n in range(1, 6))
    assert read(f"{STORY * 8}{teasers}").date_published is None


def test_publication_date_is_read_from_an_empty_time_element() -> None:
    assert read(f'{STORY * 8}<time datetime="2025-03-01"></time>').date_published == "2025-03-01"


def test_publication_date_is_read_from_the_url() -> None:
    found = read("", url="https://courier.example/2025/03/01/bridge-closed")
    assert found.date_published == "2025-03-01"
    assert found.sources["date_published"] == "url"
    assert read("", url="https://courier.example/2025/bridge").date_published is None


# Dates anywhere in the page source


# Longer than the region near the headline that is parsed.
FAR = STORY * 300


@pytest.mark.parametrize(
    "html",
    [
        "<p>Posted on the 05/04/2025 at noon by Ann Lee</p>",
        '<aside><h3>Published</h3> <p><time datetime="x">May 4, 2025</time></p></aside>',
        "<div><p>Ann Lee</p><small>May 4, 2025</small></div>",
        '<script>state = {"publishedAt": "2025-05-04T10:00:00Z"}</script>',
        '<div data-page="{&quot;datePublished&quot;:&quot;2025-05-04&quot;}"></div>',
        '<script>state = "{\\"first_published\\": 1746352800}"</script>',
    ],
)
def test_single_publication_date_far_from_the_headline_counts(html: str) -> None:
    assert (read(f"{FAR}{html}").date_published or "")[:10] == "2025-05-04"
    other_date = html.replace("May 4", "May 5").replace("05/04", "05/05").replace("-04", "-05")
    both = read(f"{FAR}{html}{other_date.replace('1746352800', '1746452800')}")
    assert both.date_published is None


@pytest.mark.parametrize(
    "html",
    [
        "<!-- Last Published: Sun May 04 2025 -->",
        "<p>Prices as of <span>May 4, 2025</span>, without tax.</p>",
        "<p>Site updated:<!-- --> <!-- -->May 4, 2025</p>",
        '<script>write("<p><b>May 4, 2025</b></p>")</script>',
        '<script>state = {"expires": "2025-05-04"}</script>',
    ],
)
def test_other_dates_far_from_the_headline_do_not_count(html: str) -> None:
    assert read(f"{FAR}{html}").date_published is None


def test_footnote_number_in_a_sentence_is_not_part_of_a_date() -> None:
    sentence = f"The bridge, {'which is long, ' * 8} was opened on May 4, 2025"
    assert read(f"<p>{sentence}<sup>[1]</sup>.</p>").date_published is None


def test_json_ld_script_at_the_end_of_the_parsed_region_is_read() -> None:
    article = {"@type": "Article", "headline": "Bridge closed", "datePublished": "2025-05-04"}
    for filling in (38_000, 39_500, 39_950):
        before = f"<style>{' ' * filling}</style>"
        script = f'<script type="application/ld+json">{json.dumps(article)}</script>'
        assert read(f"{before}{script}").date_published == "2025-05-04"
