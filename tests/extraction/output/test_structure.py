"""Lists, tables, code and definitions in text, Markdown and HTML."""

import pytest

from scrapy_cetr import extract
from testkit.formats import html_of, markdown_of, text_of

PRICES = (
    "<table><caption>Prices</caption><thead><tr><th>Fish<th>2023<th>2024</thead>"
    "<tr><td><a href=/cod>Cod</a><td>3<td>4<tr><td>Eel<td><td>9</table>"
)
GUTTER = (
    "<table><tr><td class=gutter><pre>1\n2\n3</pre><td class=code>"
    "<pre>def f():\n    return 1\nf()</pre></table>"
)
NUMBERED_ROWS = (
    "<table><tr><td>9<td><code>if x:</code><tr><td>10<td><code>&nbsp;&nbsp;y()</code></table>"
)
NESTED = "<ol start=9><li>Boil<li>Add<ul><li>salt<li>dill</ul><li>Serve</ol>"


@pytest.mark.parametrize(
    ("html", "text", "markdown", "written"),
    [
        pytest.param(
            PRICES,
            "Prices\n\nFish | 2023 | 2024\nCod | 3 | 4\nEel |  | 9",
            "Prices\n\n| Fish | 2023 | 2024 |\n| --- | --- | --- |\n"
            "| [Cod](https://courier.example/cod) | 3 | 4 |\n| Eel |  | 9 |",
            "<p>Prices</p><table><tr><th>Fish</th><th>2023</th><th>2024</th></tr>"
            '<tr><td><a href="https://courier.example/cod">Cod</a></td><td>3</td><td>4</td></tr>'
            "<tr><td>Eel</td><td></td><td>9</td></tr></table>",
            id="table",
        ),
        pytest.param(
            "<table><tr><th><th>Männer<th>Frauen<tr><th>Köln<td>1,2<td>3</table>",
            "| Männer | Frauen\nKöln | 1,2 | 3",
            "|  | Männer | Frauen |\n| --- | --- | --- |\n| Köln | 1,2 | 3 |",
            "<table><tr><td></td><th>Männer</th><th>Frauen</th></tr>"
            "<tr><th>Köln</th><td>1,2</td><td>3</td></tr></table>",
            id="header column",
        ),
        pytest.param(
            "<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
            "A |  | B\n1 | 2 | 3\n| 4 | 5",
            "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
            '<table><tr><th colspan="2">A</th><th>B</th></tr>'
            '<tr><td rowspan="2">1</td><td>2</td><td>3</td></tr>'
            "<tr><td>4</td><td>5</td></tr></table>",
            id="spans",
        ),
        pytest.param(
            "<table><tr><td><p>a<p>b<td>c<br>d<tr><td>e<td>f</table>",
            "a b | c d\ne | f",
            "| a b | c d |\n| --- | --- |\n| e | f |",
            "<table><tr><td><p>a</p><p>b</p></td><td>c<br>d</td></tr>"
            "<tr><td>e</td><td>f</td></tr></table>",
            id="paragraphs in cells",
        ),
        pytest.param(
            NESTED,
            "9. Boil\n10. Add\n    - salt\n    - dill\n11. Serve",
            "9. Boil\n10. Add\n\n    - salt\n    - dill\n\n11. Serve",
            '<ol start="9"><li>Boil</li><li>Add<ul><li>salt</li><li>dill</li></ul></li>'
            "<li>Serve</li></ol>",
            id="nested lists",
        ),
        pytest.param(
            "<ol reversed><li>三<li>二<li value=9>九<li>八</ol>",
            "4. 三\n3. 二\n9. 九\n8. 八",
            "4. 三\n3. 二\n9. 九\n8. 八",
            '<ol start="4" reversed><li>三</li><li>二</li><li value="9">九</li><li>八</li></ol>',
            id="reversed list",
        ),
        pytest.param(
            "<p>a</p><ul><li><p>b</p><p>c</p><li>d</ul>e",
            "a\n\n- b\n\n  c\n- d\n\ne",
            "a\n\n- b\n\n  c\n- d\n\ne",
            "<p>a</p><ul><li><p>b</p><p>c</p></li><li>d</li></ul><p>e</p>",
            id="paragraphs in items",
        ),
        pytest.param(
            "<dl><dt>Quai<dd>La rive.<dd>Le port.<dt>Môle<dd>Une digue.</dl>",
            "Quai\n  La rive.\n  Le port.\nMôle\n  Une digue.",
            "Quai\n: La rive.\n: Le port.\n\nMôle\n: Une digue.",
            "<dl><dt>Quai</dt><dd>La rive.</dd><dd>Le port.</dd>"
            "<dt>Môle</dt><dd>Une digue.</dd></dl>",
            id="definitions",
        ),
        pytest.param(
            "<p>a</p><pre>if x:\n\ty  = 1\n\n    z</pre><p>b",
            "a\n\nif x:\n\ty  = 1\n    z\n\nb",
            "a\n\n```\nif x:\n\ty  = 1\n\n    z\n```\n\nb",
            "<p>a</p><pre>if x:\ty  = 1    z</pre><p>b</p>",
            id="code",
        ),
        pytest.param(
            "<pre><div>if x:</div><div>  y()</div></pre>",
            "if x:\n  y()",
            "```\nif x:\n  y()\n```",
            "<pre>if x:  y()</pre>",
            id="code in blocks",
        ),
        pytest.param(
            "<pre><ol><li>if x:<li>  y()</ol></pre>",
            "if x:\n  y()",
            "```\nif x:\n  y()\n```",
            "<pre>if x:  y()</pre>",
            id="code in items",
        ),
        pytest.param(
            GUTTER,
            "def f():\n    return 1\nf()",
            "```\ndef f():\n    return 1\nf()\n```",
            "<pre>def f():    return 1f()</pre>",
            id="line numbers in a cell",
        ),
        pytest.param(
            NUMBERED_ROWS,
            "if x:\n  y()",
            "```\nif x:\n\xa0\xa0y()\n```",
            "<pre><code>if x:</code><code>\xa0\xa0y()</code></pre>",
            id="line numbers in rows",
        ),
    ],
)
def test_structure_is_the_same_in_all_formats(
    html: str, text: str, markdown: str, written: str
) -> None:
    assert text_of(html) == text
    assert markdown_of(html) == markdown
    assert html_of(html).replace("\n", "") == written


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<table><tr><td>one<td>two</table>", id="one row"),
        pytest.param("<table><tr><td>one<tr><td>two</table>", id="one column"),
        pytest.param(
            "<table><tr><td>one<td><table><tr><td>a<td>b<tr><td>c<td>d</table>"
            "<tr><td>e<td>f</table>",
            id="table around a table",
        ),
        pytest.param(f"<table><tr><td>Menu<td>{'word ' * 200}<tr><td>e<td>f</table>", id="long"),
        pytest.param(
            "<table>" + "<tr><td><h3>a</h3><p>b<div>c</div><td><h3>d</h3><p>e<div>f</div>" * 2,
            id="cards",
        ),
    ],
)
def test_table_for_layout_is_no_table(html: str) -> None:
    first = text_of(html).split("\n")[0]
    assert "|" not in first
    assert not markdown_of(html).startswith("|")
    assert not html_of(html).startswith("<table")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<ul><li><div>one</div><li><div>two</div></ul>", id="divisions"),
        pytest.param(f"<ol><li>{'word ' * 600}<li>two</ol>", id="long items"),
        pytest.param("<ul>one<p>two</ul>", id="no items"),
        pytest.param("<li><div>one</div>", id="item outside of a list"),
    ],
)
def test_list_for_layout_has_no_markers(html: str) -> None:
    assert text_of(html)[0] in "ow"
    assert markdown_of(html)[0] in "ow"
    assert html_of(html).startswith("<p>")


