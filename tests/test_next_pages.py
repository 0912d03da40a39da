"""next_page(): which link leads to the next page of an article, and which does not."""

import pytest
from scrapy.http import HtmlResponse, Response

from scrapy_cetr import next_page

STORY = "https://x.example/2024/story"


def linked(*links: str, url: str = STORY, number: int = 2) -> str | None:
    body = f"<html><body>{''.join(links)}</body></html>"
    return next_page(HtmlResponse(url, body=body.encode(), encoding="utf-8"), number=number)


def a(href: str, rel: str = "") -> str:
    return f'<a href="{href}" rel="{rel}">x</a>'


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("?page=2", STORY),
        ("?p=2", STORY),
        ("/2024/story?page=2", f"{STORY}?utm_source=feed"),
        ("/2024/story/2", STORY),
        ("/2024/story/2/", f"{STORY}/"),
        ("/2024/story/page/2/", f"{STORY}/"),
        ("story-2.html", f"{STORY}.html"),
        ("story_p2.html", f"{STORY}.html"),
        ("story,2.html", f"{STORY},1.html"),
        ("/2024/story/seite-2", STORY),
        ("?page=2", f"{STORY}?page=1"),
        ("?page=1", STORY),
        ("?page=2#top", STORY),
    ],
)
@pytest.mark.parametrize("rel", ["", "next", "nofollow NEXT"])
def test_link_to_the_second_page_is_found(href: str, url: str, rel: str) -> None:
    expected = HtmlResponse(url).urljoin(href).partition("#")[0]
    assert linked(a("/about"), a(href, rel), url=url) == expected


@pytest.mark.parametrize(
    ("href", "url", "number"),
    [("?page=3", f"{STORY}?page=2", 3), ("?page=2", f"{STORY}?page=1", 3), ("3", f"{STORY}/2", 3)],
)
def test_link_to_a_later_page_is_found(href: str, url: str, number: int) -> None:
    assert linked(a(href), url=url, number=number) == HtmlResponse(url).urljoin(href)


@pytest.mark.parametrize("rel", ["", "next"])
@pytest.mark.parametrize(
    "href",
    [
        "/2024/other-story",  # the next article, as blogs link it
        "/2024/other-story/2",
        "/news/page/2/",
        "https://y.example/2024/story/2",
        "http://x.example/2024/story/2",
        "/2024/story/comment-page-2/",
        "?comments_page=2",
        "?cpage=2",
        "?page=3",
        "?page=22",
        "?page=2&reply=5",
        "/2024/story",
        "#page-2",
        "",
        "http://[",
        "javascript:page(2)",
        "mailto:2@x.example",
        "ftp://x.example/2024/story/2",
    ],
)
def test_link_to_something_else_is_not_followed(href: str, rel: str) -> None:
    assert linked(a(href, rel)) is None


def test_rel_next_link_in_the_head_is_found() -> None:
    assert linked('<link rel="next" href="?view=2">') == f"{STORY}?view=2"


def test_rel_next_link_is_preferred() -> None:
    links = (a("?p=2"), '<link rel="next" href="?page=2">')
    assert linked(*links) == f"{STORY}?page=2"


def test_link_with_an_unknown_word_needs_rel_next() -> None:
    assert linked(a("?sort=2")) is None


def test_page_two_is_preferred_to_page_one() -> None:
    assert linked(a("?page=1"), a("?page=2")) == f"{STORY}?page=2"


def test_pages_that_link_to_each_other_are_no_loop() -> None:
    both = (a("?page=1", "next"), a("?page=2", "next"))
    assert linked(*both, number=2) == f"{STORY}?page=2"
    assert linked(*both, url=f"{STORY}?page=2", number=3) is None


def test_base_of_the_page_is_respected() -> None:
    assert linked('<base href="https://x.example/2024/story/">', a("2")) == f"{STORY}/2"


@pytest.mark.parametrize("response", [Response(STORY, body=b"\0"), HtmlResponse(STORY)])
def test_response_without_links_has_no_next_page(response: Response) -> None:
    assert next_page(response) is None
