"""Invariants of every extraction, checked by hypothesis and by the fuzzer in ``fuzz/``."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from scrapy_cetr.extraction import Article, extract, loops
from scrapy_cetr.extraction.elements import HIDDEN_TEXTS, HIDDEN_TREES
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.html.scan import Scan
from testkit.implementations import using_loops

_HIDDEN = HIDDEN_TEXTS | HIDDEN_TREES


def is_invisible(char: str) -> bool:
    control = unicodedata.category(char) in ("Cc", "Cs") and not char.isspace()
    return control or char in "\xad\ufeff"


def squeeze(text: str) -> str:
    """Remove white space and invisible characters."""
    return "".join(char for char in text if not char.isspace() and not is_invisible(char))


def is_subsequence(part: str, whole: str) -> bool:
    characters = iter(whole)
    return all(char in characters for char in part)


def check_bytes(data: bytes, **options: Any) -> None:
    """Check a page given as bytes, and that the decoded page gives the same article."""
    html = decode(data)
    assert isinstance(html, str)
    assert extract(data, **options) == check_page(html, **options)


def check_page(html: str, **options: Any) -> Article:
    """Check that the article is clean, part of the page, and the same when extracted again."""
    article = extract(html, **options)
    assert extract(html, **options) == article
    if loops.IMPLEMENTATION == "cython":
        check_passes(html)
    check_clean(article.text)
    # Some pages declare the body of their article in JSON-LD too.
    if "articleBody" not in html:
        page = read(html[: options.get("max_size")], rows=options.get("rows", "blocks"))
        assert is_subsequence(squeeze(without_markers(article.text)), squeeze(page.text))
    assert article.truncated == (len(html) > options.get("max_size", len(html)))
    # No attribute raises, including those that are computed on access.
    for name in dir(article):
        if not name.startswith("_"):
            getattr(article, name)
    return article


def check_passes(html: str) -> None:
    """Check that the compiled pass over a page notes what the pass over its tokens does."""
    for hidden in (_HIDDEN, _HIDDEN - {"svg"}, HIDDEN_TEXTS):
        for with_class_names in (True, False):
            compiled, plain = (
                _noted(implementation, html, hidden, with_class_names=with_class_names)
                for implementation in ("cython", "numpy")
            )
            assert compiled == plain


def _noted(
    implementation: str, html: str, hidden: frozenset[str], *, with_class_names: bool
) -> Any:
    scan = Scan(hidden=hidden, with_class_names=with_class_names, with_marks=True)
    with using_loops(implementation):
        scan.feed(html)
    return (
        "".join(scan.texts),
        [column.tolist() for column in scan.tag_columns()],
        ([part.class_name.tolist() for part in scan.parts], [*scan.class_name_ids]),
        [part.numbers.tolist() for part in scan.parts],
        (scan.title, scan.json_ld_scripts, scan.unclosed),
        ([part.marks for part in scan.parts], scan.styles),
    )


def check_clean(text: str) -> None:
    """Check that a text can be stored, and has paragraphs of lines without space at their ends."""
    text.encode()
    assert text == text.strip("\n")
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))


def without_markers(text: str) -> str:
    """Remove what may be the marker of an item or the separator of cells."""
    return re.sub(r"^ *-?\d+\. |[-|]", "", text, flags=re.MULTILINE)
