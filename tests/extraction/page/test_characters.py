"""What kinds of characters there are."""

import pytest

from scrapy_cetr.extraction.page.characters import (
    BLANK,
    BROKEN,
    CAPITAL,
    CLOSING,
    COLON,
    COMMA,
    CONTROL,
    DIGIT,
    IDEOGRAPH,
    INVISIBLE,
    INVISIBLES,
    LETTER,
    MARK,
    QUESTION,
    STOP,
    character_kinds,
)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (BLANK, " \t\n\r\x0b\x0c\x1c\x85\xa0\u2003\u2028\u3000"),
        (INVISIBLE, "\xad\ufeff"),
        (CONTROL, "\x00\x07\x1b\x7f\x80\x9f\ud800\udfff"),
        (BROKEN, "\ufffd"),
        (MARK, "-<>&#(–—“„«👍€\ue000\U000e0001\U0010ffff"),
        (CLOSING, "\"'”’»」』)）"),
        (COLON, ":："),
        (QUESTION, "?？؟፧"),
        (STOP, ".!…。！।۔"),
        (COMMA, ",，、،"),
        (DIGIT, "09٣३"),
        (CAPITAL, "AZÑЖΩǅ"),
        (LETTER, "az_éßяأبअกขéµ²½\u200c\u200d한글"),
        (LETTER, "\u0301\u093e\u0e31\u0e35"),
        (IDEOGRAPH, "中文漢字日本かなカナｶㄅ㐀\U00020000\U000323af\uf900"),
    ],
)
def test_character_kinds_of_each_group(kind: int, text: str) -> None:
    assert character_kinds(text).tolist() == [kind] * len(text)


def test_character_kinds_of_ascii_are_the_same_among_others() -> None:
    ascii_text = "".join(map(chr, range(128)))
    alone, among = character_kinds(ascii_text), character_kinds(ascii_text + "é")
    assert alone.tolist() == among[:-1].tolist()


def test_character_kinds_of_an_empty_text_are_empty() -> None:
    assert character_kinds("").tolist() == []


def test_blank_kind_is_the_white_space_of_python() -> None:
    every = "".join(map(chr, range(0x11000)))
    for char, kind in zip(every, character_kinds(every).tolist(), strict=True):
        assert (kind == BLANK) == char.isspace(), hex(ord(char))
        assert (kind in (INVISIBLE, CONTROL)) == bool(INVISIBLES.fullmatch(char)), hex(ord(char))


def test_word_kinds_are_the_letters_and_digits_of_python() -> None:
    every = "".join(map(chr, (*range(0xD7A4), *range(0xE000, 0x10000))))
    for char, kind in zip(every, character_kinds(every).tolist(), strict=True):
        if char.isalnum():
            assert DIGIT <= kind <= IDEOGRAPH, hex(ord(char))
