"""URLs of links and images: the quick way gives what the parser gives."""

import pytest

from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.output.urls import UrlResolver

BASES = (
    *("https://a.example/b/c?d", "http://A.example:80/x", "https://a.example", "", None),
    *("http://[bad", "ftp://x.example/y", "file:///a/b", "https://ex.org/a;b/c"),
)
HREFS = (
    *("/", "//", "//x.y/z", "/.", "/..", "/a/..", "/a/../b", "/a/./b", "/a//b", "/a?", "/a#"),
    *("/a?#", "/a;", "/a;b", "https://x", "https://x/", "https://x/?", "https://x/#", "/a/?b"),
    *("https://x/a?b#", "https://x/a/../b", "https://x//a", "https://X.y/a", "https://x:80/a"),
    *("/a?b=../c", "/a?b#c", "/...", "/a/", "/a.b/.c", "/é", "https://x/a\n", "/a\n", "http:/a"),
    *("https://x./a", "https://../a", "/a:b", "/:a", "/@", "https://a@b/c", "/?a", "?a", "#a"),
    *("https://x.example/a-b/c_d.html?e=f&g=h#i", "mailto:a@b.example", "javascript:a", "a/b"),
)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("href", HREFS)
def test_url_is_that_of_the_parser(base: str | None, href: str) -> None:
    quick, thorough = (UrlResolver(read_details("<p>Rain."), base) for _ in range(2))
    thorough._root = ""
    assert quick.link(href) == thorough.link(href)
    assert quick.image(href) == thorough.image(href)


@pytest.mark.parametrize("href", ["/a" * 2000 + "\\", "https://a.example" + "/.a" * 2000 + " "])
def test_long_url_takes_linear_time(href: str) -> None:
    assert UrlResolver(read_details("<p>Rain."), "https://a.example/").link(href)
