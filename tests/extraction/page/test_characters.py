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
def test_the_kinds_of_characters(kind: int, text: str) -> None:
    assert character_kinds(text).tolist() == [kind] * len(text)


def test_ascii_has_the_same_kinds_alone_and_among_others() -> None:
    ascii_text = "".join(map(chr, range(128)))
    alone, among = character_kinds(ascii_text), character_kinds(ascii_text + "é")
    assert alone.tolist() == among[:-1].tolist()


def test_no_characters_have_no_kinds() -> None:
    assert character_kinds("").tolist() == []


def test_white_space_is_what_python_splits_at() -> None:
    every = "".join(map(chr, range(0x11000)))
    for char, kind in zip(every, character_kinds(every).tolist(), strict=True):
        assert (kind == BLANK) == char.isspace(), hex(ord(char))
        assert (kind in (INVISIBLE, CONTROL)) == bool(INVISIBLES.fullmatch(char)), hex(ord(char))


def test_letters_and_digits_of_the_first_plane_are_words_or_ideographs() -> None:
    every = "".join(map(chr, (*range(0xD7A4), *range(0xE000, 0x10000))))
    for char, kind in zip(every, character_kinds(every).tolist(), strict=True):
        if char.isalnum():
            assert DIGIT <= kind <= IDEOGRAPH, hex(ord(char))
