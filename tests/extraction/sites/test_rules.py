"""Rules for sites: which are accepted, what a wrong one says, and which page they apply to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.rules import PageRule, SiteRules, SiteRulesError, load_sites
from testkit.timing import in_time

RULES: dict[str, dict[str, Any]] = {
    "news.example": {"drop": ".related", "body": ".story", "favor": "precision"},
    "news.example/blog/*": {"drop": [".share"], "body": ".post", "threshold": 0.7},
    "bücher.example": {"keep": "p"},
}


def test_rule_applies_to_the_domain_and_its_subdomains() -> None:
    rules = SiteRules(RULES)
    for url in ("https://news.example", "http://WWW.news.example:8000/a?b", "//m.news.example/"):
        rule = rules.for_url(url)
        assert rule is not None
        assert rule.sites == ("news.example",)
    for other in (
        "https://othernews.example/",
        "https://example/",
        "",
        None,
        "a.html",
        "http://[x",
    ):
        assert rules.for_url(other) is None


def test_narrower_rule_adds_rows_and_overrides_the_rest() -> None:
    rule = SiteRules(RULES).for_url("https://news.example/blog/1?page=2")
    assert rule is not None
    assert rule.sites == ("news.example", "news.example/blog/*")
    assert [(one.use, one.text) for one in rule.selectors] == [
        ("drop", ".related"),
        ("drop", ".share"),
        ("body", ".post"),
    ]
    options = rule.with_options(Options(min_words=9))
    assert (options.favor, options.threshold, options.min_words) == ("precision", 0.7, 9)


def test_domain_with_other_letters_is_found_in_both_spellings() -> None:
    rules = SiteRules(RULES)
    assert rules.for_url("https://bücher.example/") == rules.for_url(
        "https://xn--bcher-kva.example/"
    )
    assert rules.for_url("https://bücher.example/") is not None


def test_rule_survives_json() -> None:
    rule = SiteRules(RULES).for_url("https://news.example/blog/1")
    assert rule is not None
    assert PageRule.from_json(json.loads(json.dumps(rule.to_json()))) == rule


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ({"news.example": {"dorp": ".ad"}}, "unknown key 'dorp'; did you mean 'drop'?"),
        ({"news.example": {"zzz": ".ad"}}, "unknown key 'zzz'; the keys are keep, drop, body"),
        ({"news.example": {"drop": "p:hover"}}, "'p:hover' is not a CSS selector that can be used"),
        ({"news.example": {"drop": 5}}, "must be a CSS selector or a list of them, not 5"),
        ({"news.example": {"drop": [""]}}, "must be a CSS selector or a list of them, not ['']"),
        ({"news.example": {"threshold": 5}}, "threshold must be a number from 0.01 to 0.99, not 5"),
        ({"news.example": ".ad"}, "must have keys such as drop and body, not '.ad'"),
        ({"https://news.example": {}}, "a site must be a domain such as 'news.example'"),
        ({"": {}}, "a site must be a domain such as 'news.example'"),
        ({"news.example": None}, "must have keys such as drop and body, not None"),
        ({"news.example": {5: "p"}}, "unknown key '5'; the keys are keep, drop, body"),
        (
            {"news.example": {"drop": {"p": 1}}},
            "must be a CSS selector or a list of them, not {'p'",
        ),
        (
            {"news.example": {"drop": ["p", 5]}},
            "must be a CSS selector or a list of them, not ['p'",
        ),
        ({"news.example": {"drop": "p["}}, "'p[' is not a CSS selector that can be used: Expected"),
        (
            {"news.example": {"drop": "p:nth-child(x)"}},
            ":nth-child() needs a number, 'odd', 'even'",
        ),
        (
            {"news.example": {"favor": ["recall"]}},
            "favor must be 'article', 'precision' or 'recall'",
        ),
        ({5: {}}, "a site must be a domain such as 'news.example'"),
        ({None: {}}, "a site must be a domain such as 'news.example'"),
        ({"::1": {}}, "a site must be a domain such as 'news.example'"),
        ({"*": {}}, "a site must be a domain such as 'news.example'"),
        ({"news..example": {}}, "a site must be a domain such as 'news.example'"),
        ({"news.example:8000": {}}, "a site must be a domain such as 'news.example'"),
        ([".ad"], "must be a dict of sites, or the path of a TOML or JSON file"),
    ],
)
def test_wrong_rule_says_what_is_accepted(rules: Any, error: str) -> None:
    with pytest.raises(SiteRulesError, match=re.escape(error)) as raised:
        SiteRules(rules)
    assert str(raised.value).startswith("CETR_SITES")


def test_rules_are_read_from_toml_and_json(tmp_path: Path) -> None:
    toml, text = tmp_path / "sites.toml", tmp_path / "sites.json"
    toml.write_text('["news.example"]\ndrop = [".related"]\n', encoding="utf-8")
    text.write_text('{"news.example": {"drop": [".related"]}}', encoding="utf-8")
    assert load_sites(toml).as_mapping == load_sites(text).as_mapping


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("sites.toml", b"[news", "is not TOML"),
        ("sites.json", b"{", "is not JSON"),
        ("sites.json", b"[]", "must have an object of sites"),
        ("sites.json", b"[" * 100_000, "is not JSON"),
        ("sites.json", b'{"a.example": {"drop": 5}}', r"drop'\] must be a CSS selector"),
        ("sites.toml", b'"a.example" = 5', "must have keys such as drop and body, not 5"),
        ("sites.toml", b'["a.example"]\ndrop = 2026-01-01', "must be a CSS selector or a list"),
        ("sites.toml", b"\xff\xfe", "is not UTF-8"),
        ("sites.toml", None, "cannot be read: No such file"),
    ],
)
def test_file_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: bytes | None, error: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SiteRulesError, match=error) as raised:
        load_sites(tmp_path / name)
    assert name in str(raised.value)


@pytest.mark.parametrize(
    ("key", "url", "applies"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/a", True),
        # An address has no subdomains.
        ("0.0.1", "http://127.0.0.1/a", False),
        ("[::1]", "http://[::1]:8000/a", True),
        ("[::1]/blog/*", "http://[::1]/blog/a", True),
        ("[::1]/blog/*", "http://[::1]/a", False),
        ("bücher.example", "https://www.xn--bcher-kva.example/", True),
        ("XN--BCHER-KVA.example", "https://BÜCHER.example/", True),
        ("news.example.", "http://news.example/", True),
        ("*.news.example", "http://news.example/", True),
        ("news.example/", "http://news.example", True),
        ("news.example/", "http://news.example/a", False),
        ("news.example/*", "http://news.example/", True),
        ("news.example/*/b", "http://news.example/a/c/b", True),
        ("news.example/*/b", "http://news.example/b", False),
        ("news.example/a*a", "http://news.example/a", False),
        ("news.example/a**a", "http://news.example/aa", True),
        ("news.example/?id=*", "http://news.example/?id=5", True),
        ("news.example/?id=*", "http://news.example/xid=5", False),
        ("news.example/(a+)+[", "http://news.example/(a+)+[", True),
        # Scrapy encodes the paths of its requests.
        ("news.example/über/*", "http://news.example/%C3%BCber/uns", True),
        ("news.example/%C3%BCber/*", "http://news.example/über/uns", True),
        ("news.example", "http://[::1", False),
        ("news.example", "news.example/a", False),
        ("news.example", "http://badnews.example/", False),
    ],
)
def test_odd_keys_apply_to_the_pages_that_they_name(key: str, url: str, applies: bool) -> None:
    found = SiteRules({key: {"drop": "p"}}).for_url(url)
    assert (found is not None) == applies


def test_pattern_with_many_stars_takes_linear_time() -> None:
    rules = SiteRules({f"news.example/{'*a' * 100}b": {"drop": "p"}})
    url = f"http://news.example/{'a' * 100_000}"
    assert in_time(1, lambda: rules.for_url(url)) is None
