"""The compiled pass over markup reads the same as the pass over tokens."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction.html.decoding import decode
from testkit.hostile import ARTICLE, TRAPS
from testkit.implementations import HAS_COMPILED
from testkit.invariants import check_passes
from testkit.recorded import SITE, bundled_pages

needs_compiled = pytest.mark.skipif(
    not HAS_COMPILED, reason="the package was installed without a compiler"
)
# The tests compare both implementations themselves.
pytestmark = pytest.mark.parametrize("each_way", ["numpy"], indirect=True)


PAGES = [
    *("", "a", "<", "</", "<!", "<?", "a<1<b", "5 < 6", "</>a</ x>b", "<a<b>c", "<p/a/b>"),
    *("<p =x>y", "<p a=b/>c<p a='b'/>d<p/ >e", "<p a=>b", "<p a = 'b'c=d>e", "<p", "<p a='b"),
    *("<DIV CLASS=A class=b ID = 'c d'>", "<li class='a&amp;b' id=x&ampy>", "<div id class>"),
    *("<div class='a\r\nb\0'>", "a\r\nb\rc", "a\0b<p\0>", "<title>a\0&amp;b", "<é>a</é>"),
    *("&lt;b&gt;&notit;&amp", "&#13;&#x1;&#xFDD0;&#x80;&#0;", "AT&T &unknown; &", "&am<b>p;"),
    *("<!-->a", "<!--->b", "<!---->c", "<!--a--!>b", "<!--a->b-->c", "<!-- <!-->a", "<!---!>a-->b"),
    *("<!doctype html 'a>b'>c", "<!DOCTYPE", "<![CDATA[x>y]]>z", "<?php a>c", "<?xml a?>b"),
    *("<script>a</script>b", "<script/>a</script>b", "<script>a</scriptx></SCRIPT >b"),
    "<script><!--<script></script>--></script>x",
    "<script><!--<script></script></script>x",
    *("<script><!--><script></script>x", "<script><!-- </script>x", "<script>a</script b='>'>c"),
    "<script type=Application/LD+JSON>{'articleBody': 1}\r</script>x",
    *("<textarea><p></textarea>a", "<xmp><p></xmp>b", "<plaintext>a</plaintext>b"),
    *("<title ", "<title <p>a<title>b", "<title></title><title>a</title>", "<title></title "),
    *("<style><!--</style>-->", "<iframe><p>x", "<noscript><p>x</noscript>y", "<title>x<p>y"),
    *("<svg/>a", "a<svg>b<svg/>c<svg>d</svg>e</svg>f", "<svg><title></svg></title>a</svg>b"),
    *("<svg><!-- </svg> -->a</svg>b", "<select><option>a", "<object a=b/>c</object>d"),
    *("a<img>b<video>c</video>d", "<x-y>a</x-y><x:y>b", "a</html>", "a</html><script>b</html>"),
    *(
        '<!--a--><p title="<div>b',
        "<!><p a='>x<p>y",
        "<!--<!>--><p a='>>x",
        "a<!----><p a='>x</html>",
    ),
    f"<p>{ARTICLE}<title><div id=&ampz>",
]


@needs_compiled
@pytest.mark.parametrize("html", PAGES)
# Python holds characters in one byte, two or four, whatever the largest of a text needs.
@pytest.mark.parametrize("widest", ["", "中", "👍"])
def test_markup_of_all_kinds_is_read_the_same_either_way(html: str, widest: str) -> None:
    check_passes(html)
    check_passes(html + widest)
    check_passes(widest + html)


PIECES = st.sampled_from(
    [
        *("<", "</", ">", "/>", "<!--", "-->", "--!>", "<!", "<?", "?>", "]]>", "\r\n", "\0", "é"),
        *(" ", "=", "'", '"', "-", "/", "a", "中", "𝒳", "\ud800", "ſ", "&amp;", "&#1;", "&lt", "&"),
        *("<p>", "</p>", "<div class=a id='b c'>", "<td class = v>", "<li id=&amp>", "<br/>"),
        *("<title>", "</title>", "<script>", "</script>", "<!--<script>", "<style>", "</style>"),
        *("<svg>", "</svg>", "<svg/>", "<select>", "</select>", "<textarea>", "</TEXTAREA\n>"),
        *("<p a='", '<p a="', "<p a=b", "<x-y>", "<plaintext>", "</html>", "<ſcript>", "<\u212a>"),
    ]
)


@needs_compiled
@settings(max_examples=1000, deadline=None, derandomize=True, database=None)
@given(pieces=st.lists(PIECES, max_size=14))
def test_broken_markup_is_read_the_same_either_way(pieces: list[str]) -> None:
    check_passes("".join(pieces))


@needs_compiled
@pytest.mark.parametrize("name", TRAPS)
def test_hostile_pages_are_read_the_same_either_way(name: str) -> None:
    check_passes(TRAPS[name](20_000) + ARTICLE)


@needs_compiled
def test_bundled_pages_are_read_the_same_either_way() -> None:
    for path in bundled_pages():
        check_passes(decode((SITE / path.removeprefix("/")).read_bytes()))


def test_numpy_is_chosen_where_the_compiled_module_is_missing() -> None:
    code = (
        "import sys; sys.modules['scrapy_cetr.extraction.loops._cython'] = None\n"
        "from scrapy_cetr.extraction import extract, loops\n"
        f"print(loops.IMPLEMENTATION, extract({ARTICLE!r}).text.split()[0])"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "numpy The\n"
