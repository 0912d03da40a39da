"""The authors of a page are names of persons, without texts that are no names."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr.extraction.metadata import read_metadata
from scrapy_cetr.extraction.metadata.authors import clean_names, names_in_byline

URL = "https://courier.example/news/1"
STORY = "<p>The bridge was closed on Monday, and nobody could say for how long.</p>" * 3


def authors_of(html: str) -> tuple[str, ...]:
    return read_metadata(f"<h1>Bridge closed</h1>{html}{STORY}", url=URL).authors


def ld(author: object) -> str:
    article = json.dumps({"@type": "Article", "author": author})
    return f'<script type="application/ld+json">{article}</script>'


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ann Lee", ["Ann Lee"]),
        ("By Ann Lee", ["Ann Lee"]),
        ("by: Ann Lee", ["Ann Lee"]),
        ("Written by Ann Lee", ["Ann Lee"]),
        ("Von Änne Müller", ["Änne Müller"]),
        ("Ann Lee, Bo Chen and Cy Doe", ["Ann Lee", "Bo Chen", "Cy Doe"]),
        ("Ann Lee & Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Ann Lee; Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Ann Lee, Ph.D.", ["Ann Lee, Ph.D."]),
        ("Ann Lee, Jr., MD", ["Ann Lee, Jr., MD"]),
        ("Center for Research and Design", ["Center for Research and Design"]),
        ("Ann Lee, Senior Editor", ["Ann Lee"]),
        # Texts without a name.
        ("https://www.facebook.com/annlee", []),
        ("ann@courier.example", []),
        ("admin", []),
        ("Written by", []),
        ("{{author}}", []),
        ("", []),
        ("12345678", []),
        ("x" * 200, []),
    ],
)
def test_clean_names_returns_the_names_in_a_text(written: str, names: list[str]) -> None:
    assert clean_names([written]) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By\nAnn Lee\nTravel Editor", "Ann Lee"),
        ("Ann Lee - Mar 27, 2024", "Ann Lee"),
        ("Mar 27, 2024\nby\nAnn Lee", "Ann Lee"),
        ("By\nAnn Lee\nand\nBo Chen\nUpdated", "Ann Lee and Bo Chen"),
        ("Ann Lee in Brussels", "Ann Lee"),
        ("Ann Lee\n5 min read", "Ann Lee"),
    ],
)
def test_names_in_byline_removes_what_is_not_a_name(byline: str, names: str) -> None:
    assert names_in_byline(byline) == names


@pytest.mark.parametrize(
    "author",
    [
        "Ann Lee",
        ["Ann Lee"],
        {"@type": "Person", "name": "Ann Lee"},
        [{"@type": "Person", "name": ["Ann Lee"]}],
        [{"@type": "Organization", "name": "Courier"}, {"@type": "Person", "name": "Ann Lee"}],
    ],
)
def test_authors_are_read_from_json_ld(author: object) -> None:
    assert authors_of(ld(author)) == ("Ann Lee",)


@pytest.mark.parametrize(
    "byline",
    [
        '<a rel="author" href="/ann">Ann Lee</a>',
        '<a href="/authors/ann">Ann Lee</a>',
        '<span class="byline">By Ann Lee</span>',
        '<div class="post-author"><img alt="x"><span>Ann Lee</span><span>Reporter</span></div>',
        '<p class="meta">March 5, 2024 by <span class="author-name">Ann Lee</span></p>',
        "<p>By <strong>Ann Lee</strong></p>",
        "<div>Written by</div><div>Ann Lee</div>",
        '<aside><a rel="author" href="/ann">Ann Lee</a></aside>',
    ],
)
def test_authors_are_read_from_a_visible_byline(byline: str) -> None:
    assert authors_of(byline) == ("Ann Lee",)


def test_authors_include_all_names_of_a_byline() -> None:
    byline = '<p>By <a rel="author">Ann Lee</a> and <a rel="author">Bo Chen</a></p>'
    assert authors_of(byline) == ("Ann Lee", "Bo Chen")


@pytest.mark.parametrize(
    "other",
    [
        '<div class="comments"><span class="author">Bo Chen</span> Nice!</div>',
        '<div id="related"><span class="author">Bo Chen</span></div>',
        '<blockquote><span class="author">Bo Chen</span></blockquote>',
        '<div class="testimonial"><p class="author-name">Bo Chen</p></div>',
        "<p>The plan by Bo Chen was refused.</p>",
        '<p class="author">Everything about how we write and why you can trust us all</p>',
    ],
)
def test_authors_exclude_names_in_comments_teasers_and_sentences(other: str) -> None:
    assert authors_of(f"{STORY * 8}{other}") == ()


def test_authors_prefer_a_person_to_the_site_name_or_a_login() -> None:
    site = '<meta property="og:site_name" content="The Courier">'
    byline = '<p class="byline">By Ann Lee</p>'
    assert authors_of(f"{site}{ld('The Courier')}{byline}") == ("Ann Lee",)
    assert authors_of(f'<meta name="author" content="alee">{byline}') == ("Ann Lee",)
    assert authors_of('<meta name="author" content="alee">') == ("alee",)


def test_authors_are_read_despite_class_names_of_the_whole_page() -> None:
    html = '<body class="has-sidebar comments-open"><a rel="author">Ann Lee</a>'
    assert authors_of(html) == ("Ann Lee",)


@given(st.lists(st.text(max_size=80), max_size=4))
def test_clean_names_returns_valid_names_for_any_text(written: list[str]) -> None:
    for name in clean_names(written):
        assert name == name.strip()
        assert 1 < len(name) <= 80
        assert "@" not in name
        assert "http:" not in name


@pytest.mark.parametrize("name", ["harbourmaster", "The Courier editors"])
def test_authors_fall_back_to_a_login(name: str) -> None:
    byline = f'<a class="author-name" href="/people/1">{name}</a>'
    assert authors_of(byline) == (name,)
    assert authors_of(f"{byline}<p>By Ann Lee</p>") == ("Ann Lee",)
    assert authors_of(f'{byline}<meta name="author" content="Courier Staff">') == ("Courier Staff",)
    assert authors_of(f'<div class="author-box">{name}</div>') == ()
    assert authors_of('<a rel="author" href="/people/1">View profile</a>') == ()
