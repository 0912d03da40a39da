"""Markdown and HTML: the words and structure of the text, without active content."""

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scrapy_cetr import extract
from scrapy_cetr.extraction import METHODS, Article
from scrapy_cetr.extraction.html.details import DetailedPage, Image, read_details
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.output.blocks import Link
from scrapy_cetr.extraction.output.html import write_html
from scrapy_cetr.extraction.output.markdown import write_markdown
from testkit.formats import URL, blocks_of, html_of, markdown_of, text_of, visible_words
from testkit.hostile import TRAPS, hostile_page

COMMONMARK = MarkdownIt("commonmark").enable("table")


# The last two are added by browsers and by Markdown.
ALLOWED = frozenset(
    re.findall(
        r"\w+",
        "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table tr td th br a img"
        " em strong code del sub sup tbody thead",
    )
)
ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
NUMBERS = frozenset(("start", "value", "colspan", "rowspan"))
HARMLESS_URL = re.compile(r"(?:https?://[^/]|mailto:)", re.IGNORECASE)


def assert_harmless(html: str) -> None:
    """Check the elements and attributes of HTML as a browser sees them."""
    from turbohtml import parse

    for element in parse(html).select("body *"):
        assert element.tag in ALLOWED
        assert set(element.attrs) <= ATTRIBUTES.get(element.tag, set())
        numbers = [str(element.attr(name)) for name in NUMBERS & set(element.attrs)]
        assert all(re.fullmatch(r"-?\d+", number) for number in numbers)
        for name in ("href", "src"):
            url = element.attr(name)
            assert url is None or HARMLESS_URL.match(url)


HOSTILE = [
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=' java\nscript:alert(1)'>x</a>",
    "<a href='\x01javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='https://x.example/\"onmouseover=\"alert(1)'>x</a>",
    "<a href='https://x.example/' onclick='alert(1)' style='x' target=_blank>x</a>",
    "<a href='//['>x</a>",
    "<img src='javascript:alert(1)' alt=x>",
    "<img src=x onerror=alert(1)>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<img alt='\"><script>alert(1)</script>' src=/x>",
    "<script>alert(1)</script>",
    "<style>p { color: red }</style>",
    "<iframe src='https://evil.example'></iframe>",
    "<object data='x.swf'></object><embed src=x>",
    "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<form action='/steal'><input name=x><button formaction='javascript:x'>x</button></form>",
    "<p onmouseover='alert(1)' style='background:url(javascript:x)'>x</p>",
    "<base href='javascript:alert(1)//'><a href='x'>x</a>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "<textarea></textarea><script>alert(1)</script>",
    "<table background='javascript:x'><tr><td>a<td>b<tr><td>c<td>d</table>",
    "<pre>\n<script>alert(1)</script>&lt;script&gt;</pre>",
]


@pytest.mark.parametrize("html", HOSTILE)
def test_formats_of_hostile_markup_have_no_active_content(html: str) -> None:
    page = f"<p>It was a long day.</p>{html}<p>Nobody went home.</p>"
    assert_harmless(html_of(page))
    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown_of(page))
    assert_harmless(rendered)


