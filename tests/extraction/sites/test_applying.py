"""Rules applied to pages: rows, parts of rows, metadata, options, and what matches nothing."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_cetr.extraction.article import Article, extract
from scrapy_cetr.extraction.sites.applying import declared_url
from scrapy_cetr.extraction.sites.rules import SiteRules
from testkit.site_pages import BOX, STORIES, story_page

URL = "https://www.courier.example/harbour.html"
TEXT = "\n\n".join(STORIES["harbour"])
PAGE = """<title>Harbour | The Courier</title><h1>Harbour</h1>
<p class=by>Text: <a>Ann Lee</a> and <a>Bo Wu</a></p><i class=when datetime="2024-05-01">May</i>
<div class=story><p>It was a long day at the harbour <span class=tag>(TAG)</span> for everybody, and
nobody went home before the last boat had come in.</p>
<p>The weather was as bad as it had been forecast, and the ferry stayed in port.</p></div>"""


def extracted(html: str, **rule: Any) -> Article:
    return extract(html, url=URL, sites=SiteRules({"courier.example": rule}))


def test_page_without_a_rule_is_left_as_it_is() -> None:
    sites = SiteRules({"other.example": {"drop": "p"}})
    assert extract(story_page("harbour"), url=URL, sites=sites) == extract(
        story_page("harbour"), url=URL
    )


def test_dropped_elements_leave_the_text_and_all_formats() -> None:
    article = extracted(story_page("harbour"), drop=".box-text")
    assert article.text == TEXT
    assert BOX[0] not in article.markdown
    assert BOX[0] not in article.html
    assert not any(BOX[0] in block.text for block in article.blocks)


def test_element_inside_of_a_row_is_dropped_alone() -> None:
    article = extracted(PAGE, drop=".tag")
    assert "at the harbour for everybody" in " ".join(article.text.split())
    assert "TAG" not in article.markdown


def test_kept_elements_are_in_the_text_whatever_their_role() -> None:
    assert extracted(story_page("harbour"), keep="h1", drop=".box-text").text == (
        f"The harbour\n\n{TEXT}"
    )


def test_body_is_the_article_and_nothing_else() -> None:
    assert extracted(story_page("harbour"), body=".story").text == TEXT
    # Where the page has no such element, the method decides.
    assert (
        extracted(story_page("harbour"), body=".none").text == extract(story_page("harbour")).text
    )


def test_drop_overrides_keep_and_body() -> None:
    article = extracted(story_page("harbour"), body=".page", keep="p", drop=".box-text, h1")
    assert article.text == TEXT


def test_metadata_are_selected() -> None:
    article = extracted(PAGE, title="h1", authors=".by a", date=".when")
    assert (article.title, article.authors) == ("Harbour", ("Ann Lee", "Bo Wu"))
    assert (article.date_published, article.date_published_raw) == ("2024-05-01", "2024-05-01")
    assert {article.sources[name] for name in ("title", "authors", "date_published")} == {
        "site-rule"
    }


def test_metadata_that_a_page_lacks_are_found_as_without_a_rule() -> None:
    article, plain = extracted(PAGE, title=".none", date="h1"), extract(PAGE, url=URL)
    assert (article.title, article.date_published) == (plain.title, plain.date_published)


def test_options_of_a_rule_override_those_given() -> None:
    article = extracted(PAGE, method="cetr", min_words=1000)
    assert (article.method, article.short) == ("cetr", True)


def test_article_names_its_rules_and_what_matches_nothing() -> None:
    article = extracted(PAGE, drop=[".tag", ".none"], keep="em")
    assert article.site_rules == ("courier.example",)
    assert article.unmatched_selectors == (
        "courier.example: keep em",
        "courier.example: drop .none",
    )


@pytest.mark.parametrize("method", ["learned", "cetr", "coreex", "qread", "lineblock"])
@pytest.mark.parametrize("rows", ["blocks", "lines"])
def test_rules_work_with_all_methods_and_rows(method: str, rows: str) -> None:
    article = extracted(story_page("harbour"), drop=".box-text", method=method, rows=rows)
    assert BOX[0] not in article.text


def test_url_is_found_in_the_page() -> None:
    assert declared_url(story_page("harbour")) == URL
    assert declared_url("<p>" * 100_000) is None
    assert declared_url("<link rel=canonical " * 20_000) is None
