"""Templates: escaping, placeholders and links."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.reports.templating import as_data, as_html, fill, link


@given(st.text(alphabet=st.sampled_from("<>&\"'/!-={}scriptx \u2028\ud800"), max_size=40))
def test_escaped_text_contains_no_markup(text: str) -> None:
    shown = as_html(text)
    assert not set("<>\"'") & set(shown)
    shown.encode()
    assert not set("<>&") & set(as_data({"text": text}))
    assert json.loads(as_data(text)) == text


def test_fill_does_not_replace_placeholders_in_values() -> None:
    values = dict.fromkeys(
        (
            *("title", "figures", "suspects", "plots", "sites", "pages"),
            *("suspects_title", "more_suspects", "rules"),
        ),
        "{{style}}",
    )
    written = fill(
        "crawl.html", {**values, "sampled": "{{title}}", "kind": ""}, style="b { color: red }"
    )
    assert written.count("{{style}}") == 10
    assert written.count("b { color: red }") == 1


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///x", "//x", "http://[", ""])
def test_link_is_only_made_for_http_urls(url: str) -> None:
    assert link(url) == url
    assert link("https://x.example/?a='&b") == (
        '<a href="https://x.example/?a=&#x27;&amp;b" rel="noopener noreferrer">'
        "https://x.example/?a=&#x27;&amp;b</a>"
    )