def test_list_of_which_rows_are_dropped_keeps_its_numbers() -> None:
    html = "<ol><li>a<li>b<li>c<li>d</ol>"
    assert text_of(html, [1, 3, 4]) == "1. a\n\n3. c\n4. d"
    assert markdown_of(html, [1, 3, 4]) == "1. a\n3. c\n4. d"
    expected = '<ol><li>a</li><li value="3">c</li><li>d</li></ol>'
    assert html_of(html, [1, 3, 4]).replace("\n", "") == expected


def test_table_of_which_cells_are_dropped_keeps_its_columns() -> None:
    html = "<table><tr><th>A<th>B<th>C<tr><td>1<td>2<td>3</table>"
    keep = [2, 4, 6, 8]
    assert text_of(html, keep) == "A |  | C\n1 |  | 3"
    assert markdown_of(html, keep) == "| A |  | C |\n| --- | --- | --- |\n| 1 |  | 3 |"
    row = "<tr><{0}>{1}</{0}><td></td><{0}>{2}</{0}></tr>"
    expected = f"<table>{row.format('th', 'A', 'C')}{row.format('td', '1', '3')}</table>"
    assert html_of(html, keep).replace("\n", "") == expected


STORY = "<p>The ferry company raised its fares for the fourth time in two years on Monday.</p>" * 6
FARES = "".join(f"<tr><td>Island number {n} of the sound<td>{n}" for n in range(1, 9))


def test_extract_keeps_the_cells_of_a_table_together() -> None:
    article = extract(f"<h1>Fares</h1>{STORY}<table><tr><th>To<th>Euro{FARES}</table>{STORY}")
    assert "To | Euro\nIsland number 1 of the sound | 1\n" in article.text
    assert "| Island number 8 of the sound | 8 |" in article.markdown
    assert "<td>Island number 8 of the sound</td><td>8</td>" in article.html.replace("\n", "")
