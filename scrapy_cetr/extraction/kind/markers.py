"""What a page declares about itself, in its URL, its head, its JSON-LD and its class names.

The markers are words that many sites share: types of schema.org, the names of forum and
documentation software, and how developers name the parts of a shop or a thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from math import log1p
from urllib.parse import SplitResult, urlsplit

from scrapy_cetr.extraction import loops

# Words in the path and query of a URL.
_URL_WORDS = {
    "documentation": r"\bdocs?\b|document|manual|referen|\bapi\b|guide|learn|help|support|tutorial",
    "forum": r"forum|thread|topic|/t/|question|discuss|communit|comments|board",
    "product": r"product|/p/|/dp/|/item|shop|store|/buy|sku",
    "listing": r"categor|/tags?\b|/c/|collection|archive|search|/list|browse|catalog|/topics?/",
    "end of listing": r"/(?:blog|news|shop|articles|stories|jobs|index[^/]*)/?$|/page/|[?&]page=",
    "service": r"service|solution|pricing|about|feature|platform|software|industr|consult|contact",
    "article": r"blog|news|article|story|stories|post|magazine",
    "date": r"/(?:19|20)\d\d[/-]\d\d?\b",
    "login": r"log-?in|sign-?in|auth|consent|captcha|challenge",
}
_URL_PATTERNS = {name: re.compile(pattern) for name, pattern in _URL_WORDS.items()}
_URL_SHAPES = (
    *("URL", "URL depth", "URL of a home page", "URL hyphens", "URL digits", "URL length"),
    *("URL query", "URL folder"),
)
# Strings in the head, in lower case.
_HEAD_MARKERS = {
    "og:type article": ('content="article', "content='article", "content=article"),
    "og:type website": ('content="website', "content='website", "content=website"),
    "og:type product": ('content="product', "product:price", "og:price"),
    "article properties": ("article:published", "article:section", "article:author"),
    "forum software": (
        *("phpbb", "vbulletin", "xenforo", "discourse", "simple machines", "invision", "mybb"),
        *("flarum", "vanilla", "fluxbb", "nodebb", "stackexchange"),
    ),
    "documentation software": (
        *("sphinx", "mkdocs", "docusaurus", "readthedocs", "gitbook", "vuepress", "javadoc"),
        *("doxygen", "starlight", "nextra", "mdbook", "docsearch", "rustdoc", "mintlify"),
    ),
    "shop software": ("woocommerce", "shopify", "magento", "bigcommerce", "prestashop"),
    "refresh": ('http-equiv="refresh"', "http-equiv='refresh'", "http-equiv=refresh"),
    "no index": ("noindex",),
    "challenge": (
        *("cf-chl", "challenge-platform", "captcha", "turnstile", "datadome", "perimeterx"),
        *("incapsula", "ddos-guard", "awswaf", "_pxappid", "distil", "kasada"),
    ),
    "alternates": ('rel="alternate"',),
    "feed": ("application/rss+xml", "application/atom+xml"),
    "next page": ('rel="next"', 'rel="prev"'),
    "style sheets": ('rel="stylesheet"', "rel='stylesheet'", "rel=stylesheet"),
}
# schema.org types in JSON-LD.
_SCHEMA_TYPES = {
    "article": r"(?:article|blogposting|newsarticle|report|recipe|review)",
    "listing": r"(?:collectionpage|itemlist|searchresultspage|blog|listitem)",
    "product": r"(?:product|productgroup|offer|aggregateoffer|aggregaterating)",
    "forum": r"(?:discussionforumposting|qapage|question|answer|comment)",
    "documentation": r"(?:techarticle|apireference|howto)",
    "service": r"(?:service|\w*business|\w*service|softwareapplication|webapplication)",
    "questions": r"faqpage",
    "person": r"person",
    "page": r"webpage",
    "any": r"\w+",
}
_SCHEMA_PATTERNS = {name: re.compile(pattern) for name, pattern in _SCHEMA_TYPES.items()}
_TYPE = re.compile(r'"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"([a-z]{1,40})"')
# Parts of class names and ids.
_CLASS_MARKERS = {
    "cart": ("cart", "basket", "add-to", "buy", "checkout"),
    "price": ("price", "currency"),
    "product": ("product", "sku", "variant", "swatch", "quantity"),
    "rating": ("rating", "star"),
    "filter": ("filter", "facet", "sort", "refine"),
    "pages": ("pagin", "page-num", "load-more", "pager"),
    "cards": ("card", "grid", "tile", "teaser"),
    "thread": ("thread", "topic", "reply", "replies", "postbit", "forum", "upvote", "vote"),
    "member": ("member", "user", "avatar", "signature"),
    "message": ("message", "postbody", "post-body", "post_body"),
    "documentation": ("docs", "markdown", "sidebar-item", "toctree", "toc", "version", "api"),
    "code": ("highlight", "code", "prism", "language-", "snippet"),
    "hero": ("hero", "cta", "banner"),
    "service": ("testimonial", "service", "pricing", "plan", "client", "feature", "benefit"),
    "contact": ("contact", "quote", "demo", "appointment", "booking"),
    "article": ("article", "entry-content", "story", "byline", "post-content"),
    "author": ("author", "byline"),
    "comments": ("comment", "disqus"),
    "error": ("error", "404", "not-found", "notfound", "oops"),
    "login": ("login", "signin", "sign-in", "password", "auth"),
    "consent": ("consent", "cookie", "gdpr", "cmp", "privacy"),
    "paywall": ("paywall", "subscri", "premium", "regwall", "piano", "locked", "metered"),
    "challenge": ("captcha", "challenge", "cf-", "px-"),
}
MARKER_NAMES = (
    *_URL_SHAPES,
    *(f"URL of {name}" for name in _URL_WORDS),
    *(f"head: {name}" for name in _HEAD_MARKERS),
    *(f"schema: {name}" for name in _SCHEMA_TYPES),
    *(f"class names: {name}" for name in _CLASS_MARKERS),
)
# What is read at most, of pages that have far more of it.
_LONGEST_CLASS_NAME = 60
_MAX_HEAD, _MAX_SCRIPTS, _MAX_SCRIPT, _SEARCHED = 30_000, 10, 20_000, 1_000_000
_MAX_URL, _MOST = 500, 50


class _Groups:
    """Groups of strings, which are counted together."""

    def __init__(self, groups: Mapping[str, tuple[str, ...]]) -> None:
        self._sizes = [len(parts) for parts in groups.values()]
        self._strings = loops.Strings(chain.from_iterable(groups.values()))

    def count(self, text: str) -> list[int]:
        """Return how often the strings of each group are in a text, at most _MOST times."""
        counts = iter(loops.count_strings(text, self._strings))
        return [min(sum(islice(counts, size)), _MOST) for size in self._sizes]


_HEAD_GROUPS, _CLASS_GROUPS = _Groups(_HEAD_MARKERS), _Groups(_CLASS_MARKERS)


def markers(html: str, *, url: str | None, class_names: Sequence[str]) -> list[float]:
    """Return one number for each of MARKER_NAMES."""
    head = _head(html)
    names = " ".join(name[:_LONGEST_CLASS_NAME] for name in class_names)
    counted = (
        *_HEAD_GROUPS.count(head),
        *_schema_types(html),
        *_CLASS_GROUPS.count(names.lower()),
    )
    return [*_url_markers(url), *map(log1p, counted)]


def _head(html: str) -> str:
    end = html.find("<body", 0, _MAX_HEAD)
    return html[: end if end >= 0 else _MAX_HEAD].lower()


def _schema_types(html: str) -> list[int]:
    """Count the types in the JSON-LD scripts of a page, by group."""
    found: Counter[str] = Counter()
    offset = 0
    for _ in range(_MAX_SCRIPTS):
        offset = html.find("ld+json", offset, _SEARCHED)
        if offset < 0:
            break
        end = html.find("</", offset, offset + _MAX_SCRIPT)
        script = html[offset : end if end >= 0 else offset + _MAX_SCRIPT]
        found.update(_TYPE.findall(script.lower()))
        offset += len(script)
    return [
        min(sum(count for name, count in found.items() if pattern.fullmatch(name)), _MOST)
        for pattern in _SCHEMA_PATTERNS.values()
    ]


def _url_markers(url: str | None) -> list[float]:
    parts = _split(url or "")
    path = parts.path.lower()
    address = f"{parts.netloc.lower()}{path}?{parts.query.lower()}"
    steps = [step for step in path.split("/") if step]
    last = steps[-1] if steps else ""
    return [
        float(bool(url)),
        log1p(len(steps)),
        float(bool(url) and not steps and not parts.query),
        log1p(last.count("-") + last.count("_")),
        log1p(sum(map(str.isdigit, last))),
        log1p(len(last)),
        float(bool(parts.query)),
        float(len(path) > 1 and path.endswith("/")),
        *(float(pattern.search(address) is not None) for pattern in _URL_PATTERNS.values()),
    ]


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url[:_MAX_URL])
    except ValueError:
        return urlsplit("")
