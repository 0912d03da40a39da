"""Class hints: what the words in class names say about an element."""

import random
import string

import pytest

from scrapy_cetr.extraction.page.class_hints import CLASS_HINTS, class_hints
from testkit.timing import in_time


def hints_in(class_name: str) -> set[str]:
    (bits,) = class_hints([class_name]).tolist()
    return {name for bit, name in enumerate(CLASS_HINTS) if bits >> bit & 1}


@pytest.mark.parametrize(
    ("class_name", "found"),
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
        ("navbar topnav", {"nav"}),
        ("komentarze", {"comment"}),
        ("kommentar-liste", {"comment", "list"}),
        ("comentarios", {"comment"}),
        ("latest-stories", {"related", "others"}),
        ("contact-form", {"site", "search"}),
    ],
)
def test_class_hints_of_usual_class_names(class_name: str, found: set[str]) -> None:
    assert hints_in(class_name) == found


def test_class_name_can_have_several_hints() -> None:
    assert hints_in("article-sidebar related-posts") == {"body", "side", "related", "others"}


@pytest.mark.parametrize(
    "class_name", ["articleBody", "ArticleBody", "article-body", "ARTICLE_BODY"]
)
def test_case_and_separators_do_not_matter(class_name: str) -> None:
    assert hints_in(class_name) == {"body"}


@pytest.mark.parametrize(
    ("class_name", "found"),
    [
        ("ad", {"ad"}),
        ("top-ads", {"ad", "head"}),
        ("shadow", set()),
        ("toolbar", {"nav", "share"}),
        ("navy", set()),
        ("col-right", {"side"}),
        ("copyrights", {"foot"}),
        ("read more", {"related"}),
        ("anymore", set()),
    ],
)
def test_short_stem_has_to_be_a_whole_word(class_name: str, found: set[str]) -> None:
    assert hints_in(class_name) == found


@pytest.mark.parametrize("class_name", ["relative flex", "responsive", "transform", "platform"])
def test_words_of_style_sheets_give_no_hint(class_name: str) -> None:
    assert hints_in(class_name) == set()


def test_stems_do_not_span_class_names() -> None:
    class_names = ["", "nav", "com", "ment", "", "ad", "s", "comment " * 30, "x", "footer"]
    found = [bits != 0 for bits in class_hints(class_names).tolist()]
    assert found == [False, True, False, False, False, True, False, True, False, True]
    assert class_hints([]).tolist() == []


@pytest.mark.parametrize("class_name", ["评论", "schlagzeile", "Ωmega", "\ud800", "\x00"])
def test_unknown_words_give_no_hint(class_name: str) -> None:
    assert hints_in(class_name) == set()


def test_only_the_beginning_of_a_long_class_name_is_read() -> None:
    assert hints_in("x " * 99 + "comment") == set()
    assert hints_in("x " * 90 + "comment") == {"comment"}


def test_very_long_class_names_are_read_fast() -> None:
    letters = random.Random(5)
    names = ["".join(letters.choices(string.ascii_letters, k=100_000)) for _ in range(20)]
    in_time(1, lambda: class_hints(names))


def test_class_hints_do_not_depend_on_the_chunk_size(monkeypatch: pytest.MonkeyPatch) -> None:
    class_names = ["nav", "x", "comment", "", "footer", "ad"]
    whole = class_hints(class_names).tolist()
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 128)
    assert class_hints(class_names).tolist() == whole


def test_every_stem_gives_its_hint() -> None:
    for name, words in CLASS_HINTS.items():
        for word in words.split():
            assert name in hints_in(word), f"{word} of {name}"
    # Class hints share 64 bits with the 18 surrounding elements.
    assert len(CLASS_HINTS) <= 64 - 18
