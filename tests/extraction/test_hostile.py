"""Hostile pages: extraction takes linear time, raises nothing and finds the article."""

import random
from time import process_time

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.analysis import conclude, judge
from scrapy_cetr.extraction.html.reader import RowKind, read
from testkit.hostile import ARTICLE, FIRST, LAST, TRAPS, hostile_page

SIZE = 500_000
# CPU time, which does not depend on other processes.
SECONDS = 0.75


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("trap", TRAPS)
def test_article_after_a_trap_is_found_in_time(trap: str, rows: RowKind) -> None:
    html = hostile_page(trap, SIZE * 4 // 5)
    start = process_time()
    text = extract(html, rows=rows).text
    assert process_time() - start < SECONDS
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
        start = process_time()
        verdict = judge(page, options=options)
        text = conclude(page, verdict.keep, verdict.probability, html=html, options=options).text
        assert process_time() - start < SECONDS, method
        assert FIRST in text, method
        assert LAST in text, method


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
    page = read(hostile_page(trap, SIZE // 4), rows="blocks")
    start = process_time()
    assert page.words.sum() > 200
    assert page.link_chars.sum() <= page.rows.chars.sum()
    assert len(page.nodes) <= len(page.tags)
    assert process_time() - start < SECONDS


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
    start = process_time()
    article = extract(html)
    assert process_time() - start < SECONDS
    assert article.page_chars > len(ARTICLE) // 2


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_article_in_utf_16_declared_as_utf_8_is_found(codec: str) -> None:
    html = "<html><head><meta charset=utf-8></head><p>Menu</p>" + ARTICLE * 100
    assert LAST in extract(html.encode(codec)).text


def best_time(trap: str, size: int, method: str = "cetr") -> float:
    html = hostile_page(trap, size)
    times = []
    for _ in range(3):
        start = process_time()
        extract(html, method=method)
        times.append(process_time() - start)
    return min(times)


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
    # Quadratic time would be 16 times as long; times below 0.1 s are too noisy.
    small, large = best_time(trap, size // 4, method), best_time(trap, size, method)
    if large > 8 * small and large > 0.1:
        small, large = best_time(trap, size // 4, method), best_time(trap, size, method)
    assert large <= 8 * small or large <= 0.1
