"""Blocks as HTML."""

import pytest

from testkit.formats import html_of


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h2>One</h2><div>two<br>three</div>", "<h2>One</h2><p>two<br>three</p>"),
        (
            "a <b>b</b> <em>c</em> x<sup>2</sup>",
            "<p>a <strong>b</strong> <em>c</em> x<sup>2</sup></p>",
        ),
        ("<ul><li>a<ol><li>b</ol></ul>", "<ul><li>a<ol><li>b</li></ol></li></ul>"),
        ("<li>alone", "<ul><li>alone</li></ul>"),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<pre>a\n b</pre>", "<pre>a b</pre>"),
        (
            "<table><tr><th>A<th>B<tr><td>1<td>2</table>",
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
        ),
        (
            "<p>a <a href='/map?a=1&b=2'>m</a>",
            '<p>a <a href="https://courier.example/map?a=1&amp;b=2">m</a></p>',
        ),
        (
            "a<p><img src=/b.png alt='\"A\"'><p>b",
            '<p>a</p><p><img src="https://courier.example/b.png" alt="&quot;A&quot;"></p><p>b</p>',
        ),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    ],
)
def test_write_html(html: str, written: str) -> None:
    assert html_of(html).replace("\n", "") == written
