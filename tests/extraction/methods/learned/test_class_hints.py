"""Hints: what the words in classes and ids say of an element."""

import random
import string
from time import process_time

import pytest

from scrapy_cetr.extraction.methods.learned.class_hints import HINTS, hints_of


def named(label: str) -> set[str]:
    (bits,) = hints_of([label]).tolist()
    return {name for place, name in enumerate(HINTS) if bits >> place & 1}


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("", set()),
        (" ", set()),
        ("x42 _ --", set()),
        ("comments", {"comment"}),
        ("site-nav", {"nav"}),
        ("nav_menu ", {"nav"}),
        ("post-body entry", {"body"}),
        ("footer legal", {"foot"}),
        ("copyright", {"foot"}),
        ("reply", {"comment"}),
        ("faq accordion_item", {"faq", "list"}),
        ("recipe-steps", {"guide"}),
    ],
)
def test_words_of_a_label_hint_at_what_an_element_is(label: str, found: set[str]) -> None:
    assert named(label) == found


def test_a_label_can_hint_at_more_than_one_thing() -> None:
    assert named("article-sidebar related-posts") == {"body", "side", "related"}


@pytest.mark.parametrize("label", ["articleBody", "ArticleBody", "article-body", "ARTICLE_BODY"])
def test_capitals_and_signs_part_words(label: str) -> None:
    assert named(label) == {"body"}


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("ad", {"ad"}),
        ("top-ads", {"ad", "head"}),
        ("shadow", set()),
        ("toolbar", {"nav", "share"}),
        ("navy", set()),
    ],
)
def test_a_short_stem_is_a_word_of_its_own_and_a_long_one_may_be_a_part(
    label: str, found: set[str]
) -> None:
    assert named(label) == found


def test_labels_are_looked_at_by_themselves() -> None:
    labels = ["", "nav", "com", "ment", "", "ad", "s", "comment " * 30, "x", "footer"]
    found = [bits != 0 for bits in hints_of(labels).tolist()]
    assert found == [False, True, False, False, False, True, False, True, False, True]
    assert hints_of([]).tolist() == []


@pytest.mark.parametrize("label", ["评论", "kommentar", "Ωmega", "\ud800", "\x00"])
def test_what_is_in_no_list_hints_at_nothing(label: str) -> None:
    assert named(label) == set()


def test_only_the_beginning_of_a_long_label_is_read() -> None:
    assert named("x " * 99 + "comment") == set()
    assert named("x " * 90 + "comment") == {"comment"}


def test_labels_without_end_take_no_time() -> None:
    letters = random.Random(5)  # noqa: S311
    start = process_time()
    hints_of(["".join(letters.choices(string.ascii_letters, k=100_000)) for _ in range(20)])
    assert process_time() - start < 1


def test_labels_are_looked_at_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = ["nav", "x", "comment", "", "footer", "ad"]
    whole = hints_of(labels).tolist()
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 128)
    assert hints_of(labels).tolist() == whole


def test_every_hint_has_a_bit_that_is_its_own() -> None:
    for name, words in HINTS.items():
        for word in words.split():
            assert name in named(word), f"{word} of {name}"
    assert len(HINTS) < 46  # with a bit for each of the surroundings, all fit into 64
