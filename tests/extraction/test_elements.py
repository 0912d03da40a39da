"""The table of elements."""

import pytest

from scrapy_cetr.extraction.elements import (
    BLOCK,
    BREAK_STRENGTHS,
    ELEMENT_CODES,
    ELEMENT_NAMES,
    HIDDEN,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    INLINE,
    ITEM,
    LINE,
    SPACE,
    codes_of,
)


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (INLINE, "a abbr b code em font i mark q small span strong sub sup time u wbr"),
        (SPACE, "button img input"),
        (LINE, "br"),
        (ITEM, "dd dt li td th tr"),
        (BLOCK, "article aside blockquote body div figcaption footer form h1 h6 header hr html"),
        (BLOCK, "main nav ol p pre section table tbody ul"),
    ],
)
def test_how_elements_divide_the_text_around_them(role: int, names: str) -> None:
    assert {name: BREAK_STRENGTHS[ELEMENT_CODES[name]] for name in names.split()} == dict.fromkeys(
        names.split(), role
    )


def test_every_element_has_one_number_and_one_role() -> None:
    assert len(ELEMENT_NAMES) == len(BREAK_STRENGTHS)
    assert all(
        ELEMENT_NAMES[code] == name for name, code in ELEMENT_CODES.items() if code != HIDDEN
    )
    named = [name for name in ELEMENT_NAMES if name not in ("", "br")]
    assert len(named) == len(set(named))


def test_the_number_of_an_element_and_its_negative_fit_into_a_byte() -> None:
    assert len(ELEMENT_NAMES) <= 128


def test_hidden_elements_share_one_number() -> None:
    assert {ELEMENT_CODES[name] for name in HIDDEN_TEXTS | HIDDEN_TREES} == {HIDDEN}
    assert not HIDDEN_TEXTS & HIDDEN_TREES
    assert not (HIDDEN_TEXTS | HIDDEN_TREES) & set(ELEMENT_NAMES)


def test_names_are_looked_up_together() -> None:
    assert codes_of("p li p") == {ELEMENT_CODES["p"], ELEMENT_CODES["li"]}
