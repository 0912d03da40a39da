"""page_report: its data and figures, and that the file is self-contained."""

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

from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.page_report import MAX_ROWS, page_report
from testkit.hostile import TRAPS, hostile_page

STORY = Path(__file__).parents[2] / "example_project/site/news/harbour-bridge.html"


def report(html: str | bytes, url: str | None = None, **options: Any) -> str:
    return page_report(explain(html, url=url, options=make_options(options)))


def data_of(written: str) -> dict[str, Any]:
    _, after = written.split('<script type="application/json" id="data">')
    found: dict[str, Any] = json.loads(after.partition("</script>")[0])
    return found


@pytest.mark.parametrize("method", METHODS)
def test_page_report_data_are_those_of_the_verdict(method: str) -> None:
    explained = explain(STORY.read_bytes(), url=None, options=make_options({"method": method}))
    data = data_of(page_report(explained))
    assert data["keep"] == explained.keep.astype(int).tolist()
    assert data["chars"] == explained.page.rows.chars.tolist()
    assert np.allclose(data["score"], explained.verdict.score, rtol=1e-5)
    assert np.allclose(data["cetr"]["slope"], explained.cetr.trace["slope"], rtol=1e-5)
    assert len(data["centroids"]) == 3


def test_page_report_replaces_infinite_scores_by_the_lowest_and_highest() -> None:
    explained = explain("<p>a<p>b<p>c<p>d", url=None, options=make_options({}))
    score = np.array([-np.inf, -3.0, np.nan, np.inf])
    data = data_of(page_report(replace(explained, verdict=replace(explained.verdict, score=score))))
    assert data["score"] == [-3, -3, -3, 1]


def test_page_report_shows_traces_with_a_value_per_row_as_columns() -> None:
    explained = explain("<p>a<p>b<p>c", url=None, options=make_options({"method": "cetr"}))
    trace = {
        **explained.verdict.trace,
        "depth": np.array([1, 2, 3]),
        "likely": np.array([0.25, np.nan, 1]),
        "inside": np.array([True, False, True]),
        "label": ["body", "headline", "<caption>"],
        "parts": [[1], [1, 2], []],
        "one number": 3.5,
        "too few": np.array([1, 2]),
        "a table": np.zeros((3, 2)),
    }
    verdict = replace(explained.verdict, trace=trace)
    columns = data_of(page_report(replace(explained, verdict=verdict)))["columns"]
    assert columns == {
        "role": ["paragraph"] * 3,
        "share in links": [0, 0, 0],
        "depth": [1, 2, 3],
        "likely": [0.25, None, 1],
        "inside": [1, 0, 1],
        "label": ["body", "headline", "<caption>"],
        "parts": ["[1]", "[1, 2]", "[]"],
    }


def test_page_report_figures_are_those_of_the_article() -> None:
    explained = explain(STORY.read_bytes(), url=None, options=make_options({}))
    figures = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page_report(explained))
    chars = explained.page.rows.chars
    assert dict(figures) == {
        "method": "learned",
        "probability": f"{explained.article.probability:.2f}",
        "kind": f"article ({explained.article.kind_probability:.2f})",
        "words kept": f"{explained.article.words}",
        "of words on the page": f"{explained.page.words.sum()}",
        "of its characters kept": f"{chars[explained.keep].sum() / chars.sum():.0%}",
        "rows kept": f"{explained.keep.sum()} of {len(explained.page.rows)}",
    }


def test_page_report_policy_allows_only_its_own_script_and_style() -> None:
    written = report(STORY.read_bytes())
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', written)
    for element, directive in (("style", "style-src"), ("script", "script-src")):
        (code,) = re.findall(rf"<{element}>(.*?)</{element}>", written, re.DOTALL)
        digest = b64encode(sha256(code.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; ")


def test_page_report_loads_nothing() -> None:
    written = report(STORY.read_bytes(), url="https://news.example/bridge")
    assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^\s"'>)]+)""", written) == [
        "#rows",
        "https://news.example/bridge",
    ]


@pytest.mark.parametrize("trap", TRAPS)
def test_page_report_of_a_hostile_page_is_written_in_time(trap: str) -> None:
    start = process_time()
    data = data_of(report(hostile_page(trap, 200_000)))
    assert process_time() - start < 3
    assert 0 < len(data["keep"]) <= MAX_ROWS


def test_page_report_shows_only_the_first_of_too_many_rows() -> None:
    written = report("<p>x" * (MAX_ROWS + 1))
    data = data_of(written)
    assert f"Only the first {MAX_ROWS:,} of {MAX_ROWS + 1:,} rows are shown." in written
    assert len(data["score"]) == written.count("<li ") == MAX_ROWS
    assert not data["live"]


def test_page_report_notes_empty_truncated_and_short_articles() -> None:
    assert "Nothing on this page was kept." in report("<p></p>")
    assert "only its beginning is read" in report("<p>word</p>", max_size=5)
    assert "fewer words than min_words" in report("<p>word</p>", min_words=5)


def test_page_report_title_falls_back_to_the_url() -> None:
    assert "<title>https://x.example/ · " in report("<p>word</p>", url="https://x.example/")
    assert "<title>Harbour &lt;b&gt; · " in report("<title>Harbour <b></title><p>word</p>")