TAGS = re.findall(
    "<[^>]+>",
    "<p></p><b></b><i></i><code></code><h2></h2><ul></ul><ol><li></li><blockquote></blockquote>"
    "<pre></pre><table></table><tr><td><th><br><div></div><sup></sup><dl><dt><dd>"
    "<img src=/y.png alt=z><ol start=7><ol reversed><li value=4></ol></ul></dl><th colspan=2>"
    "<td rowspan=3><td colspan=99999999999>",
)
# Links are closed: an unclosed link would end elsewhere in the written HTML.
LINKS = ["<a href=/x>b</a>", "<a href=/x> <b>c d</b></a>", "<a href='javascript:x'>e</a>"]
MARKUP = st.lists(
    st.one_of(
        st.sampled_from(HOSTILE),
        st.sampled_from(TAGS + LINKS),
        st.text("ab1#*_-+=~`[](){}<>!|\\.&;:'\" \n\té中", max_size=12),
        st.text(max_size=6),
    ),
    max_size=14,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(MARKUP)
@example("<p>a<code>b</code><code><b>c</b></code>")
@example("<li>a<pre>b</pre><li>c")
@example("<blockquote><ul><li>a</ul>b</blockquote>")
def test_markdown_and_html_have_the_words_of_the_text(html: str) -> None:
    blocks = blocks_of(html)
    expected = Counter(visible_words(html))
    # The text has the numbers of items too.
    text = Counter(re.findall(r"\w+", text_of(html)))
    assert not expected - text
    assert all(word.isdecimal() for word in text - expected)
    written = write_html(blocks)
    assert_harmless(written)
    assert Counter(visible_words(written)) == expected
    rendered = COMMONMARK.render(write_markdown(blocks))
    assert Counter(visible_words(rendered)) == expected


@settings(max_examples=100, deadline=None)
@given(MARKUP)
def test_html_written_from_written_html_has_the_same_words(html: str) -> None:
    once = html_of(html)
    assert visible_words(html_of(once)) == visible_words(once)


# The same rows in all formats


PAGE = "<ul>{0}</ul><h1>Flood</h1>{1}<p>See <a href=/map>the map</a>.</p>{1}<ul>{0}</ul>".format(
    "".join(f"<li><a href=/{n}>Entry {n}</a>" for n in range(30)),
    "<p>It rained all day, and by night the river stood in the streets of the old town.</p>" * 6,
)


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
def test_formats_of_an_article_have_the_words_of_its_text(method: str, rows: RowKind) -> None:
    article = extract(PAGE.replace("><", ">\n<"), method=method, rows=rows, url=URL)
    expected = Counter(re.findall(r"\w+", article.text))
    assert Counter(visible_words(article.html)) == expected
    assert Counter(visible_words(COMMONMARK.render(article.markdown))) == expected
    assert article.text == extract(PAGE.replace("><", ">\n<"), method=method, rows=rows).text


def test_article_has_the_links_and_images_of_its_body() -> None:
    article = extract(PAGE.replace("See", "<img src=/b.png alt='A boat'>See"), url=URL, sigma=1)
    assert Link("the map", "https://courier.example/map") in article.links
    assert article.images == (Image("https://courier.example/b.png", "A boat"),)
    assert extract(PAGE).links == ()  # without a URL, relative links cannot be resolved


@pytest.mark.parametrize(
    ("image", "url"),
    [
        ("<img src=/a.png>", "https://courier.example/a.png"),
        ("<img src='data:x' data-src=/a.png>", "https://courier.example/a.png"),
        ("<img srcset='/a.png 1x, /b.png 2x'>", "https://courier.example/b.png"),
        ("<img src=/a.png width=1 height=1>", None),
        ("<img src='data:image/png;base64,AA'>", None),
        ("<img>", None),
    ],
)
def test_image_urls_are_absolute_and_of_the_web(image: str, url: str | None) -> None:
    parts = [part for block in blocks_of(f"<p>a<p>{image}<p>b") for part in block.parts]
    assert [part.url for part in parts if isinstance(part, Image)] == ([url] if url else [])


# Details


@settings(max_examples=100, deadline=None)
@given(MARKUP)
def test_read_details_has_the_text_and_tags_of_read(html: str) -> None:
    first, second = read(html, rows="blocks"), read_details(html)
    assert isinstance(second, DetailedPage)
    assert first.text == second.text
    assert first.tags.tolist() == second.tags.tolist()


@pytest.mark.parametrize("trap", TRAPS)
def test_formats_of_hostile_pages_are_harmless_and_complete(trap: str) -> None:
    article: Article = extract(hostile_page(trap, 20_000), url=URL)
    assert_harmless(article.html)
    expected = Counter(re.findall(r"\w+", article.text))
    assert Counter(visible_words(article.html)) == expected
