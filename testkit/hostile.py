"""Pages that broke other extractors: markup of any size (the trap), followed by an article."""

import random
from collections.abc import Callable

FIRST = "The harbour master of Tarnmouth closed the old lifting bridge on Monday morning"
LAST = "and so the last boat of the evening left the quay without a single passenger."

_SENTENCES = (
    "Nobody in the town could say how long the repair would take, or who was going to pay for it.",
    "Engineers had found the cracks in spring, when a diver went down to the northern pier.",
    "Shopkeepers on the eastern bank expect to lose a third of their customers until the winter.",
    "The council met for six hours, heard eleven speakers, and put off its decision once again.",
    "A ferry will carry pedestrians and bicycles for as long as the weather allows it to sail.",
)


def _paragraphs() -> list[str]:
    """Return six different paragraphs of more than two hundred characters."""
    bodies = [
        " ".join(_SENTENCES[(first + step) % len(_SENTENCES)] for step in range(3))
        for first in range(6)
    ]
    bodies[0] = f"{FIRST}. {bodies[0]}"
    bodies[-1] = f"{bodies[-1]} It was late, {LAST}"
    return bodies


ARTICLE = "\n".join(f"<p>{body}</p>" for body in _paragraphs())


def _times(piece: str) -> Callable[[int], str]:
    """Return a function that repeats a piece of markup up to a size."""
    return lambda size: piece * (size // len(piece))


def _around(before: str, piece: str, after: str = "") -> Callable[[int], str]:
    return lambda size: before + piece * (size // len(piece)) + after


def _nested(name: str) -> Callable[[int], str]:
    def nest(size: int) -> str:
        depth = size // (2 * len(name) + 5)
        return f"<{name}>" * depth + f"</{name}>" * depth

    return nest


def _random(size: int) -> str:
    return random.Random(7).randbytes(size).decode("latin-1")  # noqa: S311


def _random_ascii(size: int) -> str:
    return "".join(random.Random(7).choices("<>/!-='\"&; abpdiv\n", k=size))  # noqa: S311


def _live_blog(size: int) -> str:
    post = "<article><h3><a href=/{0}>Post {0}</a></h3><p>Water is at {0} cm now.</p></article>\n"
    return "".join(post.format(number) for number in range(size // len(post)))


def _long_title(size: int) -> str:
    words = " ".join(f"{number:x}" for number in range(size // 12))
    return f"<title>{words}</title>" + "<hr><hr><hr><p>a1</p>" * (size // 40)


def _attributes(size: int) -> str:
    return f"<p {' '.join(f'a{number}=x' for number in range(size // 9))}>"


TRAPS: dict[str, Callable[[int], str]] = {
    # Known to break other extractors.
    "nested divs": _nested("div"),
    "unclosed b": _times("<b>"),
    "unclosed div": _times("<div>"),
    "unclosed comment": _around("<!-- ", "x "),
    "unclosed script": _around("<script>", "x = 1; "),
    "one long attribute": _around("<p title='", "x", "'></p>"),
    "zero characters": _times("\x00"),
    "random characters": _random,
    "one long line": _times("word "),
    "entities": _times("&amp;"),
    "long entities": _times("&CounterClockwiseContourIntegral;"),
    "lone <": _times("<"),
    "short p": _times("<p>x</p>"),
    "list of links": _times("<li><a href=/x>x</a>"),
    "misnested b and p": _times("<b><p>"),
    "br": _times("<br>"),
    "br and lines": _times("<br>\n"),
    "colspans": _around("<table>", "<tr><td colspan=1000 rowspan=65534>x", "</table>"),
    "nested json": _around("<script type=application/ld+json>", '{"a":[', "</script>"),
    "live blog": _live_blog,
    # Other broken or unusual markup.
    "objects beside a declared body": _around(
        f'<script type=application/ld+json>{{"articleBody": "{"word " * 60}", "x": [{{}}',
        ", {}",
        "]}</script>",
    ),
    "unclosed tag": _times('<a "'),
    "unclosed quotation mark": _around('<p>x</p><a title="', "x "),
    "unclosed single quotation mark": _around("<p>x</p><a title='", "x "),
    "unclosed quotation mark after attributes": lambda size: _attributes(size)[:-1] + ' z="',
    "end tags": _times("</div>"),
    "end tags of p": _times("</p>"),
    "misnested font and a": _times("<font><a>x"),
    "table and b": _times("<table><b>"),
    "tables in cells": _times("<table><tr><td>"),
    "options": _times("<select><option>"),
    "svg": _times("<svg><g>"),
    "closed svg": _times("<svg><g></svg>"),
    "templates": _times("<template>x"),
    "attributes": _attributes,
    "chain of amp": _around("&", "amp;"),
    "ampersands": _times("&"),
    "digits of an entity": _around("&#", "1", ";"),
    "unclosed comments": _times("<!--"),
    "closed comments": _times("<!---->"),
    "bogus comments": _times("<!x>"),
    "comment ends": _around("<!--", "--!-- "),
    "scripts": _times("<script>"),
    "unclosed titles": _times("<title>"),
    "every unclosed element": _times("<title><textarea><style><script><xmp><iframe><noscript>"),
    "plaintext": _around("<plaintext>", "x "),
    "alternating p": _times("<p>x"),
    "empty p": _times("<p></p>"),
    "custom elements": _times("<x-y>x</x-y>"),
    "unknown elements": _times("<x>"),
    "long name": _around("<", "x", ">"),
    "definition lists": _times("<dl><dt>x<dd>"),
    "pre": _around("<pre>", "x\n", "</pre>"),
    "titled pre": _around("<title>X y z</title><pre>", "x\n", "</pre>"),
    "nested pre": _times("<pre>x\n"),
    "rows of a table": _around("<table>", "<tr><td>x<td>y", "</table>"),
    "white space": _times(" \n\t"),
    "lines": _times("x\n"),
    "carriage returns": _times("\r"),
    "soft hyphens": _times("a\xad"),
    "emoji": _times("👍"),
    "ideographs": _times("渔民"),
    "combining marks": _around("e", "\u0301"),
    "surrogates": _times("\ud800"),
    "random markup": _random_ascii,
    "processing instructions": _times("<?x "),
    "cdata": _times("<![CDATA["),
    "long title and many segments": _long_title,
    "menus": _times("<div class=menu>x</div>"),
    "unclosed menus": _times("<div class=menu>"),
    "forms": _times("<form>x"),
    "doctypes": _times("<!doctype x>"),
    # Markup that could take much memory.
    "tags over two lines": _times("<b\n>"),
    "words far apart": _times("ab  "),
    "words with soft hyphens": _times("ab\xad"),
    "words far apart in a title": _around("<title>", "ab  ", "</title>"),
    "different words": lambda size: " ".join(f"{number:x}" for number in range(size // 6)),
    "headings of different words": lambda size: "".join(
        f"<h2>{number:x}" for number in range(size // 9)
    ),
    "empty divs with classes": _times('<div class="a b"></div>'),
    "long attributes": _times(f"<div class='{'menu ' * 1000}'>"),
    "line breaks in one word": _times("a<br>"),
    "links in one word": _times("<a>a</a>"),
    "all kinds of breaks": _times("<p>a<br>b<hr>c<li>d<td>e</p>\n<pre>f\n"),
    "cells of a preformatted table": _around("<pre><table>", "<td>x\n"),
}


def hostile_page(trap: str, size: int) -> str:
    """Make a page: a short menu, a trap of about ``size`` characters, and the article."""
    return f"<p>Menu</p>{TRAPS[trap](size)}>\n<hr>\n{ARTICLE}"
