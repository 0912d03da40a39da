"""The report of a page as a file: complete, self-contained, and nothing in it unescaped."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.page_report import MAX_ROWS, page_report
from scrapy_cetr.reports.templating import as_data, as_html, fill, link
from testkit.hostile import TRAPS, hostile_page

STORY = Path(__file__).parents[2] / "example_project/site/news/harbour-bridge.html"


def report(html: str | bytes, url: str | None = None, **options: Any) -> str:
    return page_report(explain(html, url=url, options=make_options(options)))


def data_of(written: str) -> dict[str, Any]:
    _, behind = written.split('<script type="application/json" id="data">')
    found: dict[str, Any] = json.loads(behind.partition("</script>")[0])
    return found


@pytest.mark.parametrize("method", METHODS)
def test_the_data_are_those_of_the_verdict(method: str) -> None:
    judged = explain(STORY.read_bytes(), url=None, options=make_options({"method": method}))
    data = data_of(page_report(judged))
    assert data["keep"] == judged.keep.astype(int).tolist()
    assert data["chars"] == judged.page.rows.chars.tolist()
    assert np.allclose(data["score"], judged.verdict.score, rtol=1e-5)
    assert np.allclose(data["cetr"]["slope"], judged.cetr.trace["slope"], rtol=1e-5)
    assert len(data["centroids"]) == 3


def test_scores_without_bounds_are_drawn_as_the_lowest_and_highest() -> None:
    judged = explain("<p>a<p>b<p>c<p>d", url=None, options=make_options({}))
    score = np.array([-np.inf, -3.0, np.nan, np.inf])
    data = data_of(page_report(replace(judged, verdict=replace(judged.verdict, score=score))))
    assert data["score"] == [-3, -3, -3, 1]


def test_whatever_a_method_notes_for_each_row_is_a_column() -> None:
    judged = explain("<p>a<p>b<p>c", url=None, options=make_options({"method": "cetr"}))
    trace = {
        **judged.verdict.trace,
        "depth": np.array([1, 2, 3]),
        "likely": np.array([0.25, np.nan, 1]),
        "inside": np.array([True, False, True]),
        "label": ["body", "headline", "<caption>"],
        "parts": [[1], [1, 2], []],
        "one number": 3.5,
        "too few": np.array([1, 2]),
        "a table": np.zeros((3, 2)),
    }
    verdict = replace(judged.verdict, trace=trace)
    columns = data_of(page_report(replace(judged, verdict=verdict)))["columns"]
    assert columns == {
        "share in links": [0, 0, 0],
        "depth": [1, 2, 3],
        "likely": [0.25, None, 1],
        "inside": [1, 0, 1],
        "label": ["body", "headline", "<caption>"],
        "parts": ["[1]", "[1, 2]", "[]"],
    }


def test_the_headline_figures_are_those_of_the_article() -> None:
    judged = explain(STORY.read_bytes(), url=None, options=make_options({}))
    figures = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page_report(judged))
    chars = judged.page.rows.chars
    assert dict(figures) == {
        "method": "learned",
        "probability": f"{judged.article.probability:.2f}",
        "words kept": f"{judged.article.words}",
        "of words on the page": f"{judged.page.words.sum()}",
        "of its characters kept": f"{chars[judged.keep].sum() / chars.sum():.0%}",
        "rows kept": f"{judged.keep.sum()} of {len(judged.page.rows)}",
    }


def test_the_policy_allows_the_script_and_the_style_of_the_report_alone() -> None:
    written = report(STORY.read_bytes())
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', written)
    for element, directive in (("style", "style-src"), ("script", "script-src")):
        (code,) = re.findall(rf"<{element}>(.*?)</{element}>", written, re.DOTALL)
        digest = b64encode(sha256(code.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; ")


def test_nothing_is_loaded_from_anywhere() -> None:
    written = report(STORY.read_bytes(), url="https://news.example/bridge")
    assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^\s"'>)]+)""", written) == [
        "#rows",
        "https://news.example/bridge",
    ]


@given(st.text(alphabet=st.sampled_from("<>&\"'/!-={}scriptx \u2028\ud800"), max_size=40))
def test_no_text_of_a_page_becomes_markup(text: str) -> None:
    shown = as_html(text)
    assert not set("<>\"'") & set(shown)
    shown.encode()
    assert not set("<>&") & set(as_data({"text": text}))
    assert json.loads(as_data(text)) == text


def test_places_in_what_is_put_in_stay_as_they_are() -> None:
    values = dict.fromkeys(("title", "figures", "suspects", "plots", "sites", "pages"), "{{style}}")
    written = fill(
        "survey.html", {**values, "sampled": "{{title}}", "kind": ""}, style="b { color: red }"
    )
    assert written.count("{{style}}") == 7
    assert written.count("b { color: red }") == 1


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///x", "//x", "http://[", ""])
def test_only_web_addresses_become_links(url: str) -> None:
    assert link(url) == url
    assert link("https://x.example/?a='&b") == (
        '<a href="https://x.example/?a=&#x27;&amp;b" rel="noopener noreferrer">'
        "https://x.example/?a=&#x27;&amp;b</a>"
    )


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_a_report_in_time(trap: str) -> None:
    start = process_time()
    data = data_of(report(hostile_page(trap, 200_000)))
    assert process_time() - start < 3
    assert 0 < len(data["keep"]) <= MAX_ROWS


def test_of_too_many_rows_only_the_first_are_shown() -> None:
    written = report("<p>x" * (MAX_ROWS + 1))
    data = data_of(written)
    assert f"Only the first {MAX_ROWS:,} of {MAX_ROWS + 1:,} rows are shown." in written
    assert len(data["score"]) == written.count("<li ") == MAX_ROWS
    assert not data["live"]


def test_what_is_not_as_expected_is_noted() -> None:
    assert "Nothing on this page was kept." in report("<p></p>")
    assert "only its beginning is read" in report("<p>word</p>", max_size=5)
    assert "fewer words than min_words" in report("<p>word</p>", min_words=5)


def test_a_title_that_is_missing_is_made_up_for_by_the_address() -> None:
    assert "<title>https://x.example/ · " in report("<p>word</p>", url="https://x.example/")
    assert "<title>Harbour &lt;b&gt; · " in report("<title>Harbour <b></title><p>word</p>")
