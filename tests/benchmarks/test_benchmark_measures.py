"""Words, scores and tables of the benchmarks."""

import doctest
import importlib

import pytest

from benchmarks.accuracy import harmonic_mean, score, words
from benchmarks.peers import PEERS
from benchmarks.table import Table, as_markdown, as_text


def test_words_are_runs_of_word_characters() -> None:
    assert words("The cat, the 2nd CAT's hat.") == {
        "the": 2,
        "cat": 2,
        "2nd": 1,
        "s": 1,
        "hat": 1,
    }


def test_words_of_cjk_text_are_single_characters() -> None:
    assert words("iPhone手机，手 かな・カナ 𠮷〇") == {
        "iphone": 1,
        "手": 2,
        "机": 1,
        "か": 1,
        "な": 1,
        "カ": 1,
        "ナ": 1,
        "𠮷": 1,
        "〇": 1,
    }


def test_score_counts_shared_words() -> None:
    # Shared: the, cat, sat; of "the" twice kept, one is in the gold text.
    page = score(words("the cat sat the menu home"), words("The cat sat down."))
    assert (page.precision, page.recall) == (3 / 6, 3 / 4)
    assert page.f1 == pytest.approx(0.6)
    assert (page.kept, page.gold) == (6, 4)


def test_score_counts_chinese_characters() -> None:
    page = score(words("今天天气好"), words("今天下雨"))
    assert (page.precision, page.recall) == (2 / 5, 2 / 4)


@pytest.mark.parametrize(
    ("kept", "gold", "expected"),
    [("", "", 1.0), ("", "a b", 0.0), ("a b", "", 0.0), ("…", "!", 1.0)],
)
def test_score_of_empty_texts_is_zero_or_one(kept: str, gold: str, expected: float) -> None:
    page = score(words(kept), words(gold))
    assert page.precision == page.recall == page.f1 == expected


def test_harmonic_mean_of_zeros_is_zero() -> None:
    assert harmonic_mean(0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>seen<script>var no</script><style>no {}</style><p>too", "seen too"),
        ("<title>no</title><p><noscript>no</noscript>seen<!-- no -->", "seen"),
        ("<ul>one<p>two<li>three</ul>four", "one two three four"),
        ("<table><caption>a</caption><tr><td>b<table><td>c</table>d<td>e</table>", "a b c d e"),
        ("<b>W</b>ord<br>next<font><div>x</div>y</font>", "Word next x y"),
        ("<head><style>no</style></head><svg><style>no</style><text>s</text></svg>t", "s t"),
        ("", ""),
    ],
)
def test_all_text_peer_returns_the_visible_text(html: str, expected: str) -> None:
    assert " ".join(PEERS["all-text"](html).split()) == expected


def test_markdown_table_escapes_bars() -> None:
    table = Table(["a"], [["b|c"]], name_columns=1)
    assert as_markdown(table).splitlines()[-1] == r"| b\|c |"
    assert as_text(table).splitlines()[-1] == "b|c"


@pytest.mark.parametrize(
    "name",
    [
        *("accuracy", "contenders", "conventions", "corpus", "growth", "outputs", "speed"),
        *("structure", "table"),
        "visible_text",
    ],
)
def test_docstring_examples_of_benchmark_module_pass(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"benchmarks.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
