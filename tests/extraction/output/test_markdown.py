"""Blocks as Markdown."""

import pytest
from markdown_it import MarkdownIt

from testkit.formats import markdown_of

COMMONMARK = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h1>One</h1><h3>Two</h3><p>three", "# One\n\n### Two\n\nthree"),
        ("<p>a<br>b</p><p>c", "a\\\nb\n\nc"),
        ("<p>a <b>bold</b> and <i>slanted</i> word", "a **bold** and *slanted* word"),
        ("<p><b><i>both</i></b> <strong> spaced </strong>x", "***both*** **spaced** x"),
        ("<p>use <code>x = `y`</code> here", "use `` x = `y` `` here"),
        ("<p>a <a href='/map'>map</a>", "a [map](https://courier.example/map)"),
        ("<a href='a b(c)'>x</a>", "[x](https://courier.example/news/a%20b%28c%29)"),
        ("<a href='javascript:alert(1)'>x</a>", "x"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n\n  - b\n\n- c"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b"),
        ("<blockquote><p>a<p>b</blockquote><p>c", "> a\n>\n> b\n\nc"),
        ("<pre>if x:\n    y()\n</pre>", "```\nif x:\n    y()\n```"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        (
            "<table><tr><th>A<th>B<tr><td>1<td>2|3</table>",
            "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |",
        ),
        (
            "<p>a<p><img src=/b.png alt='A boat'><p>b",
            "a\n\n![A boat](https://courier.example/b.png)\n\nb",
        ),
        ("<p>x <img src=/i.png alt=y> z", "x ![y](https://courier.example/i.png) z"),
        # Characters with a meaning in Markdown are escaped.
        ("<p>1. no list", "1\\. no list"),
        ("<p># no heading", "\\# no heading"),
        ("<p>- no item", "\\- no item"),
        (
            "<p>*no* _emphasis_ [no](link) &lt;b&gt; &amp;amp;",
            "\\*no\\* \\_emphasis\\_ \\[no\\](link) \\<b\\> \\&amp;",
        ),
        ("<p>wow!<a href=/x>x</a>", "wow\\![x](https://courier.example/x)"),
        # A table of one column is a layout table.
        ("<table><tr><td><h1>A</h1><p>b</table>", "# A\n\nb"),
    ],
)
def test_write_markdown(html: str, written: str) -> None:
    assert markdown_of(html) == written


def test_markdown_omits_emphasis_that_commonmark_does_not_recognise() -> None:
    assert markdown_of("<p>a<b>(b)</b>c") == "a(b)c"
    assert COMMONMARK.render(markdown_of("<p>w<b>or</b>d")) == "<p>w<strong>or</strong>d</p>\n"


def test_code_in_a_definition_is_never_html() -> None:
    for html in ("<dl><dd><pre>&lt;script&gt;", "<dl><dd><ul><li><pre>&lt;script&gt;</ul>"):
        assert "<code>&lt;script&gt;" in COMMONMARK.render(markdown_of(html))
