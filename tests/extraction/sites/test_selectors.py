"""CSS selectors on the elements of a page: what they match, and which are refused."""

from __future__ import annotations

import pytest

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.sites.elements import Elements, read_elements
from scrapy_cetr.extraction.sites.selectors import Selector, SelectorError
from testkit.hostile import TRAPS

HTML = """\
<html><head><meta name=author content="Ann Lee"></head><body>
<div class="a b" id=x lang=en-GB><p>One</p><p class=c>Two <b>bold</b> <img src=q>
<p>Three<my-card class=z><span>four</span></my-card></div>
<ul><li>1<li class=k>2<li>3</ul></body></html>"""


def elements_of(html: str, *attributes: str) -> Elements:
    page = read(html, rows="blocks", with_class_names=True)
    return read_elements(html, page, attributes=attributes)


def matched(selector: str, html: str = HTML) -> list[str]:
    page = read(html, rows="blocks", with_class_names=True)
    compiled = Selector(selector)
    elements = read_elements(html, page, attributes=compiled.attributes)
    return [
        elements.names[index]
        + " "
        + " ".join(page.text[elements.begin[index] : elements.end[index]].split())
        for index in compiled.match(elements)
    ]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("p", ["p One", "p Two bold", "p Threefour"]),
        ("P.c", ["p Two bold"]),
        ("div.a > p.c", ["p Two bold"]),
        ("div.a.b b", ["b bold"]),
        ("div > b", []),
        ("#x p:nth-child(2)", ["p Two bold"]),
        ("p:nth-of-type(2n+1)", ["p One", "p Threefour"]),
        ("li:nth-last-child(1)", ["li 3"]),
        ("li + li", ["li 2", "li 3"]),
        ("li.k ~ li", ["li 3"]),
        ("li:not(.k)", ["li 1", "li 3"]),
        ("li:is(.k, :first-child)", ["li 1", "li 2"]),
        ("my-card span", ["span four"]),
        ("meta[name=author]", ["meta "]),
        ("[lang|=en]", ["div OneTwo bold Threefour"]),
        ("[class^=a][class$=b][class*=' ']", ["div OneTwo bold Threefour"]),
        ("[class~=b] > p:first-child, ul > :last-child", ["p One", "li 3"]),
    ],
)
def test_selector_matches_the_elements_of_the_page(selector: str, expected: list[str]) -> None:
    assert matched(selector) == expected


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("div..a", "Expected ident"),
        ("a[", "Expected"),
        ("", "Expected selector"),
        ("p::text", "::text is not supported; select the element itself"),
        ("a:has(b)", r":has\(\) is not supported"),
        ("p:hover", ":hover is not supported; of pseudo-classes, there are :not"),
        ("svg|a", "the namespace 'svg' is not supported"),
        ("p" + " p" * 1000, "more than 1000 characters"),
    ],
)
def test_selector_that_cannot_be_used_says_why(selector: str, reason: str) -> None:
    with pytest.raises(SelectorError, match=reason):
        Selector(selector)


def test_elements_have_the_tree_of_the_rows() -> None:
    elements = elements_of("<div><p>One<p>Two<div><br>Three</div></div>", "class")
    assert list(zip(elements.names, elements.parents, strict=True)) == [
        ("div", -1),
        ("p", 0),
        ("p", 0),
        ("div", 0),
        ("br", 3),
    ]


def test_hidden_elements_lend_nothing_to_the_next() -> None:
    html = "<title class=a>T</title><h1>One</h1><script class=b></script><p>Two</p><svg id=c></svg>"
    elements = elements_of(html, "class", "id")
    assert list(elements.names) == ["h1", "p"]
    assert not any(elements.attributes)


@pytest.mark.parametrize("trap", sorted(TRAPS))
def test_hostile_pages_are_matched_in_bounded_time(trap: str) -> None:
    html = TRAPS[trap](20_000) + "<p class=last>The end.</p>"
    page = read(html, rows="blocks", with_class_names=True)
    elements = read_elements(html, page, attributes={"class"})
    selector = Selector("div div p ~ p, p:nth-child(2n+1), .last")
    assert len(selector.match(elements)) <= len(elements)
