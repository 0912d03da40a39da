"""What an article is besides its text, from what its page says of itself and shows."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr import extract
from scrapy_cetr.extraction.metadata import Breadcrumb, Metadata, read_metadata
from testkit.hostile import FIRST, TRAPS, hostile_page

URL = "https://courier.example/news/harbour"
STORY = "<p>The bridge was closed on Monday, and nobody could say for how long.</p>" * 5


def ld(*things: Any) -> str:
    scripts = (json.dumps(thing) for thing in things)
    return "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)


def meta(**tags: str) -> str:
    return "".join(
        f'<meta property="{name.replace("__", ":")}" content="{value}">'
        for name, value in tags.items()
    )


def read(head: str = "", body: str = "") -> Metadata:
    html = f"<html><head>{head}</head><body>{body}{STORY}</body></html>"
    return read_metadata(html, url=URL)


ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Bridge closed",
    "author": {"@type": "Person", "name": "Ann Lee"},
    "datePublished": "2025-03-01T08:00:00+01:00",
    "dateModified": "2025-03-02T09:30:00Z",
    "description": "A bridge is closed.",
    "publisher": {"@type": "Organization", "name": "The Courier"},
    "image": {"@type": "ImageObject", "url": "/bridge.jpg"},
    "keywords": ["bridge", "harbour", "Bridge"],
    "articleSection": "News",
    "isAccessibleForFree": False,
    "inLanguage": "en-GB",
}


# All of it


def test_json_ld_says_all() -> None:
    found = read(ld(ARTICLE))
    assert found.title == "Bridge closed"
    assert found.authors == ("Ann Lee",)
    assert found.date_published == "2025-03-01T08:00:00+01:00"
    assert found.date_published_raw == "2025-03-01T08:00:00+01:00"
    assert found.date_modified == "2025-03-02T09:30:00+00:00"
    assert found.date_modified_raw == "2025-03-02T09:30:00Z"
    assert found.description == "A bridge is closed."
    assert found.site_name == "The Courier"
    assert found.image == "https://courier.example/bridge.jpg"
    assert found.keywords == ("Bridge", "harbour")
    assert found.section == "News"
    assert found.paywalled is True
    assert set(found.sources.values()) == {"json-ld"}


def test_meta_tags_say_most() -> None:
    found = read(
        meta(
            og__title="Bridge closed",
            og__site_name="The Courier",
            og__description="A bridge is closed.",
            og__image="https://img.example/b.jpg",
            og__url=URL,
            article__published_time="2025-03-01",
            article__modified_time="2025-03-02",
            article__section="News",
            article__tag="bridge",
            article__content_tier="free",
            author="Ann Lee",
        )
    )
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert (found.date_published, found.date_modified) == ("2025-03-01", "2025-03-02")
    assert (found.site_name, found.section, found.keywords) == ("The Courier", "News", ("bridge",))
    assert (found.image, found.canonical_url) == ("https://img.example/b.jpg", URL)
    assert found.paywalled is False
    assert found.sources["title"] == "opengraph"
    assert found.sources["authors"] == "meta"


@pytest.mark.parametrize(
    ("tag", "value", "attribute", "source"),
    [
        ("og:title", "Bridge closed", "title", "opengraph"),
        ("twitter:title", "Bridge closed", "title", "meta"),
        ("article:section", "News", "section", "opengraph"),
        ("article:tag", "bridge", "keywords", "opengraph"),
        ("keywords", "bridge", "keywords", "meta"),
        ("article:content_tier", "free", "paywalled", "opengraph"),
        ("article:author", "Ann Lee", "authors", "opengraph"),
        ("og:article:author", "Ann Lee", "authors", "opengraph"),
        ("author", "Ann Lee", "authors", "meta"),
        ("article:published_time", "2025-03-01", "date_published", "opengraph"),
        ("og:published_time", "2025-03-01", "date_published", "opengraph"),
        ("article:publish_date", "2025-03-01", "date_published", "opengraph"),
        ("date", "2025-03-01", "date_published", "meta"),
        ("article:modified_time", "2025-03-01", "date_modified", "opengraph"),
        ("og:updated_time", "2025-03-01", "date_modified", "opengraph"),
        ("last-modified", "2025-03-01", "date_modified", "meta"),
    ],
)
def test_meta_tags_of_one_namespace_have_one_source_name(
    tag: str, value: str, attribute: str, source: str
) -> None:
    found = read(f'<meta property="{tag}" content="{value}">')
    assert found.sources[attribute] == source


def test_authors_of_several_meta_tags_have_the_source_of_the_first_name() -> None:
    url, opengraph, plain = (
        '<meta name="author" content="https://courier.example/ann">',
        '<meta property="article:author" content="Ann Lee">',
        '<meta name="byl" content="Bo Chen">',
    )
    found = read(url + plain + opengraph)
    assert (found.authors, found.sources["authors"]) == (("Ann Lee", "Bo Chen"), "opengraph")


def test_microdata_says_it_too() -> None:
    body = """<div itemscope itemtype="https://schema.org/NewsArticle">
        <h1 itemprop="headline">Bridge closed</h1>
        <span itemprop="author" itemscope itemtype="https://schema.org/Person">
        <span itemprop="name">Ann Lee</span></span>
        <time itemprop="datePublished" datetime="2025-03-01">March 1</time></div>"""
    found = read(body=body)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert found.date_published == "2025-03-01"
    assert found.sources["authors"] == "microdata"


def test_the_layout_says_what_nothing_else_does() -> None:
    body = "<h1>Bridge closed</h1><p>By Ann Lee</p><p>March 1, 2025</p>"
    found = read("<title>Bridge closed | The Courier</title>", body)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert found.date_published == "2025-03-01"
    assert {found.sources[name] for name in ("title", "authors", "date_published")} == {"layout"}


def test_a_page_that_says_nothing_has_nothing() -> None:
    assert read_metadata("") == Metadata()
    assert read_metadata("<p>It was a long day, and nobody went home.") == Metadata()


# JSON-LD as it is found


@pytest.mark.parametrize(
    "script",
    [
        '{"@graph": [{"@type": "WebSite", "name": "X"}, {"@type": "Article", "headline": "One"}]}',
        '[{"@type": "BreadcrumbList"}, {"@type": ["Article", "Thing"], "headline": "One"}]',
        '{"@type": "https://schema.org/BlogPosting", "headline": "One"}',
        # Broken: a comma too many, a raw line end, comments, CDATA, a lone backslash, two objects.
        '{"@type": "Article", "headline": "One",}',
        '{"@type": "Article", "description": "a\nb", "headline": "One"}',
        '<!-- {"@type": "Article", "headline": "One"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "One"}\n//]]>',
        '{"@type": "Article", "headline": "One", "description": "\\d"}',
        '{"@type": "WebSite"};{"@type": "Article", "headline": "One"}',
        '{"@type": "Article", "headline": "One"} and then some',
        '{"@type": "Article", "headline": {"@value": "One"}}',
    ],
)
def test_json_ld_in_all_its_forms(script: str) -> None:
    html = f'<script type="application/ld+json">{script}</script>{STORY}'
    assert read_metadata(html).title == "One"


def test_references_are_followed() -> None:
    author = {"@id": "#ann", "@type": "Person", "name": "Ann Lee"}
    graph = {"@graph": [{**ARTICLE, "author": {"@id": "#ann"}}, author]}
    assert read(ld(graph)).authors == ("Ann Lee",)


def test_a_reference_to_itself_is_no_trap() -> None:
    assert read(ld({"@type": "Article", "author": {"@id": "#a"}, "@id": "#a"})).authors == ()


def test_of_several_articles_the_one_of_this_page_counts() -> None:
    teasers = [
        {"@type": "NewsArticle", "headline": f"Teaser {n}", "author": "Bo Chen", "url": f"/{n}"}
        for n in range(5)
    ]
    own = {**ARTICLE, "url": URL}
    assert read(ld(*teasers, own)).authors == ("Ann Lee",)
    assert read(ld({"@type": "ItemList", "itemListElement": teasers}, own)).authors == ("Ann Lee",)
    assert read(ld(*teasers)).authors == ()


def test_what_is_no_json_is_nothing() -> None:
    nested = '<script type="application/ld+json">' + '{"a":[' * 50_000 + "</script>"
    assert read(nested).title is None
    assert read("<script type='application/ld+json'>function () {}</script>").title is None
    assert read(ld(5, None, "text", [[]], {"@type": 5, "headline": 7})).title is None


# The smaller fields


@pytest.mark.parametrize(
    ("free", "paywalled"),
    [(True, False), (False, True), ("False", True), ("https://schema.org/True", False), (7, None)],
)
def test_whether_one_has_to_pay(free: object, paywalled: bool | None) -> None:
    assert read(ld({"@type": "Article", "isAccessibleForFree": free})).paywalled is paywalled


def test_canonical_addresses_are_absolute() -> None:
    assert read('<link rel="canonical" href="/a?b=1">').canonical_url == (
        "https://courier.example/a?b=1"
    )
    assert read('<base href="https://x.example/"><link rel=canonical href=a>').canonical_url == (
        "https://x.example/a"
    )


@pytest.mark.parametrize("href", ["/", "https://courier.example", "javascript:alert(1)", "", "//["])
def test_what_is_no_canonical_address(href: str) -> None:
    assert read(f'<link rel="canonical" href="{href}">').canonical_url is None


@pytest.mark.parametrize("source", ["data:image/png;base64,AA", "javascript:x", "  ", "//["])
def test_what_is_no_address_of_a_picture(source: str) -> None:
    assert read(meta(og__image=source)).image is None


def test_breadcrumbs() -> None:
    home, news = Breadcrumb("Home", "https://courier.example/"), Breadcrumb("News", None)
    items = [
        {"@type": "ListItem", "name": "Home", "item": "/"},
        {"@type": "ListItem", "item": {"name": "News"}},
    ]
    listed = ld({"@type": "BreadcrumbList", "itemListElement": items})
    assert read(listed).breadcrumbs == (home, news)
    shown = read(body='<nav class="Breadcrumbs"><a href="/">Home</a> > <a>News</a></nav>')
    assert shown.breadcrumbs == (home, news)
    assert shown.sources["breadcrumbs"] == "layout"


def test_a_menu_is_no_breadcrumb() -> None:
    page = '<body class="has-breadcrumbs"><a href="/menu">Menu</a><h1>Bridge</h1>'
    assert read_metadata(page).breadcrumbs == ()


@pytest.mark.parametrize("filling", ["<p>Menu</p>", "<script>menu()</script>", "<!-- menu -->"])
def test_the_head_is_read_however_far_the_headline_is(filling: str) -> None:
    head = '<html><head><title>Bridge closed</title><meta name="author" content="Ann Lee"></head>'
    thing = '<script type="application/ld+json">{"@type": "Article", "keywords": "sea"}</script>'
    menu = filling * 5000
    page = f"{head}<body>{menu}{thing}{menu}<h1>Bridge closed</h1><p>March 1, 2025</p>{menu}"
    found = read_metadata(page)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert (found.keywords, found.date_published) == (("sea",), "2025-03-01")


def test_keywords_are_parted() -> None:
    assert read(meta(keywords="bridge, harbour;  Bridge,")).keywords == ("Bridge", "harbour")


# As attributes of an article


def test_an_article_has_them() -> None:
    article = extract(f"<html lang=en><head>{ld(ARTICLE)}</head><body>{STORY}", url=URL)
    assert (article.title, article.authors, article.language) == (
        "Bridge closed",
        ("Ann Lee",),
        "en",
    )
    assert article.sources["title"] == "json-ld"
    assert article.sources["language"] == "html"
    assert article.sources["text"] == "page"


def test_they_survive_pickling_before_and_after_they_are_asked_for() -> None:
    article = extract(f"{ld(ARTICLE)}{STORY}", url=URL)
    before = pickle.loads(pickle.dumps(article))  # noqa: S301
    assert article.title == before.title == "Bridge closed"
    after = pickle.loads(pickle.dumps(article))  # noqa: S301
    assert (after.title, after.markdown) == (article.title, article.markdown)


def test_a_settled_article_has_what_was_asked_for_and_no_page() -> None:
    article = extract(f"{ld(ARTICLE)}{STORY}", url=URL)
    settled = article.settled(["title", "text", "markdown"])
    assert (settled, settled.title) == (article, "Bridge closed")
    assert settled.markdown == article.markdown
    assert (settled.authors, settled.html) == ((), "")
    assert len(pickle.dumps(settled)) < len(pickle.dumps(article))


def test_an_article_made_by_hand_has_nothing() -> None:
    article = extract("").settled(())
    assert (article.title, article.authors, article.html, article.sources) == (None, (), "", {})


# Any page at all


@pytest.mark.parametrize("trap", TRAPS)
def test_no_page_breaks_it(trap: str) -> None:
    article = extract(hostile_page(trap, 20_000), url=URL)
    assert article.title is None or article.title.strip()
    for name in ("markdown", "html"):
        assert FIRST in getattr(article, name)
    assert isinstance(article.comments, str)
    for name in ("authors", "captions"):
        values = getattr(article, name)
        assert isinstance(values, tuple)
        assert all(value.strip() for value in values)
    for name, source in article.sources.items():
        assert getattr(article, name) is not None
        assert source


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [*ARTICLE, "@type", "@id", "@graph", "name", "itemListElement", "item"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(JSON, st.text(max_size=60))
def test_whatever_a_page_states_gives_values_of_the_right_type(thing: Any, text: str) -> None:
    wrapped = thing if not isinstance(thing, dict) else {"@type": "Article", **thing}
    found = read(ld(wrapped) + meta(og__title="T"), f"<h1>{text}</h1><p class=author>{text}")
    for name in ("title", "date_published", "description", "site_name", "image", "canonical_url"):
        value = getattr(found, name)
        assert value is None or (isinstance(value, str) and value)
    for name in ("authors", "keywords"):
        assert all(isinstance(value, str) and value for value in getattr(found, name))
    assert found == read(
        ld(wrapped) + meta(og__title="T"), f"<h1>{text}</h1><p class=author>{text}"
    )
