"""The text that is written of kept rows."""

import numpy as np
import pytest

from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.output.text import write_text


def render_all(html: str, rows: RowKind = "blocks") -> str:
    page = read(html, rows=rows)
    return write_text(page, np.ones(len(page.rows), np.bool_))


def render_some(html: str, *kept: int, rows: RowKind = "blocks") -> str:
    page = read(html, rows=rows)
    return write_text(page, np.isin(np.arange(len(page.rows)), kept))


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize(
    ("html", "text"),
    [
        # Entities and white space.
        ("caf&eacute; &amp; bar &#8212; &lt;b&gt;", "café & bar — <b>"),
        ("&amp;lt;", "&lt;"),
        ("  one \n\n\t two&nbsp;three  ", "one two three"),
        ("<p> one </p> \n <p>\n two\n</p>", "one\n\ntwo"),
        ("one\u2003two\u3000three\u2028four\x0bfive\x85six", "one two three four five six"),
        # Paragraphs and lines.
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<p>one</p>two", "one\n\ntwo"),
        ("one<div>two<div>three</div>four</div>five", "one\n\ntwo\n\nthree\n\nfour\n\nfive"),
        ("<div><div></div><p></p>one</div><p></p><hr><div>two</div>", "one\n\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("one <br> two<br/>\nthree", "one\ntwo\nthree"),
        ("one<br><br>two", "one\n\ntwo"),
        ("one<br>\n<br>two", "one\n\ntwo"),
        ("one<br>&nbsp;<br><br><br>two", "one\n\ntwo"),
        ("<br><br>one<br><br>", "one"),
        ("<p>one<br></p><p><br>two</p>", "one\n\ntwo"),
        ("<h1>one</h1><h2>two</h2>three", "one\n\ntwo\n\nthree"),
        ("<blockquote>one</blockquote><pre>two</pre>", "one\n\ntwo"),
        # Lists and tables.
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("<ul><li>one<li>two</ul><p>three", "- one\n- two\n\nthree"),
        ("<ul><li><p>one</p></li><li><p>two</p></li></ul>", "- one\n- two"),
        ("<dl><dt>one<dd>two<dt>three</dl>", "one\n  two\nthree"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a\nb\nc"),
        # Words are not joined.
        ("<p>one</p><b>two</b>", "one\n\ntwo"),
        ("one<img src=x>two", "one two"),
        ("one<input>two<button>three</button>four", "one two three four"),
        ("<a>one</a><a>two</a> <a>three</a>", "one two three"),
        ("<a>one</a><b></b><!-- x --><a>two</a>", "one two"),
        ("one<svg><path/></svg>two", "one two"),
        ("one<select><option>x</select>two<video></video>three", "one two three"),
        ("one<my-card>two", "one two"),
        ("<my-card>one</my-card><my-card>two</my-card>", "one two"),
        # Words are not split.
        ("w<b>o</b>r<i>d</i>s", "words"),
        ("w<span class=cap>or</span>d<sup>2</sup>", "word2"),
        ("<font size=7>O</font>nce", "Once"),
        ("long<wbr>word", "longword"),
        ("w<!-- comment -->ord", "word"),
        ("w<script>x()</script>o<style>p{}</style>rd", "word"),
        ("w<a href=x>or</a>d", "word"),
        ("(<a>one</a>), <em>two</em>.", "(one), two."),
        ("<B>UP</B>PER<BR>CASE", "UPPER\nCASE"),
        ("<b><i>mis</b>nested</i>", "misnested"),
        # Invisible characters.
        ("soft\xadly soft&shy;ly", "softly softly"),
        ("n\x00ul\x00", "nul"),
        ("be\x07ll \x7fdel\x80\x9f", "bell del"),
        ("\ufeffbyte\ufefforder", "byteorder"),
        ("lone \ud800surrogate\udfff", "lone surrogate"),
        ("one<p>&shy;</p>two", "one\n\ntwo"),
        ("one<p>\x00", "one"),
        # Preformatted text.
        ("<pre>one\n  two\nthree</pre>", "one\n  two\nthree"),
        ("<pre>one\r\ntwo\rthree</pre>", "one\ntwo\nthree"),
        ("<pre>one\ntwo</pre>three\nfour", "one\ntwo\n\nthree four"),
        ("<pre>a <b>b\nc</b> d</pre>", "a b\nc d"),
        ("x\ny</pre>a\nb<pre>c\nd</pre>", "x y\n\na b\n\nc\nd"),
        # Before and after the document.
        ("before<html><body>in</body></html>after", "before\n\nin\n\nafter"),
        # Scripts of the world.
        ("<p>你好，<b>世</b>界。</p><p>再见。</p>", "你好，世界。\n\n再见。"),
        ("<p>ภาษา<wbr>ไทย</p>", "ภาษาไทย"),
        ("<p>שלום <b>עולם</b><br>مرحبا</p>", "שלום עולם\nمرحبا"),
        ("<p>👩‍👩‍👧<b>👍🏽</b></p>", "👩‍👩‍👧👍🏽"),
        ("نمی\u200cخواهم", "نمی\u200cخواهم"),
        ("", ""),
        ("<p> &nbsp; </p><br>", ""),
    ],
)
def test_write_text_of_all_rows(html: str, text: str, rows: RowKind) -> None:
    assert render_all(html, rows) == text


def test_write_text_writes_only_kept_blocks() -> None:
    html = "<p>one</p><p>two</p><p>three</p>"
    assert render_some(html) == ""
    assert render_some(html, 0) == "one"
    assert render_some(html, 1) == "two"
    assert render_some(html, 0, 2) == "one\n\nthree"
    assert render_some(html, 1, 2) == "two\n\nthree"


def test_write_text_writes_only_kept_lines() -> None:
    html = "<b>one\ntwo <i>three\nfour</i>\n\nfive"
    assert render_some(html, 1, rows="lines") == "two three"
    assert render_some(html, 1, 2, rows="lines") == "two three four"
    assert render_some(html, 0, 3, rows="lines") == "one\n\nfive"


def test_dropped_row_between_list_items_leaves_a_paragraph_break() -> None:
    html = "<ul><li>one<li>two<li>three</ul>"
    assert render_some(html, 1, 2, 3) == "- one\n- two\n- three"
    assert render_some(html, 1, 3) == "- one\n\n- three"


def test_write_text_ignores_rows_without_text() -> None:
    html = "<ul><li>one<li><img><li>two</ul>"
    assert render_some(html, 1, 3) == render_some(html, 1, 2, 3) == "- one\n- two"


def test_write_text_joins_the_rows_of_a_broken_line() -> None:
    story = "It rained all day, and by night the river stood in the streets. " * 10
    page = read(f"<p>{story}</p>", rows="lines")
    assert len(page.rows) > 5
    assert write_text(page, np.ones(len(page.rows), np.bool_)) == story.strip()


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_writing_in_chunks_gives_the_same_text(
    monkeypatch: pytest.MonkeyPatch, rows: RowKind, size: int
) -> None:
    html = "<p>one<br>two\n<b>b</b>\nand<ul><li>three<li>\x00<li>four</ul>five<hr>\n<hr>" * 7
    page = read(html, rows=rows)
    count = len(page.rows)
    keeps = np.random.default_rng(7).random((20, count)) < np.linspace(0, 1, 20)[:, None]
    keeps[-1] = True
    whole = [write_text(page, keep) for keep in keeps]
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 4 * size)
    assert [write_text(page, keep) for keep in keeps] == whole


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<my-card>one</my-card>two", "one two"),
        ("one<textarea>x</textarea>two", "one two"),
        ("one<iframe>x</iframe>two", "one two"),
        ("<a href='x>Hello world", "Hello world"),
        ("<a style='a very long attribute' href=\"x>short", "short"),
        ("a<br><b></b><br>c", "a\n\nc"),
        ("one<p>&shy;</p>two", "one\n\ntwo"),
        ("<p>one <span><meta itemprop=x content=y>two</span> three", "one two three"),
        ("<select><option>one<p>two<template>three</template>four", "one\n\ntwo four"),
    ],
)
def test_write_text_of_markup_found_by_fuzzing(html: str, text: str) -> None:
    assert render_all(html) == text
