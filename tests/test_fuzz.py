"""Random trees, broken markup, every encoding: what holds for any page, and a bounded fuzzing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.elements import ELEMENT_CODES, VOID
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.page.page import Page
from testkit.invariants import check_bytes, check_page

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 6
VOID_NAMES = [name for name, code in ELEMENT_CODES.items() if code in VOID]
BLOCKS = ["p", "div", "li", "ul", "table", "tr", "td", "h1", "section", "article", "form", "pre"]
INLINES = ["b", "i", "a", "span", "em", "code", "x-y", "font"]
DAMAGE = ["<", ">", "&", '"', "'", "<!--", "-->", "</", "<a b='", "&#x110000;", "<![CDATA[", "\x00"]
thoroughly = settings(max_examples=120, deadline=None, derandomize=True, database=None)


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Make elements around children: closed, left open, or closed twice."""
    name = st.sampled_from(BLOCKS + INLINES)
    form = st.sampled_from(("<{0}>{1}</{0}>", "<{0} class=c id='i'>{1}", "<{0}>{1}</{0}></{0}>"))
    inside = st.lists(children, max_size=5).map(" ".join)
    return st.builds(lambda form, name, text: form.format(name, text), form, name, inside)


# Each word of a tree stands for itself: w0, w1, w2 and so on, in the order of the page.
LEAVES = st.sampled_from(["@", "@ @ @ @", "@. @,\n@", *(f" <{name}> " for name in VOID_NAMES)])
TREES = st.recursive(LEAVES, element, max_leaves=30)


def numbered(tree: str) -> tuple[str, list[str]]:
    """Put a different word for each mark in a tree."""
    first, *others = tree.split("@")
    words = [f"w{number}" for number in range(len(others))]
    pieces = (word + other for word, other in zip(words, others, strict=True))
    return first + "".join(pieces), words


OPTIONS = st.fixed_dictionaries(
    {
        "method": st.sampled_from(sorted(METHODS)),
        "rows": st.sampled_from(["blocks", "lines"]),
        "max_size": st.sampled_from([10, 50_000_000]),
    }
)


@thoroughly
@given(tree=TREES, options=OPTIONS)
def test_no_word_of_a_tree_is_written_twice_or_joined_with_another(
    tree: str, options: dict[str, Any]
) -> None:
    html, words = numbered(tree)
    check_page(html, **options)
    kept = [word.strip(".,") for word in extract(html, method=options["method"]).text.split()]
    assert len(kept) == len(set(kept))
    assert kept == [word for word in words if word in set(kept)]


@thoroughly
@given(tree=TREES, damage=st.sampled_from(DAMAGE), place=st.integers(0, 200), options=OPTIONS)
def test_a_damaged_tree_is_a_page_like_any_other(
    tree: str, damage: str, place: int, options: dict[str, Any]
) -> None:
    html, _ = numbered(tree)
    html = html[:place] + damage + html[place:]
    check_page(html, **options)
    kept = [word for word in extract(html, method=options["method"]).text.split() if word[1:]]
    numbers = [word for word in kept if word[0] == "w" and word[1:].isdecimal()]
    assert len(numbers) == len(set(numbers))


CODECS = [
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp1252"),
    *("latin-1", "koi8-r", "shift_jis", "euc-jp", "iso2022_jp", "gb18030", "big5", "euc-kr"),
    *("cp437", "cp037", "cp1256", "hz", "mac-roman", "iso8859-8", "tis-620", "cp932"),
]


@thoroughly
@given(
    tree=TREES,
    text=st.text(max_size=30),
    codec=st.sampled_from(CODECS),
    declared=st.sampled_from([*CODECS, "", "bogus"]),
    options=OPTIONS,
)
def test_bytes_in_every_encoding_give_the_article_of_their_characters(
    tree: str, text: str, codec: str, declared: str, options: dict[str, Any]
) -> None:
    html = f"<meta charset='{declared}'>{numbered(tree)[0]}<p>{text}</p>"
    check_bytes(html.encode(codec, "ignore"), **options)


@thoroughly
@given(
    tree=TREES,
    lower=st.floats(0, 3),
    more=st.floats(0, 3),
    choice=st.sampled_from([("cetr-tm", "lam", 1.0), ("lineblock", "lineblock_ttr", 100.0)]),
)
def test_a_higher_threshold_keeps_no_more(
    tree: str, lower: float, more: float, choice: tuple[str, str, float]
) -> None:
    html, _ = numbered(tree)
    method, option, scale = choice
    # At zero, the rows without any text would decide; on a page without tags, all is kept.
    levels = ((lower + 0.01) * scale, (lower + more + 0.01) * scale)
    chosen: list[dict[str, Any]] = [{"method": method, option: level} for level in levels]
    some, fewer = (set(extract(html, **options).text.split()) for options in chosen)
    assert fewer <= some


def bounds(page: Page) -> tuple[list[int], list[int]]:
    return page.rows.start.tolist(), page.rows.end.tolist()


@pytest.mark.parametrize("piece", ["<p>x", "x\n", "<b\n>", "<hr><hr><p>x</p>", "<pre>x\n", "<br>x"])
def test_of_too_many_rows_neighbours_are_taken_together_and_nothing_is_lost(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_cetr.extraction.page.page.MAX_ROWS", 1000)
    long = "The long text of a row that stays as it is, whatever is beside it. " * 2
    html = f"{piece * 5000}<p>{long}</p>{piece * 5000}<p>last"
    for rows in ("blocks", "lines"):
        page = read(html, rows=rows)
        # The rows around the long one are kept besides.
        assert len(page.rows) <= 1000 + 20
        assert long in [page.text[at:end] for at, end in zip(*bounds(page), strict=True)] or (
            rows == "lines"
        )
        assert page.rows.end[-1] == len(page.text)
        assert page.rows.tags.sum() == len(page.tags)
        assert page.rows.chars.sum() >= page.text.count("x")


def test_the_fuzzer_finds_nothing_in_a_few_seconds(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="the fuzzer is an extra: pip install 'scrapy-cetr[fuzz]'")
    command = [sys.executable, "-m", "fuzz", str(tmp_path), "fuzz/corpus"]
    done = subprocess.run(  # noqa: S603
        [*command, f"-max_total_time={SECONDS}", "-seed=1", "-rss_limit_mb=2000"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=20 * SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Done" in done.stderr
