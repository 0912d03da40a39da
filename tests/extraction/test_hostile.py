"""Hostile pages: extraction takes linear time, raises nothing and finds the article."""

import random
from functools import partial

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.analysis import conclude, judge
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.page.page import Page
from testkit.hostile import ARTICLE, FIRST, LAST, TRAPS, hostile_page
from testkit.timing import grows_linearly, in_time

SIZE = 500_000
SECONDS = 0.75


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("trap", TRAPS)
def test_article_after_a_trap_is_found_in_time(trap: str, rows: RowKind) -> None:
    html = hostile_page(trap, SIZE * 4 // 5)
    text = in_time(SECONDS, lambda: extract(html, rows=rows)).text
    assert FIRST in text
    assert LAST in text


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("trap", TRAPS)
def test_article_after_a_trap_is_found_in_time_by_other_methods(trap: str, rows: RowKind) -> None:
    html = hostile_page(trap, SIZE * 4 // 5)
    # Reading the page takes most of the time, and is the same for every method.
    pages = {names: read(html, rows=rows, with_class_names=names) for names in (False, True)}
    for method in METHODS.keys() - {"learned"}:
        page = pages[METHODS[method].uses_class_names]
        options = Options(method=method, rows=rows)
        text = in_time(SECONDS, partial(judge_and_write, page, html, options))
        assert FIRST in text, method
        assert LAST in text, method


def judge_and_write(page: Page, html: str, options: Options) -> str:
    verdict = judge(page, options=options)
    return conclude(page, verdict.keep, verdict.probability, html=html, options=options).text


@pytest.mark.parametrize("trap", TRAPS)
def test_trap_without_an_article_raises_nothing(trap: str) -> None:
    for rows in ("blocks", "lines"):
        assert isinstance(extract(TRAPS[trap](20_000), rows=rows).text, str)


@pytest.mark.parametrize("trap", TRAPS)
def test_article_before_a_trap_is_read(trap: str) -> None:
    html = f"<p>Menu</p>\n{ARTICLE}\n<hr>{TRAPS[trap](20_000)}"
    text = " ".join(read(html, rows="blocks").text.split())
    assert FIRST in text
    assert LAST in text


@pytest.mark.parametrize("trap", TRAPS)
def test_columns_of_a_hostile_page_are_computed_in_time(trap: str) -> None:
    html = hostile_page(trap, SIZE // 4)

    def compute() -> None:
        page = read(html, rows="blocks")
        assert page.words.sum() > 200
        assert page.link_chars.sum() <= page.rows.chars.sum()
        assert len(page.nodes) <= len(page.tags)

    in_time(SECONDS, compute)


@pytest.mark.parametrize(
    "noise",
    [
        random.Random(3).randbytes(SIZE),
        b"\x00" * SIZE,
        b"\xff" * SIZE,
        b"\x1b$B" * (SIZE // 3),
        b"\x81\x30" * (SIZE // 2),
        b"\xef\xbb\xbf" * (SIZE // 3),
    ],
    ids=["random", "zeros", "ff", "escapes", "gb18030", "marks"],
)
def test_article_after_undecodable_bytes_is_read(noise: bytes) -> None:
    html = b"<p>Menu</p>" + noise + b"'\"--></script>\n<hr>\n" + ARTICLE.encode()
    article = in_time(SECONDS, lambda: extract(html))
    assert article.page_chars > len(ARTICLE) // 2


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_article_in_utf_16_declared_as_utf_8_is_found(codec: str) -> None:
    html = "<html><head><meta charset=utf-8></head><p>Menu</p>" + ARTICLE * 100
    assert LAST in extract(html.encode(codec)).text


@pytest.mark.parametrize(
    "trap",
    [
        *("nested divs", "unclosed b", "unclosed comments", "alternating p", "br", "entities"),
        *(
            "misnested font and a",
            "unclosed quotation mark after attributes",
            "lone <",
            "live blog",
            "svg",
        ),
    ],
)
def test_time_of_a_hostile_page_is_linear_in_its_size(trap: str) -> None:
    assert_linear(trap, "cetr", 2 * SIZE)


@pytest.mark.parametrize("method", [name for name in METHODS if not name.startswith("cetr")])
@pytest.mark.parametrize("trap", ["nested divs", "live blog", "long title and many segments"])
def test_time_of_each_method_is_linear_in_the_size_of_the_page(trap: str, method: str) -> None:
    assert_linear(trap, method, SIZE)


def assert_linear(trap: str, method: str, size: int) -> None:
    pages = {each: hostile_page(trap, each) for each in (size // 4, size)}
    call = partial(extract, method=method)
    assert grows_linearly(lambda each: call(pages[each]), size=size // 4, short=0.1)
