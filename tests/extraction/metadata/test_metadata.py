"""Metadata of pages: their sources, declared fields, and the attributes of an article."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr import extract
from scrapy_cetr.extraction.metadata import Breadcrumb, Metadata, read_metadata
from scrapy_cetr.extraction.output.comments import Comment
from testkit.hostile import FIRST, TRAPS, hostile_page

URL = "https://courier.example/news/harbour"
STORY = "<p>The bridge was closed on Monday, and nobody could say for how long.</p>" * 5


def ld(*objects: Any) -> str:
    scripts = map(json.dumps, objects)
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


# Sources


def test_metadata_is_read_from_json_ld() -> None:
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


def test_metadata_is_read_from_meta_tags() -> None:
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


def test_metadata_is_read_from_microdata() -> None:
    body = """<div itemscope itemtype="https://schema.org/NewsArticle">
        <h1 itemprop="headline">Bridge closed</h1>
        <span itemprop="author" itemscope itemtype="https://schema.org/Person">
        <span itemprop="name">Ann Lee</span></span>
        <time itemprop="datePublished" datetime="2025-03-01">March 1</time></div>"""
    found = read(body=body)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert found.date_published == "2025-03-01"
    assert found.sources["authors"] == "microdata"


def test_metadata_is_read_from_the_layout() -> None:
    body = "<h1>Bridge closed</h1><p>By Ann Lee</p><p>March 1, 2025</p>"
    found = read("<title>Bridge closed | The Courier</title>", body)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert found.date_published == "2025-03-01"
    assert {found.sources[name] for name in ("title", "authors", "date_published")} == {"layout"}


def test_metadata_of_a_page_without_any_is_empty() -> None:
    assert read_metadata("") == Metadata()
    assert read_metadata("<p>It was a long day, and nobody went home.") == Metadata()


# JSON-LD


@pytest.mark.parametrize(
    "script",
    [
        '{"@graph": [{"@type": "WebSite", "name": "X"}, {"@type": "Article", "headline": "One"}]}',
        '[{"@type": "BreadcrumbList"}, {"@type": ["Article", "Thing"], "headline": "One"}]',
        '{"@type": "https://schema.org/BlogPosting", "headline": "One"}',
        # Invalid JSON: a trailing comma, a raw line end, comments, CDATA, a lone backslash, and
        # text or another object after the object.
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
def test_json_ld_is_read_in_all_structures_and_if_invalid(script: str) -> None:
    html = f'<script type="application/ld+json">{script}</script>{STORY}'
    assert read_metadata(html).title == "One"


def test_json_ld_references_are_followed() -> None:
    author = {"@id": "#ann", "@type": "Person", "name": "Ann Lee"}
    graph = {"@graph": [{**ARTICLE, "author": {"@id": "#ann"}}, author]}
    assert read(ld(graph)).authors == ("Ann Lee",)


def test_json_ld_reference_to_itself_is_not_followed_forever() -> None:
    assert read(ld({"@type": "Article", "author": {"@id": "#a"}, "@id": "#a"})).authors == ()


def test_json_ld_article_of_this_page_is_chosen_among_teasers() -> None:
    teasers = [
        {"@type": "NewsArticle", "headline": f"Teaser {n}", "author": "Bo Chen", "url": f"/{n}"}
        for n in range(5)
    ]
    article = {**ARTICLE, "url": URL}
    assert read(ld(*teasers, article)).authors == ("Ann Lee",)
    assert read(ld({"@type": "ItemList", "itemListElement": teasers}, article)).authors == (
        "Ann Lee",
    )
    assert read(ld(*teasers)).authors == ()


def test_json_ld_without_objects_is_ignored() -> None:
    nested = '<script type="application/ld+json">' + '{"a":[' * 50_000 + "</script>"
    assert read(nested).title is None
    assert read("<script type='application/ld+json'>function () {}</script>").title is None
    assert read(ld(5, None, "text", [[]], {"@type": 5, "headline": 7})).title is None


# Declared fields


@pytest.mark.parametrize(
    ("free", "paywalled"),
    [(True, False), (False, True), ("False", True), ("https://schema.org/True", False), (7, None)],
)
def test_paywalled_is_read_from_is_accessible_for_free(
    free: object, paywalled: bool | None
) -> None:
    assert read(ld({"@type": "Article", "isAccessibleForFree": free})).paywalled is paywalled


def test_canonical_url_is_absolute() -> None:
    assert read('<link rel="canonical" href="/a?b=1">').canonical_url == (
        "https://courier.example/a?b=1"
    )
    assert read('<base href="https://x.example/"><link rel=canonical href=a>').canonical_url == (
        "https://x.example/a"
    )


@pytest.mark.parametrize("href", ["/", "https://courier.example", "javascript:alert(1)", "", "//["])
def test_canonical_url_excludes_home_pages_and_invalid_urls(href: str) -> None:
    assert read(f'<link rel="canonical" href="{href}">').canonical_url is None


@pytest.mark.parametrize("source", ["data:image/png;base64,AA", "javascript:x", "  ", "//["])
def test_image_excludes_urls_other_than_http(source: str) -> None:
    assert read(meta(og__image=source)).image is None


def test_breadcrumbs_are_read_from_json_ld_and_the_layout() -> None:
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


def test_breadcrumbs_are_not_read_from_a_menu() -> None:
    page = '<body class="has-breadcrumbs"><a href="/menu">Menu</a><h1>Bridge</h1>'
    assert read_metadata(page).breadcrumbs == ()


@pytest.mark.parametrize("filling", ["<p>Menu</p>", "<script>menu()</script>", "<!-- menu -->"])
def test_head_and_json_ld_are_read_if_the_headline_is_far_away(filling: str) -> None:
    head = '<html><head><title>Bridge closed</title><meta name="author" content="Ann Lee"></head>'
    script = '<script type="application/ld+json">{"@type": "Article", "keywords": "sea"}</script>'
    menu = filling * 5000
    page = f"{head}<body>{menu}{script}{menu}<h1>Bridge closed</h1><p>March 1, 2025</p>{menu}"
    found = read_metadata(page)
    assert (found.title, found.authors) == ("Bridge closed", ("Ann Lee",))
    assert (found.keywords, found.date_published) == (("sea",), "2025-03-01")


def test_keywords_are_split_and_unique() -> None:
    assert read(meta(keywords="bridge, harbour;  Bridge,")).keywords == ("Bridge", "harbour")


# Attributes of an article


def test_article_has_metadata_and_sources() -> None:
    article = extract(f"<html lang=en><head>{ld(ARTICLE)}</head><body>{STORY}", url=URL)
    assert (article.title, article.authors, article.language) == (
        "Bridge closed",
        ("Ann Lee",),
        "en",
    )
    assert article.sources["title"] == "json-ld"
    assert article.sources["language"] == "html"
    assert article.sources["text"] == "page"


def test_article_metadata_can_be_pickled_before_and_after_reading() -> None:
    article = extract(f"{ld(ARTICLE)}{STORY}", url=URL)
    before = pickle.loads(pickle.dumps(article))  # noqa: S301
    assert article.title == before.title == "Bridge closed"
    after = pickle.loads(pickle.dumps(article))  # noqa: S301
    assert (after.title, after.markdown) == (article.title, article.markdown)


def test_settled_article_has_the_requested_attributes_and_no_page() -> None:
    article = extract(f"{ld(ARTICLE)}{STORY}", url=URL)
    settled = article.settled(["title", "text", "markdown"])
    assert (settled, settled.title) == (article, "Bridge closed")
    assert settled.markdown == article.markdown
    assert (settled.authors, settled.html) == ((), "")
    assert len(pickle.dumps(settled)) < len(pickle.dumps(article))


def test_settled_article_without_attributes_is_empty() -> None:
    article = extract("").settled(())
    assert (article.title, article.authors, article.html, article.sources) == (None, (), "", {})


# Arbitrary pages


@pytest.mark.parametrize("trap", TRAPS)
def test_article_attributes_of_hostile_pages_are_valid(trap: str) -> None:
    article = extract(hostile_page(trap, 20_000), url=URL)
    assert article.title is None or article.title.strip()
    for name in ("markdown", "html"):
        assert FIRST in getattr(article, name)
    assert all(isinstance(comment, Comment) for comment in article.comments)
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
def test_metadata_has_the_right_types_for_any_json_ld(declared: Any, text: str) -> None:
    wrapped = declared
    if isinstance(declared, dict):
        wrapped = {"@type": "Article", **declared}
    found = read(ld(wrapped) + meta(og__title="T"), f"<h1>{text}</h1><p class=author>{text}")
    for name in ("title", "date_published", "description", "site_name", "image", "canonical_url"):
        value = getattr(found, name)
        assert value is None or (isinstance(value, str) and value)
    for name in ("authors", "keywords"):
        assert all(isinstance(value, str) and value for value in getattr(found, name))
    assert found == read(
        ld(wrapped) + meta(og__title="T"), f"<h1>{text}</h1><p class=author>{text}"
    )


def test_sources_of_a_link_tag_and_of_microdata_keywords() -> None:
    found = read_metadata(
        '<link rel="image_src" href="https://x.example/a.jpg">'
        '<div itemscope itemtype="https://schema.org/NewsArticle">'
        '<meta itemprop="keywords" content="harbour, bridge"></div>'
    )
    assert (found.image, found.sources["image"]) == ("https://x.example/a.jpg", "link")
    assert (found.keywords, found.sources["keywords"]) == (("harbour", "bridge"), "microdata")
