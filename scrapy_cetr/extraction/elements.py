"""The elements of HTML: how they divide the text, which are hidden, and their codes."""

from __future__ import annotations

import numpy as np

# How strongly the tags of an element divide the text around them.
INLINE = 0  # not at all: w<b>or</b>d is one word
SPACE = 1  # words, as an image or a button does
LINE = 2  # lines
ITEM = 3  # lines, and a new row of the page begins
BLOCK = 4  # paragraphs, and a new row of the page begins
GAP = 5  # as BLOCK, where a row between them is left out
# What is written between two pieces of text, by the strength of the break between them.
SEPARATORS = ("", " ", "\n", "\n", "\n\n", "\n\n")

# Elements whose class names are read come last: texts of their own, then the containers, which can
# hold paragraphs.
_ELEMENTS = (
    (INLINE, "abbr acronym b base bdi bdo big cite code data del dfn em font i ins kbd label link"),
    (
        INLINE,
        "map mark meta nobr output q rb rp rt rtc ruby s samp small span strike strong sub sup",
    ),
    (INLINE, "time tt u var wbr"),
    (SPACE, "applet area button embed image img input math meter progress"),
    (ITEM, "option th tr"),
    (BLOCK, "body caption col colgroup dir frame frameset head hr html legend listing marquee"),
    (BLOCK, "optgroup summary tbody tfoot thead"),
    (BLOCK, "figcaption h1 h2 h3 h4 h5 h6 p pre"),
    (ITEM, "dd dt li td"),
    (BLOCK, "address article aside blockquote center details dialog div dl fieldset figure"),
    (BLOCK, "footer form header hgroup main menu nav ol search section table ul"),
)


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Nothing inside of these elements is shown as text. For a tokenizer, the inside of HIDDEN_TEXTS is
# one piece of text up to the end tag; the inside of HIDDEN_TREES is markup.
HIDDEN_TEXTS = _names("iframe noembed noframes noscript plaintext script style textarea title xmp")
HIDDEN_TREES = _names("audio canvas datalist object select svg template video")
# Unlike images and form fields, these hidden elements do not separate words.
NOT_SEPARATING = frozenset(("noscript", "script", "style", "title"))
# The tags that pictures are read from.
PICTURE_TAGS = frozenset(("img", "image", "amp-img", "source", "picture"))
# Elements that a browser shows as a picture.
IMAGES = frozenset(("img", "image", "svg", "video", "canvas", "object", "embed", "iframe"))
# The type of JSON-LD scripts, and the key of the text in them.
JSON_LD, ARTICLE_BODY = "application/ld+json", "articleBody"

# The codes of elements begin with 1, and an end tag has the negative code of its element. HIDDEN is
# any of the above, UNKNOWN no element of HTML, and CUSTOM one such as <my-card>. The second of two
# consecutive line breaks becomes a paragraph break.
HIDDEN, UNKNOWN, CUSTOM, LINK, LINE_BREAK, PARAGRAPH_BREAK = range(1, 7)
ELEMENT_NAMES = (
    *("", "", "", "", "a", "br", "br"),
    *(name for _, names in _ELEMENTS for name in names.split()),
)
BREAK_STRENGTHS = np.array(
    [INLINE, INLINE, INLINE, SPACE, INLINE, LINE, BLOCK]
    + [strength for strength, names in _ELEMENTS for _ in names.split()],
    np.uint8,
)
FIRST_NAMED, FIRST_CONTAINER = map(ELEMENT_NAMES.index, ("figcaption", "dd"))
ELEMENT_CODES = {
    **{name: code for code, name in enumerate(ELEMENT_NAMES) if name},
    **dict.fromkeys(HIDDEN_TEXTS | HIDDEN_TREES, HIDDEN),
    "br": LINE_BREAK,
}


def codes_of(names: str) -> frozenset[int]:
    """Look up the codes of some elements.

    >>> sorted(ELEMENT_NAMES[code] for code in codes_of("td br"))
    ['br', 'td']
    """
    return frozenset(ELEMENT_CODES[name] for name in names.split())


# Containers whose end tags are optional. Where some are missing, the page has no such containers.
END_OPTIONAL = codes_of("li td dd dt")
VOID = codes_of("area base br col embed frame hr image img input link meta wbr") | {PARAGRAPH_BREAK}
# A start tag ends an open element of the first set, unless one of the second is open inside of it.
IMPLIED_ENDS = {
    code: (codes_of(closed), codes_of(barriers))
    for names, closed, barriers in (
        ("li", "li", "ul ol menu dir table"),
        ("dt dd", "dt dd", "dl table"),
        ("td th", "td th", "tr table"),
        ("tr", "tr", "table tbody thead tfoot"),
        ("option optgroup", "option", "optgroup"),
    )
    for code in codes_of(names)
}

# The elements that give a text its structure, by kind, and after them those that tell lists and
# tables for layout: the lists of an article rarely hold divisions, nor its cells headings. Others
# are 0.
BULLETS, NUMBERED, LIST_ITEM, DEFINITIONS, TERM, DEFINITION = range(1, 7)
QUOTATION, CODE, TABLE, TABLE_ROW, CELL, DIVISION, HEADING = range(7, 14)
STRUCTURE_KINDS = np.zeros(128, np.uint8)
for _kind, _of_kind in (
    (BULLETS, "ul menu dir"),
    (NUMBERED, "ol"),
    (LIST_ITEM, "li"),
    (DEFINITIONS, "dl"),
    (TERM, "dt"),
    (DEFINITION, "dd"),
    (QUOTATION, "blockquote"),
    (CODE, "pre listing"),
    (TABLE, "table"),
    (TABLE_ROW, "tr"),
    (CELL, "td th"),
    (DIVISION, "div article section form"),
    (HEADING, "h1 h2 h3 h4 h5 h6"),
):
    STRUCTURE_KINDS[sorted(codes_of(_of_kind))] = _kind
HEADER_CELL = ELEMENT_CODES["th"]
